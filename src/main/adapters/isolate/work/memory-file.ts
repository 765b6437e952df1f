import { createHash } from 'node:crypto'
import { readableFormat } from '../../../../core/formats'
import type { Format } from '../../../../core/formats/format'
import type { Found, ReadContext } from '../../../../core/memory/experiences/import/log'
import type { Work } from '../../../ground/isolate/protocol'
import { archivedFiles } from './formats/zip'

/** What a file is to be read as. */
export interface Beginning {
  readonly format: string
  readonly memoryId: string
  /** ISO time. */
  readonly now: string
  /** The whole of a file that is no text; null for one whose pieces follow. */
  readonly bytes: Uint8Array | null
  /** What the file beside it holds that its format names; null for none. */
  readonly beside: Uint8Array | null
}

/** A file begins, gives its next piece (null: there is none), goes on, or is left. */
export type MemoryFileRequest = { readonly id: number } & (
  | { readonly begin: Beginning }
  | { readonly piece: string | null }
  | { readonly goOn: true }
  | { readonly leave: true }
)

/** What was found since, and whether a piece is needed, more is to come without one, or the file is over. */
export interface MemoryFileReply {
  readonly found: readonly Found[]
  readonly state: 'hungry' | 'busy' | 'over'
}

/** Items of one reply. */
const PER_REPLY = 64

/** Reads memories and logs of Loam's own formats. */
export const openMemoryFiles = (): Work<MemoryFileRequest, MemoryFileReply> => openReadings(readableFormat)

/** Reads files of formats by their ids, several side by side. */
export function openReadings(formatOf: (id: string) => Format): Work<MemoryFileRequest, MemoryFileReply> {
  const readings = new Map<number, Reading>()
  return async (request) => {
    if ('begin' in request)
      readings.set(request.id, new Reading(request.begin, formatOf(request.begin.format)))
    const reading = readings.get(request.id)
    if ('leave' in request) readings.delete(request.id)
    if ('leave' in request) return { found: [], state: 'over' }
    if (!reading) throw new Error('Its reading was cut off by another file.')
    if ('piece' in request) reading.feed(request.piece)
    const reply = await reading.collect()
    if (reply.state === 'over') readings.delete(request.id)
    return reply
  }
}

const openForeign: ReadContext['openDatabase'] = async (bytes, log) =>
  (await import('./formats/sqlite')).openSqlite(bytes, log)

/** One file that is read as its pieces come. */
class Reading {
  readonly #found: AsyncIterator<Found>
  readonly #pieces: string[] = []
  #isOver = false
  #isHungry = false
  #next: Promise<IteratorResult<Found, unknown>> | null = null
  #wake: () => void = () => undefined
  #starve: () => void = () => undefined

  constructor({ memoryId, now, bytes, beside }: Beginning, format: Format) {
    const hash = (text: string): string => createHash('sha256').update(text).digest('hex')
    const context = { memoryId, now, hash, unpack: archivedFiles, openDatabase: openForeign, beside }
    const rows = bytes === null ? format.read?.(this.#text(), context) : format.readBytes?.(bytes, context)
    if (!rows) throw new Error(`${format.title} is not read this way.`)
    this.#found = rows
  }

  feed(piece: string | null): void {
    if (piece === null) this.#isOver = true
    else this.#pieces.push(piece)
    this.#isHungry = false
    this.#wake()
  }

  async collect(): Promise<MemoryFileReply> {
    const batch: Found[] = []
    while (batch.length < PER_REPLY) {
      if (this.#isHungry) return { found: batch, state: 'hungry' }
      const hunger = new Promise<null>((resolve) => (this.#starve = () => resolve(null)))
      this.#next ??= this.#found.next()
      const one = await Promise.race([this.#next, hunger])
      if (one === null) continue
      this.#next = null
      if (one.done === true) return { found: batch, state: 'over' }
      batch.push(one.value)
    }
    return { found: batch, state: 'busy' }
  }

  async *#text(): AsyncGenerator<string> {
    for (;;) {
      const piece = this.#pieces.shift()
      if (piece !== undefined) yield piece
      else if (this.#isOver) return
      else {
        const fed = new Promise<void>((resolve) => (this.#wake = resolve))
        this.#isHungry = true
        this.#starve()
        await fed
      }
    }
  }
}
