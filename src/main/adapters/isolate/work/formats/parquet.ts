import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { parquetMetadata, parquetReadObjects } from 'hyparquet'
import { unpackZstandard } from './zstandard'

/** Rows that are read at once. */
const ROWS_AT_ONCE = 1000
/** Most characters of all rows together. */
const MOST_CHARS = 256 * 1024 * 1024

/** Most bytes of one page of a column. */
const LIMIT = { maxOutputLength: 256 * 1024 * 1024 }

const unpack = {
  GZIP: (packed: Uint8Array) => new Uint8Array(gunzipSync(packed, LIMIT)),
  BROTLI: (packed: Uint8Array) => new Uint8Array(brotliDecompressSync(packed, LIMIT)),
  ZSTD: (packed: Uint8Array, size: number) => {
    if (size > LIMIT.maxOutputLength) throw new Error(`a page of it would unpack to ${size} bytes`)
    return unpackZstandard(packed, size)
  },
}

/** Values as JSON has them: whole numbers beyond its range as text, points in time as ISO texts, raw bytes (pictures) left out. */
function plain(value: unknown): unknown {
  if (typeof value === 'bigint') {
    const number = Number(value)
    return Number.isSafeInteger(number) ? number : String(value)
  }
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString()
  if (value instanceof Uint8Array) return null
  if (Array.isArray(value) || ArrayBuffer.isView(value)) return Array.from(value as Iterable<unknown>, plain)
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plain(inner)]))
  return value
}

/** A Parquet file's rows as lines of JSON. @throws Error in words */
export async function parquetLines(bytes: Uint8Array): Promise<string> {
  const file = bytes.slice().buffer
  const metadata = parquetMetadata(file)
  const total = Number(metadata.num_rows)
  const lines: string[] = []
  let chars = 0
  for (let row = 0; row < total; row += ROWS_AT_ONCE) {
    const rowEnd = Math.min(total, row + ROWS_AT_ONCE)
    const rows = await parquetReadObjects({ file, metadata, rowStart: row, rowEnd, compressors: unpack })
    if (rows.length !== rowEnd - row) throw new Error(`its rows from ${row + 1} on cannot be read`)
    for (const one of rows) {
      const line = JSON.stringify(plain(one))
      chars += line.length
      if (chars > MOST_CHARS)
        throw new Error(`its rows have more than ${MOST_CHARS >> 20} million characters`)
      lines.push(line)
    }
  }
  return lines.join('\n')
}
