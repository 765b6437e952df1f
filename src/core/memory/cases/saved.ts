import { LoamError } from '../../../shared/errors'

/** What a selector has learned, as named rows of numbers. */
export type Saved = Readonly<Record<string, Float32Array | Float64Array | Int32Array>>

/** A saved selector and how far in the journal it is. */
export interface Checkpoint {
  /** What it was learned with; another key is another learner. */
  readonly key: string
  /** Cases taken in, in order of arrival, and the id of the last of them. */
  readonly writes: number
  readonly lastCase: string
  readonly saved: Saved
}

const KINDS = { f32: Float32Array, f64: Float64Array, i32: Int32Array } as const
type Kind = keyof typeof KINDS
const ALIGNMENT = 8
const kindOf = (row: Saved[string]): Kind =>
  row instanceof Float32Array ? 'f32' : row instanceof Float64Array ? 'f64' : 'i32'
const padded = (bytes: number): number => Math.ceil(bytes / ALIGNMENT) * ALIGNMENT

interface Header {
  readonly format: 1
  readonly key: string
  readonly writes: number
  readonly lastCase: string
  readonly rows: readonly { readonly name: string; readonly kind: Kind; readonly length: number }[]
  /** FNV-1a over the bytes of the rows. */
  readonly sum: number
}

/** One line of JSON, memories up to a multiple of 8 bytes and a newline, then the rows as little-endian numbers. Exact to the last bit. */
export function encodeCheckpoint({ key, writes, lastCase, saved }: Checkpoint): Uint8Array {
  const entries = Object.entries(saved)
  const body = new Uint8Array(entries.reduce((sum, [, row]) => sum + padded(row.byteLength), 0))
  let at = 0
  for (const [, row] of entries) {
    body.set(new Uint8Array(row.buffer, row.byteOffset, row.byteLength), at)
    at += padded(row.byteLength)
  }
  const header: Header = {
    format: 1,
    key,
    writes,
    lastCase,
    rows: entries.map(([name, row]) => ({ name, kind: kindOf(row), length: row.length })),
    sum: checksum(body),
  }
  const text = new TextEncoder().encode(JSON.stringify(header))
  const start = padded(text.length + 1)
  const bytes = new Uint8Array(start + body.length).fill(0x20, 0, start)
  bytes.set(text)
  bytes[start - 1] = 0x0a
  bytes.set(body, start)
  return bytes
}

/** @throws LoamError `DATA_CORRUPT` for anything that `encodeCheckpoint` does not write */
export function decodeCheckpoint(bytes: Uint8Array): Checkpoint {
  const end = bytes.indexOf(0x0a)
  const body = bytes.slice(end + 1)
  let header: Header
  try {
    header = JSON.parse(new TextDecoder().decode(bytes.subarray(0, end))) as Header
  } catch (error) {
    throw damaged(error)
  }
  if (end < 0 || header.format !== 1 || header.sum !== checksum(body)) throw damaged(null)
  const saved: Record<string, Saved[string]> = {}
  let at = 0
  for (const { name, kind, length } of header.rows) {
    const row = new KINDS[kind](body.buffer, body.byteOffset + at, length)
    saved[name] = row.slice()
    at += padded(row.byteLength)
  }
  return { key: header.key, writes: header.writes, lastCase: header.lastCase, saved }
}

function checksum(bytes: Uint8Array): number {
  let hash = 0x811c9dc5
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193)
  return hash >>> 0
}

const damaged = (underlying: unknown): LoamError =>
  new LoamError('DATA_CORRUPT', 'The saved values of cases cannot be read.', {
    suggestion: 'Nothing is lost: they are learned again from the journal.',
    underlying,
  })
