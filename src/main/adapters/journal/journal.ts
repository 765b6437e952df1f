import { mkdir, open, readdir, readFile, truncate, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { LoamError } from '../../../shared/errors'
import { createSerial } from '../../../core/serial'
import { diskError, syncFolder } from './atomic-file'
import { decodeRecord, encodeRecord } from './record'

/** Where a record stands: segment file, byte offset and length without the newline. */
export interface RecordPlace {
  readonly segment: string
  readonly offset: number
  readonly length: number
}

export interface JournalRecord<Event> {
  readonly seq: number
  readonly time: string
  readonly events: readonly Event[]
  readonly at: RecordPlace
}

/** A commit that a crash had left half written; it was never acknowledged and has been cut off. */
export interface TornTail {
  readonly file: string
  readonly line: number
  readonly bytes: number
}

export interface JournalOptions<Event> {
  /** Turns one stored event into a typed one; throws when it cannot. */
  readonly parse: (value: unknown) => Event
  /** Called for each record in order, while opening. */
  readonly onRecord: (record: JournalRecord<Event>) => void
  readonly now: () => Date
  /** A new segment is begun once the current one has reached this many bytes. Default 16 MiB. */
  readonly segmentBytes?: number
}

/** An append-only log of commits in numbered JSONL segments. One writer. */
export interface Journal<Event> {
  readonly lastSeq: number
  readonly tornTail: TornTail | null
  /**
   * Appends one commit and resolves once it is on disk (fsync). After a failed write the file is cut back.
   * @throws LoamError `DISK_FULL`, `DISK_WRITE`
   */
  append(events: readonly Event[]): Promise<JournalRecord<Event>>
  /** Reads a record again. @throws LoamError `DATA_CORRUPT` when it no longer checks out */
  read(at: RecordPlace): Promise<readonly Event[]>
  close(): Promise<void>
}

const SEGMENT_BYTES = 16 * 1024 * 1024
const SEGMENT_NAME = /^\d{12}\.jsonl$/
const segmentName = (firstSeq: number): string => `${String(firstSeq).padStart(12, '0')}.jsonl`

/**
 * Opens the journal in `folder`, creating it when there is none, and replays it through `onRecord`.
 * An unfinished last line of the last segment is cut; any other damage is an error and nothing is changed.
 * @throws LoamError `DATA_CORRUPT` naming file and line
 */
export async function openJournal<Event>(folder: string, options: JournalOptions<Event>): Promise<Journal<Event>> {
  await mkdir(folder, { recursive: true })
  const segments = (await readdir(folder)).filter((name) => SEGMENT_NAME.test(name)).sort()
  let seq = 0
  let size = 0
  let tornTail: TornTail | null = null
  for (const [index, name] of segments.entries()) {
    const isLast = index === segments.length - 1
    if (name !== segmentName(seq + 1)) throw corrupt(join(folder, name), 1, `record ${seq + 1} should come next; a part is missing`)
    const read = await replaySegment(folder, name, seq, isLast, options)
    seq = read.seq
    size = read.size
    tornTail = read.tornTail
  }

  const limit = options.segmentBytes ?? SEGMENT_BYTES
  const serial = createSerial()
  const readers = new Map<string, Promise<FileHandle>>()
  let writer: { readonly name: string; readonly file: FileHandle } | null = null
  let broken: unknown = null
  const last = segments.at(-1)
  if (last !== undefined && size < limit) writer = { name: last, file: await open(join(folder, last), 'a') }

  async function currentWriter(): Promise<{ readonly name: string; readonly file: FileHandle }> {
    if (writer && size < limit) return writer
    const name = segmentName(seq + 1)
    const file = await open(join(folder, name), 'a')
    await syncFolder(folder)
    await writer?.file.close()
    writer = { name, file }
    size = 0
    return writer
  }

  async function write(events: readonly Event[]): Promise<JournalRecord<Event>> {
    if (broken) throw broken
    const time = options.now().toISOString()
    const bytes = Buffer.from(encodeRecord({ seq: seq + 1, time, events }))
    const path = join(folder, writer?.name ?? segmentName(seq + 1))
    try {
      const target = await currentWriter()
      try {
        await target.file.appendFile(bytes)
        await target.file.sync()
      } catch (error) {
        await target.file.truncate(size).catch((reason: unknown) => (broken = diskError(reason, path)))
        throw error
      }
      const at = { segment: target.name, offset: size, length: bytes.length - 1 }
      size += bytes.length
      seq += 1
      return { seq, time, events, at }
    } catch (error) {
      throw diskError(error, path)
    }
  }

  async function read(at: RecordPlace): Promise<readonly Event[]> {
    const path = join(folder, at.segment)
    let reader = readers.get(at.segment)
    if (!reader) readers.set(at.segment, (reader = open(path, 'r')))
    const buffer = Buffer.allocUnsafe(at.length)
    const { bytesRead } = await (await reader).read(buffer, 0, at.length, at.offset)
    const record = decodeRecord(buffer.toString('utf8', 0, bytesRead))
    if (typeof record === 'string') throw corrupt(path, null, `the record at byte ${at.offset} changed: ${record}`)
    return record.events.map(options.parse)
  }

  return {
    get lastSeq() {
      return seq
    },
    tornTail,
    append: (events) => serial(() => write(events)),
    read,
    close: () =>
      serial(async () => {
        broken = new LoamError('CONFLICT', 'The journal is closed.', { suggestion: 'Open the space again.' })
        await writer?.file.close()
        writer = null
        for (const reader of readers.values()) await (await reader).close()
        readers.clear()
      }),
  }
}

interface ReplayedSegment {
  readonly seq: number
  readonly size: number
  readonly tornTail: TornTail | null
}

async function replaySegment<Event>(
  folder: string,
  name: string,
  seqBefore: number,
  isLast: boolean,
  options: JournalOptions<Event>,
): Promise<ReplayedSegment> {
  const path = join(folder, name)
  const bytes = await readFile(path)
  let seq = seqBefore
  let offset = 0
  for (let line = 1; offset < bytes.length; line++) {
    const end = bytes.indexOf(0x0a, offset)
    if (end === -1) {
      if (!isLast) throw corrupt(path, line, 'it is cut off')
      // Only a finished line was ever acknowledged, so this commit is dropped whole.
      await truncate(path, offset)
      return { seq, size: offset, tornTail: { file: path, line, bytes: bytes.length - offset } }
    }
    const record = decodeRecord(bytes.toString('utf8', offset, end))
    if (typeof record === 'string') throw corrupt(path, line, record)
    if (record.seq !== seq + 1) throw corrupt(path, line, `it is record ${record.seq}, but ${seq + 1} should come next`)
    options.onRecord({
      seq: record.seq,
      time: record.time,
      events: record.events.map((event) => parseAt(path, line, event, options.parse)),
      at: { segment: name, offset, length: end - offset },
    })
    seq = record.seq
    offset = end + 1
  }
  return { seq, size: offset, tornTail: null }
}

function parseAt<Event>(path: string, line: number, value: unknown, parse: (value: unknown) => Event): Event {
  try {
    return parse(value)
  } catch (error) {
    if (error instanceof LoamError && error.code === 'DATA_FORMAT_NEWER') throw error
    throw corrupt(path, line, error instanceof LoamError ? error.why : String(error), error)
  }
}

function corrupt(path: string, line: number | null, reason: string, underlying?: unknown): LoamError {
  const where = line === null ? path : `${path}, line ${line}`
  return new LoamError('DATA_CORRUPT', `${where}: ${reason}.`, {
    suggestion:
      'Restore this memory from a backup. Loam left the file untouched, so nothing more is lost; the lines before the damage are still readable.',
    underlying,
  })
}
