import { parquetMetadata, parquetReadObjects } from 'hyparquet'
import { ByteWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer'
import type { Found, ReadContext } from '../../memory/experiences/import/log'
import type { FormatSource, WriteOptions } from '../format'
import { foundOfRow, rowOf, unitsOf } from '../units'

/** Texts that are encoded at once. */
const AT_ONCE = 64
/** Rows that are written or read at once, and at most. */
const ROWS_AT_ONCE = 1_000
const MOST_ROWS = 5_000_000

const VECTOR: SchemaElement[] = [
  { name: 'vector', repetition_type: 'OPTIONAL', converted_type: 'LIST', num_children: 1 },
  { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
  { name: 'element', type: 'FLOAT', repetition_type: 'REQUIRED' },
]

/** Names and kinds of columns; `vector` is a list of floats. */
const SCHEMA: SchemaElement[] = [
  { name: 'root', num_children: 10 },
  ...(['id', 'kind', 'title', 'text', 'environment', 'created_at'] as const).map((name) => textColumn(name)),
  { name: 'reward', type: 'DOUBLE', repetition_type: 'OPTIONAL' },
  { name: 'pinned', type: 'BOOLEAN', repetition_type: 'REQUIRED' },
  textColumn('loam'),
  ...VECTOR,
]

function textColumn(name: string): SchemaElement {
  return { name, type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'REQUIRED' }
}

type Row = ReturnType<typeof rowOf>

/** A piece of a table as it is written, and how many rows of each kind stand in it. */
export interface TablePiece {
  readonly bytes: Uint8Array
  readonly counts: ReadonlyMap<string, number>
}

/** A memory's items as a table, some rows at a time. */
export async function* writeParquet(source: FormatSource, options: WriteOptions): AsyncGenerator<TablePiece> {
  const text = (rows: readonly Row[], name: keyof Row) => ({ name, data: rows.map((row) => row[name]) })
  const table = openTable(SCHEMA, source.embedder.id)
  let counts = new Map<string, number>()
  const group = async (rows: readonly Row[]): Promise<TablePiece> => {
    const own = counts
    counts = new Map()
    const bytes = table.group([
      ...(['id', 'kind', 'title', 'text', 'environment', 'created_at'] as const).map((name) =>
        text(rows, name),
      ),
      text(rows, 'reward'),
      text(rows, 'pinned'),
      { name: 'loam', data: rows.map(({ loam }) => JSON.stringify(loam)) },
      { name: 'vector', data: await vectorsOf(rows, source, options.signal) },
    ])
    return { bytes, counts: own }
  }
  let rows: Row[] = []
  for await (const unit of unitsOf(source, options)) {
    rows.push(rowOf(unit))
    counts.set(unit.kinds, (counts.get(unit.kinds) ?? 0) + 1)
    if (rows.length < ROWS_AT_ONCE) continue
    yield await group(rows)
    rows = []
  }
  if (rows.length > 0) yield await group(rows)
  yield { bytes: table.end(), counts }
}

/** A table that is written group of rows by group of rows; each call answers the bytes that came. */
function openTable(schema: SchemaElement[], encoder: string) {
  const writer = new ByteWriter()
  const kvMetadata = [{ key: 'loam.encoder', value: encoder }]
  const table = new ParquetWriter({ writer, schema, kvMetadata })
  const takeBytes = (): Uint8Array => {
    const bytes = writer.getBytes().slice()
    writer.index = 0
    return bytes
  }
  return {
    group(columnData: { readonly name: string; readonly data: unknown[] }[]): Uint8Array {
      void table.write({ columnData, rowGroupSize: ROWS_AT_ONCE })
      return takeBytes()
    },
    end(): Uint8Array {
      void table.finish()
      return takeBytes()
    },
  }
}

async function vectorsOf(
  items: readonly { readonly text: string }[],
  source: Pick<FormatSource, 'embed'>,
  signal: AbortSignal | undefined,
): Promise<number[][]> {
  const vectors: number[][] = []
  for (let at = 0; at < items.length; at += AT_ONCE) {
    signal?.throwIfAborted()
    const texts = items.slice(at, at + AT_ONCE).map(({ text }) => text)
    vectors.push(...(await source.embed(texts, signal)).map((vector) => [...vector]))
  }
  return vectors
}

/** Which item a vector belongs to. */
const VECTORS: SchemaElement[] = [
  { name: 'root', num_children: 3 },
  textColumn('id'),
  textColumn('kind'),
  ...VECTOR,
]

/** A text that gets a vector. */
export interface VectorText {
  readonly id: string
  readonly kind: string
  readonly text: string
}

/** The vectors of texts as a table of id, kind and vector: texts are handed in one by one, and bytes go to `write` as they come. */
export function openVectorTable(
  source: Pick<FormatSource, 'embed' | 'embedder'>,
  write: (bytes: Uint8Array) => Promise<void>,
  signal?: AbortSignal,
) {
  const table = openTable(VECTORS, source.embedder.id)
  let items: VectorText[] = []
  const group = async (): Promise<void> => {
    const own = items
    items = []
    await write(
      table.group([
        { name: 'id', data: own.map(({ id }) => id) },
        { name: 'kind', data: own.map(({ kind }) => kind) },
        { name: 'vector', data: await vectorsOf(own, source, signal) },
      ]),
    )
  }
  return {
    async add(item: VectorText): Promise<void> {
      items.push(item)
      if (items.length >= ROWS_AT_ONCE) await group()
    },
    async end(): Promise<void> {
      if (items.length > 0) await group()
      await write(table.end())
    },
  }
}

/** Reads such a table, and others with a column of texts. */
export async function* readParquet(bytes: Uint8Array, context: ReadContext): AsyncGenerator<Found> {
  const file = bytes.slice().buffer
  let row = 0
  try {
    const metadata = parquetMetadata(file)
    const total = Number(metadata.num_rows)
    if (!(total >= 0) || total > MOST_ROWS) throw new Error(`it says that it has ${total} rows`)
    const knownSet = new Set(metadata.schema.map(({ name }) => name))
    const columns = ['loam', 'text', 'content', 'title', 'environment', 'created_at'].filter((name) =>
      knownSet.has(name),
    )
    if (!['loam', 'text', 'content'].some((name) => knownSet.has(name)))
      throw new Error('it has no column "text" of texts')
    while (row < total) {
      const rowEnd = Math.min(total, row + ROWS_AT_ONCE)
      const rows = await parquetReadObjects({ file, metadata, columns, rowStart: row, rowEnd })
      for (const { loam, text, content, title, environment, created_at: createdAt } of rows) {
        const place = { line: ++row }
        yield foundOfRow(loam, { text: text ?? content, title, environment, createdAt }, place, context)
      }
      if (rows.length === 0) throw new Error(`rows from ${row + 1} on cannot be read`)
    }
  } catch (error) {
    const why = error instanceof Error ? error.message.slice(0, 200) : 'it cannot be read'
    yield { kind: 'left', place: { line: row + 1 }, why: `the table cannot be read further: ${why}` }
  }
}
