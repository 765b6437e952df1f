import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { LoamError } from '../../shared/errors'
import { openLines } from './open-lines'
import type { EventPlaces } from './event-places'
import { decodeRecord } from './record'
import { namesIn } from '../ground/names-in'

export interface JournalRecord<Event> {
  readonly seq: number
  readonly time: string
  readonly events: readonly Event[]
  /** Number of its first event: events are counted from 0, over all records. */
  readonly first: number
}

/** A commit that a crash had left half written; it was never acknowledged. */
export interface TornTail {
  readonly file: string
  readonly line: number
  readonly bytes: number
}

export interface ReplayOptions<Event> {
  /** Turns one stored event into a typed one; throws when it cannot. */
  readonly parse: (value: unknown) => Event
  /** Called for each record, in order; the next one is read once a promise that it answers is kept. */
  readonly onRecord: (record: JournalRecord<Event>) => unknown
  /** Takes in where each event stands. Default: nobody asks. */
  readonly places?: EventPlaces
}

export interface Replayed {
  readonly seq: number
  readonly lastSegment: string | null
  /** Bytes of whole records in the last segment. */
  readonly size: number
  readonly tornTail: TornTail | null
}

const SEGMENT_NAME = /^\d{12}\.jsonl$/

/** A segment is named after the first record in it. */
export const segmentName = (firstSeq: number): string => `${String(firstSeq).padStart(12, '0')}.jsonl`

/**
 * Reads every record of a journal and changes nothing. An unfinished last line of the last segment is passed over and told of;
 * any other damage is an error. A folder that is not there holds no records.
 * @throws LoamError `DATA_CORRUPT` naming file and line, `DATA_FORMAT_NEWER`
 */
export async function replayJournal<Event>(folder: string, options: ReplayOptions<Event>): Promise<Replayed> {
  const segments = await listSegments(folder)
  let read: ReplayedSegment = { seq: 0, events: 0, size: 0, tornTail: null }
  for (const [index, name] of segments.entries()) {
    if (name !== segmentName(read.seq + 1)) {
      throw corrupt(join(folder, name), 1, `record ${read.seq + 1} should come next; a part is missing`)
    }
    read = await replaySegment(folder, name, read, index === segments.length - 1, options)
  }
  return { ...read, lastSegment: segments.at(-1) ?? null }
}

/** Number of the last whole record, without checking the ones before it; 0 for an empty journal. */
export async function readLastSeq(folder: string): Promise<number> {
  const last = (await listSegments(folder)).at(-1)
  if (last === undefined) return 0
  const bytes = await readFile(join(folder, last))
  const end = bytes.lastIndexOf(0x0a)
  // A segment begun but not yet written to is named after the record to come.
  if (end <= 0) return Number.parseInt(last, 10) - 1
  const record = decodeRecord(bytes.subarray(bytes.lastIndexOf(0x0a, end - 1) + 1, end))
  if (typeof record === 'string')
    throw corrupt(join(folder, last), null, `the last record is damaged: ${record}`)
  return record.seq
}

/** The segment files of a journal, in order; none when there is no folder. */
export async function listSegments(folder: string): Promise<string[]> {
  return (await namesIn(folder)).filter((name) => SEGMENT_NAME.test(name))
}

interface ReplayedSegment {
  readonly seq: number
  readonly events: number
  readonly size: number
  readonly tornTail: TornTail | null
}

async function replaySegment<Event>(
  folder: string,
  name: string,
  before: ReplayedSegment,
  isLast: boolean,
  options: ReplayOptions<Event>,
): Promise<ReplayedSegment> {
  const path = join(folder, name)
  const file = await openLines(path)
  try {
    let { seq, events } = before
    let offset = 0
    for (let line = 1; offset < file.size; line++) {
      let bytes = file.next()
      while (bytes === null && (await file.readOn())) bytes = file.next()
      if (bytes === null) {
        if (!isLast) throw corrupt(path, line, 'it is cut off')
        // Only a finished line was ever acknowledged, so this commit does not count.
        return { seq, events, size: offset, tornTail: { file: path, line, bytes: file.size - offset } }
      }
      const record = decodeRecord(bytes)
      if (typeof record === 'string') throw corrupt(path, line, record)
      if (record.seq !== seq + 1)
        throw corrupt(path, line, `it is record ${record.seq}, but ${seq + 1} should come next`)
      const end = offset + bytes.length
      options.places?.add(name, offset, bytes, record.parts)
      const work = options.onRecord({
        seq: record.seq,
        time: record.time,
        events: record.events.map((event) => parseAt(path, line, event, options.parse)),
        first: events,
      })
      if (work instanceof Promise) await work
      seq = record.seq
      events += record.events.length
      offset = end + 1
    }
    return { seq, events, size: offset, tornTail: null }
  } finally {
    await file.close()
  }
}

function parseAt<Event>(path: string, line: number, value: unknown, parse: (value: unknown) => Event): Event {
  try {
    return parse(value)
  } catch (error) {
    if (error instanceof LoamError && error.code === 'DATA_FORMAT_NEWER') throw error
    throw corrupt(path, line, error instanceof LoamError ? error.why : String(error), error)
  }
}

/**
 * A journal that ends before what is known to have been acknowledged (`known`, a record's number): it was cut or replaced, and
 * opening it as if it were whole would overwrite what still tells of the rest.
 */
export function shortened(
  folder: string,
  match: Pick<Replayed, 'seq' | 'tornTail'>,
  knownCount: number,
): LoamError {
  const restText =
    match.seq === 0
      ? 'holds no commits'
      : `ends after commit ${match.seq}${match.tornTail ? ' and an unfinished line' : ''}`
  const missingCount = knownCount - match.seq
  return new LoamError(
    'DATA_CORRUPT',
    `The journal ${folder} ${restText}, but ${knownCount} were written: ${missingCount} ${missingCount === 1 ? 'is' : 'are'} missing from its end.`,
    {
      suggestion:
        'Restore this memory from a backup, or repair it to go on with what is left. Nothing was changed.',
    },
  )
}

/** Damage that must not be skipped over. */
export function corrupt(path: string, line: number | null, reason: string, underlying?: unknown): LoamError {
  const where = line === null ? path : `${path}, line ${line}`
  return new LoamError('DATA_CORRUPT', `${where}: ${reason}.`, {
    suggestion:
      'Restore this memory from a backup, or repair it to go on with the lines that are whole. Loam left the file untouched.',
    underlying,
  })
}
