import type { FieldPacket, ResultSetHeader } from 'mysql2'
import type { SqlColumnType, SqlResult, SqlValue } from '../../../../core/ground/ports'

/** Numbers of the protocol's column types. */
const KINDS: readonly (readonly [SqlColumnType, readonly number[]])[] = [
  ['int', [1, 2, 3, 8, 9, 13]],
  ['decimal', [0, 246]],
  ['double', [4, 5]],
  ['date', [10, 14]],
  ['datetime', [7, 12]],
  ['time', [11]],
]

const kindOf = ({ columnType }: FieldPacket): SqlColumnType =>
  KINDS.find(([, numbers]) => numbers.includes(columnType ?? -1))?.[0] ?? 'text'

/** A cell as it came: decimals and dates as their exact text. */
const cellOf = (value: unknown): SqlValue => {
  if (value === null || typeof value === 'number' || typeof value === 'string') return value
  if (value instanceof Uint8Array) return new Uint8Array(value)
  return typeof value === 'object' ? JSON.stringify(value) : String(value as bigint)
}

/** What the last of the statements that were sent together came to. `found` and `fields` are as mysql2 answers with `rowsAsArray`. */
export function resultOf(match: unknown, fields: unknown): SqlResult {
  // Of several statements both are lists, one entry for each.
  const isSeveral =
    Array.isArray(fields) &&
    (fields.length === 0 || fields.some((of) => of === undefined || Array.isArray(of)))
  const last: unknown = isSeveral && Array.isArray(match) ? match.at(-1) : match
  const columns: unknown = isSeveral ? fields.at(-1) : fields
  if (!Array.isArray(last) || !Array.isArray(columns))
    return { kind: 'done', affectedRows: (last as ResultSetHeader | undefined)?.affectedRows ?? 0 }
  const packets = columns as FieldPacket[]
  return {
    kind: 'rows',
    columns: packets.map(({ name }) => name),
    types: packets.map(kindOf),
    rows: (last as unknown[][]).map((row) => row.map(cellOf)),
  }
}
