import { parquetMetadata, parquetReadObjects } from 'hyparquet'
import { parquetWriteBuffer, type SchemaElement } from 'hyparquet-writer'
import type { Found, ReadContext } from '../../memory/experiences/import/log'
import type { FormatSource, WriteOptions } from '../format'
import { foundOfRow, rowOf, unitsOf } from '../units'

/** Texts that are encoded at once. */
const AT_ONCE = 64
/** Rows that are read at once, and at most. */
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

/** A memory's items as a table. The whole of it is in memory while it is made. */
export async function writeParquet(
  source: FormatSource,
  options: WriteOptions,
): Promise<{ readonly bytes: Uint8Array; readonly counts: ReadonlyMap<string, number> }> {
  const rows: ReturnType<typeof rowOf>[] = []
  const counts = new Map<string, number>()
  for await (const unit of unitsOf(source, options)) {
    rows.push(rowOf(unit))
    counts.set(unit.kinds, (counts.get(unit.kinds) ?? 0) + 1)
  }
  const vectors = await vectorsOf(rows, source, options.signal)
  const text = (name: 'id' | 'kind' | 'title' | 'text' | 'environment' | 'created_at') => ({
    name,
    data: rows.map((row) => row[name]),
  })
  const buffer = parquetWriteBuffer({
    schema: SCHEMA,
    columnData: [
      ...(['id', 'kind', 'title', 'text', 'environment', 'created_at'] as const).map(text),
      { name: 'reward', data: rows.map(({ reward }) => reward) },
      { name: 'pinned', data: rows.map(({ pinned }) => pinned) },
      { name: 'loam', data: rows.map(({ loam }) => JSON.stringify(loam)) },
      { name: 'vector', data: vectors },
    ],
    kvMetadata: [{ key: 'loam.encoder', value: source.embedder.id }],
  })
  return { bytes: new Uint8Array(buffer), counts }
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

/** The vectors of texts as a table: id, kind, vector. */
export async function writeVectors(
  items: readonly { readonly id: string; readonly kind: string; readonly text: string }[],
  source: Pick<FormatSource, 'embed' | 'embedder'>,
  signal?: AbortSignal,
): Promise<Uint8Array> {
  const buffer = parquetWriteBuffer({
    schema: VECTORS,
    columnData: [
      { name: 'id', data: items.map(({ id }) => id) },
      { name: 'kind', data: items.map(({ kind }) => kind) },
      { name: 'vector', data: await vectorsOf(items, source, signal) },
    ],
    kvMetadata: [{ key: 'loam.encoder', value: source.embedder.id }],
  })
  return new Uint8Array(buffer)
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
