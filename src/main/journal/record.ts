import { crc32 } from 'node:zlib'

/** One commit as it stands in the journal: one line, so that it is there whole or not at all. */
export interface RawRecord {
  /** Counts commits of this journal from 1, without gaps. */
  readonly seq: number
  /** ISO time of the commit. */
  readonly time: string
  readonly events: readonly unknown[]
}

const LINE = /^\{"seq":(\d+),"time":"([^"\\]+)","sum":"([0-9a-f]{8})","events":(\[.*\])\}$/s

const checksum = (seq: number | string, time: string, events: string): string =>
  crc32(`${seq} ${time} ${events}`).toString(16).padStart(8, '0')

/** A commit as one JSON line, newline included. `sum` is the CRC-32 of "seq time events". */
export function encodeRecord(record: RawRecord): string {
  const events = JSON.stringify(record.events)
  const sum = checksum(record.seq, record.time, events)
  return `{"seq":${record.seq},"time":"${record.time}","sum":"${sum}","events":${events}}\n`
}

/** Reads a line without its newline; a string says what is wrong with it. */
export function decodeRecord(line: string): RawRecord | string {
  const match = LINE.exec(line)
  if (!match) return 'it is not a journal record'
  const [, seq = '', time = '', sum = '', events = ''] = match
  if (checksum(seq, time, events) !== sum) return 'its checksum does not match'
  return { seq: Number(seq), time, events: JSON.parse(events) as unknown[] }
}

const EVENTS = ',"events":'

/** Where the events' array of a record begins, as an offset into its line. */
export const eventsAt = (line: Uint8Array): number => {
  // seq, time and sum hold none of these bytes, so the first one found is the right one.
  const at = Buffer.from(line.buffer, line.byteOffset, line.byteLength).indexOf(EVENTS)
  return at + EVENTS.length
}
