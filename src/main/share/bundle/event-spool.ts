import { open } from 'node:fs/promises'
import { readSync } from 'node:fs'
import type { MemoryEvent } from '../../../core/memory/events'

/** Commits that lie on the disk, event by event, so that a history of any length takes little memory. */
export type EventSpool = Awaited<ReturnType<typeof openEventSpool>>

/** Bytes that are written, and read, at once. */
const PIECE = 256 * 1024

/** Opens an empty one in a file, which is the caller's to remove. What goes in was checked before: it is read again as it is. */
export async function openEventSpool(path: string) {
  const file = await open(path, 'wx+')
  /** Where each event begins, with the end of the last one, and the first event of each commit. */
  const starts: number[] = [0]
  const firsts: number[] = [0]
  let unwritten: Buffer[] = []
  let [unwrittenBytes, writtenBytes] = [0, 0]
  let ahead: { readonly at: number; readonly bytes: Buffer } = { at: 0, bytes: Buffer.alloc(0) }

  const flush = async (): Promise<void> => {
    const bytes = Buffer.concat(unwritten)
    ;[unwritten, unwrittenBytes] = [[], 0]
    await file.appendFile(bytes)
    writtenBytes += bytes.length
  }
  /** Events are mostly asked for in their order, so what comes behind one is read with it. */
  const eventAt = async (i: number): Promise<MemoryEvent | null> => {
    const [from, to] = [starts[i], starts[i + 1]]
    if (from === undefined || to === undefined) return null
    if (to > writtenBytes) await flush()
    if (from < ahead.at || to > ahead.at + ahead.bytes.length) {
      const bytes = Buffer.allocUnsafe(Math.max(PIECE, to - from))
      ahead = { at: from, bytes: bytes.subarray(0, readSync(file.fd, bytes, 0, bytes.length, from)) }
    }
    return JSON.parse(ahead.bytes.toString('utf8', from - ahead.at, to - ahead.at)) as MemoryEvent
  }

  return {
    /** Events in it. */
    events: (): number => starts.length - 1,
    /** Commits in it. */
    count: (): number => firsts.length - 1,
    async add(events: readonly MemoryEvent[]): Promise<void> {
      for (const event of events) {
        const bytes = Buffer.from(JSON.stringify(event))
        unwritten.push(bytes)
        unwrittenBytes += bytes.length
        starts.push((starts.at(-1) ?? 0) + bytes.length)
      }
      firsts.push(starts.length - 1)
      if (unwrittenBytes >= PIECE) await flush()
    },
    /** An event by its number; null for one that is not there. */
    readOne: eventAt,
    /** The events of a commit. */
    async commit(at: number): Promise<MemoryEvent[]> {
      const events: MemoryEvent[] = []
      for (let i = firsts[at] ?? 0; i < (firsts[at + 1] ?? 0); i++) {
        const event = await eventAt(i)
        if (event) events.push(event)
      }
      return events
    },
    close: () => file.close(),
  }
}
