import { crc32 } from 'node:zlib'

/** One commit as it stands in the journal: one line, so that it is there whole or not at all. */
export interface RawRecord {
  /** Counts commits of this journal from 1, without gaps. */
  readonly seq: number
  /** ISO time of the commit. */
  readonly time: string
  readonly events: readonly unknown[]
}

const HEAD = /^\{"seq":(\d+),"time":"([^"\\]+)","sum":"([0-9a-f]{8})","events":$/
const TAIL = ']}'

/** `events`: of what comes before it. */
const checksum = (seq: number | string, time: string, events: string | Uint8Array): string =>
  crc32(events, crc32(`${seq} ${time} `))
    .toString(16)
    .padStart(8, '0')

/** A commit as one JSON line, newline included. `sum` is the CRC-32 of "seq time events". */
export function encodeRecord(record: RawRecord): string {
  const events = JSON.stringify(record.events)
  const sum = checksum(record.seq, record.time, events)
  return `{"seq":${record.seq},"time":"${record.time}","sum":"${sum}","events":${events}}\n`
}

const EVENTS = ',"events":'

const OPENING = 0x5b

/** A commit that was read, with where its events stand in its line: see `partsOf`. */
export interface DecodedRecord extends RawRecord {
  readonly parts: Uint32Array
}

/** Reads a line without its newline, event by event, so that no text is as long as the line; a string says what is wrong with it. */
export function decodeRecord(line: Buffer): DecodedRecord | string {
  const from = eventsAt(line)
  const match = HEAD.exec(line.toString('latin1', 0, from))
  if (!match || line[from] !== OPENING || line.toString('latin1', line.length - 2) !== TAIL)
    return 'it is not a journal record'
  const [, seq = '', time = '', sum = ''] = match
  const to = line.length - 1
  if (checksum(seq, time, line.subarray(from, to)) !== sum) return 'its checksum does not match'
  const parts = partsOf(line, from, to)
  const events = Array.from(
    { length: parts.length - 1 },
    (_, i) => JSON.parse(line.toString('utf8', parts[i], (parts[i + 1] ?? 0) - 1)) as unknown,
  )
  return { seq: Number(seq), time, events, parts }
}

/** Where the events' array of a record begins, as an offset into its line. */
export const eventsAt = (line: Uint8Array): number => {
  // seq, time and sum hold none of these bytes, so the first one found is the right one.
  const at = Buffer.from(line.buffer, line.byteOffset, line.byteLength).indexOf(EVENTS)
  return at + EVENTS.length
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const OPEN = new Set([0x5b, 0x7b])
const CLOSE = new Set([0x5d, 0x7d])

/**
 * Where the elements of a JSON array stand: for n elements n + 1 offsets into `bytes`, each but the last the first byte of an element,
 * the last one behind the closing bracket; element i is bytes[offsets[i], offsets[i + 1] - 1). `from` is the opening bracket. The text
 * must be valid JSON without blanks, as `JSON.stringify` writes it.
 */
export function partsOf(bytes: Uint8Array, from: number, to: number): Uint32Array {
  const starts: number[] = []
  let depth = 0
  for (let at = from; at < to; at++) {
    const byte = bytes[at] as number
    if (byte === QUOTE) at = closingQuote(bytes, at)
    else if (OPEN.has(byte)) {
      depth++
      if (depth === 1) starts.push(at + 1)
    } else if (CLOSE.has(byte)) depth--
    else if (byte === COMMA && depth === 1) starts.push(at + 1)
  }
  const isEmpty = starts.length === 1 && starts[0] === to - 1
  return Uint32Array.from(isEmpty ? [to] : [...starts, to])
}

/** The quote that ends the string beginning at `open`: the next one with an even number of backslashes before it. */
function closingQuote(bytes: Uint8Array, open: number): number {
  let at = open
  for (;;) {
    at = bytes.indexOf(QUOTE, at + 1)
    if (at === -1) return bytes.length
    let slashes = 0
    while (bytes[at - 1 - slashes] === BACKSLASH) slashes++
    if (slashes % 2 === 0) return at
  }
}
