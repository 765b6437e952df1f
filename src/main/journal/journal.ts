import { constants } from 'node:fs'
import { mkdir, open, type FileHandle, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { LoamError } from '../../shared/errors'
import { createSerial } from '../../shared/serial'
import { diskError, syncFolder } from '../ground/atomic-file'
import { cutTornTail, type CutTail } from './cut-torn-tail'
import { openHead, readHead } from './head'
import { createEventPlaces } from './event-places'
import { encodeRecord, eventsAt, partsOf } from './record'
import {
  corrupt,
  replayJournal,
  segmentName,
  shortened,
  type JournalRecord,
  type ReplayOptions,
  type TornTail,
} from './replay'

export type { JournalRecord, TornTail }

export interface JournalOptions<Event> extends Omit<ReplayOptions<Event>, 'places'> {
  readonly now: () => Date
  /** A new segment is begun once the current one has reached this many bytes. Default 16 MiB. */
  readonly segmentBytes?: number
  /** File that says how far the journal goes, brought up to date with every commit. Default: none is kept. */
  readonly head?: string
  /** Record up to which others (a search index) hold what this journal says. Default 0. */
  readonly knownSeq?: number
}

/** An append-only log of commits in numbered JSONL segments. One writer. */
export interface Journal<Event> {
  readonly tornTail: CutTail | null
  /**
   * Appends one commit and resolves once it is on disk (fsync). After a failed write the file is cut back.
   * @throws LoamError `DISK_FULL`, `DISK_WRITE`
   */
  append(events: readonly Event[]): Promise<JournalRecord<Event>>
  /** The event of a number, without reading its neighbours; null when there are fewer. @throws LoamError `DATA_CORRUPT` */
  readOne(event: number): Promise<Event | null>
  /** Closes its files, once what is under way is over; what is read or appended next opens them again. */
  rest(): Promise<void>
  close(): Promise<void>
}

/** How many are under way: a set that each enters and leaves keeps what they hold until the whole heap is gone through. */
function createCount() {
  let count = 0
  let tell: (() => void) | null = null
  return {
    begin: (): void => void count++,
    end(): void {
      if (--count === 0) tell?.()
    },
    /** Resolves once all that began have ended. */
    over: (): Promise<void> => (count === 0 ? Promise.resolve() : new Promise((resolve) => (tell = resolve))),
  }
}

const SEGMENT_BYTES = 16 * 1024 * 1024
/** To read and append to a file that has to be there. */
const APPENDING = constants.O_RDWR | constants.O_APPEND

/**
 * Opens the journal in `folder`, creating it when there is none, and replays it through `onRecord`.
 * An unfinished last line of the last segment is moved to a file of its own; any other damage, and a journal that ends before
 * what `head` or `knownSeq` tell of, is an error and nothing is changed.
 * @throws LoamError `DATA_CORRUPT` naming file and line
 */
export async function openJournal<Event>(
  folder: string,
  options: JournalOptions<Event>,
): Promise<Journal<Event>> {
  const knownCount = Math.max(
    options.knownSeq ?? 0,
    options.head === undefined ? 0 : await readHead(options.head),
  )
  const places = createEventPlaces()
  const replayed = await replayJournal(folder, { ...options, places })
  let { seq, size } = replayed
  if (seq < knownCount) throw shortened(folder, replayed, knownCount)
  await mkdir(folder, { recursive: true })
  const tornTail = replayed.tornTail && (await cutTornTail(replayed.tornTail, size, options.now()))
  const head = options.head === undefined ? null : await openHead(options.head, seq)

  const limit = options.segmentBytes ?? SEGMENT_BYTES
  const serial = createSerial()
  /** Files that are open, by segment; the one that is appended to is read through the same handle. */
  const files = new Map<string, Promise<FileHandle>>()
  let underWay = createCount()
  let fault: unknown = null
  let lastName = replayed.lastSegment

  /** @throws LoamError `DATA_CORRUPT` when it was changed while it was closed */
  async function openLast(segment: string): Promise<FileHandle> {
    const path = join(folder, segment)
    const file = await open(path, APPENDING)
    if ((await file.stat()).size === size) return file
    await file.close()
    throw corrupt(path, null, 'its length changed since it was opened')
  }

  const fileOf = (segment: string): Promise<FileHandle> => {
    let file = files.get(segment)
    if (!file) {
      file = segment === lastName ? openLast(segment) : open(join(folder, segment), 'r')
      files.set(segment, file)
      file.catch(() => files.delete(segment))
    }
    return file
  }

  async function currentWriter(): Promise<{ readonly name: string; readonly file: FileHandle }> {
    if (lastName !== null && size < limit) return { name: lastName, file: await fileOf(lastName) }
    const name = segmentName(seq + 1)
    const file = await open(join(folder, name), 'a+')
    await syncFolder(folder)
    files.set(name, Promise.resolve(file))
    lastName = name
    size = 0
    return { name, file }
  }

  async function closeFiles(): Promise<void> {
    const handles = [...files.values()]
    files.clear()
    const reads = underWay
    underWay = createCount()
    await reads.over()
    ahead.forget()
    for (const handle of handles) await (await handle).close()
  }

  async function write(events: readonly Event[]): Promise<JournalRecord<Event>> {
    if (fault) throw fault
    const time = options.now().toISOString()
    const bytes = Buffer.from(encodeRecord({ seq: seq + 1, time, events }))
    const path = join(folder, lastName ?? segmentName(seq + 1))
    try {
      const target = await currentWriter()
      try {
        await target.file.appendFile(bytes)
        await target.file.sync()
      } catch (error) {
        // A handle that appends may not cut on Windows, so the file gets one of its own.
        await truncate(join(folder, target.name), size).catch(
          (reason: unknown) => (fault = diskError(reason, path)),
        )
        throw error
      }
      const first = places.count
      const line = bytes.subarray(0, -1)
      places.add(target.name, size, line, partsOf(line, eventsAt(line), line.length - 1))
      size += bytes.length
      seq += 1
      await head?.note(seq)
      return { seq, time, events, first }
    } catch (error) {
      throw diskError(error, path)
    }
  }

  async function readBytes(segment: string, offset: number, length: number): Promise<Buffer> {
    const buffer = Buffer.allocUnsafe(length)
    const reads = underWay
    reads.begin()
    try {
      const { bytesRead } = await (await fileOf(segment)).read(buffer, 0, length, offset)
      return buffer.subarray(0, bytesRead)
    } finally {
      reads.end()
    }
  }

  const ahead = readAhead(readBytes, (segment) => (segment === lastName ? size : Infinity))

  async function readOne(event: number): Promise<Event | null> {
    const place = places.at(event)
    if (!place) return null
    const { segment, offset, length, sum } = place
    const bytes = await ahead.bytes(segment, offset, length)
    if (crc32(bytes) !== sum)
      throw corrupt(join(folder, segment), null, `an event at byte ${offset} changed since it was opened`)
    return options.parse(JSON.parse(bytes.toString('utf8')))
  }

  return {
    tornTail,
    append: (events) => serial(() => write(events)),
    readOne,
    rest: () => serial(closeFiles),
    close: () =>
      serial(async () => {
        fault = new LoamError('CONFLICT', 'The journal is closed.', { suggestion: 'Open the memory again.' })
        await closeFiles()
      }),
  }
}

/** Bytes that are read at once by who reads one piece behind another. */
const AHEAD = 64 * 1024
const NOTHING = { segment: '', offset: 0, bytes: Buffer.alloc(0) as Buffer }

/**
 * Pieces of files that are only added to. Who goes through them in order has many of them with one read. `read` answers as many bytes as there
 * are; `sizeOf` says up to where a file stays as it is.
 */
function readAhead(
  read: (segment: string, offset: number, length: number) => Promise<Buffer>,
  sizeOf: (segment: string) => number,
) {
  let ahead = NOTHING
  /** Where the last piece ends that was asked for. */
  let last = { segment: '', end: 0 }

  return {
    async bytes(segment: string, offset: number, length: number): Promise<Buffer> {
      const isNext = segment === last.segment && offset >= last.end && offset < last.end + AHEAD
      last = { segment, end: offset + length }
      const from = offset - ahead.offset
      if (segment === ahead.segment && from >= 0 && from + length <= ahead.bytes.length)
        return ahead.bytes.subarray(from, from + length)
      if (!isNext) return read(segment, offset, length)
      const bytes = await read(segment, offset, Math.max(length, Math.min(AHEAD, sizeOf(segment) - offset)))
      ahead = { segment, offset, bytes }
      return bytes.subarray(0, length)
    },
    /** Lets go of what was read ahead. */
    forget(): void {
      ahead = NOTHING
    },
  }
}
