import type { Connection, Table } from '@lancedb/lancedb'
import { LoamError } from '../../../shared/errors'
import { loadLanceDb, type LanceLibrary } from './load-lancedb'

/** A case as it is indexed. */
export interface CaseRow {
  readonly id: string
  /** `dimension` finite numbers. */
  readonly vector: Float32Array
  /** Full-text searched. */
  readonly state: string
  readonly environment: string
  readonly reward: 0 | 1
  /** ISO time. */
  readonly createdAt: string
  readonly deleted: boolean
}

export interface RowFilter {
  readonly environment?: string
  readonly reward?: 0 | 1
  /** Default false. */
  readonly includeDeleted?: boolean
}

export interface CaseTableOptions {
  readonly dimension: number
  /** Up to this many rows every vector is compared; beyond it an IVF_RQ index is used. Default 50,000. */
  readonly exactRows: number
  /** Rows fetched per row asked, then re-scored with their full vectors (IVF_RQ only). Default 20. */
  readonly refineFactor: number
}

/** The LanceDB table `cases` in one folder. Knows nothing of journals; every call may reject with a LanceDB error. */
export interface CaseTable {
  upsert(rows: readonly CaseRow[]): Promise<void>
  setDeleted(ids: readonly string[], deleted: boolean): Promise<void>
  nearest(
    vector: Float32Array,
    limit: number,
    filter: RowFilter,
  ): Promise<{ id: string; vector: Float32Array }[]>
  /** BM25 over `state`, best first. Call `optimize` after writing to have every row scored alike. */
  match(text: string, limit: number, filter: RowFilter): Promise<{ id: string; score: number }[]>
  /** As `match`, with the rows' vectors. */
  matchWithVectors(
    text: string,
    limit: number,
    filter: RowFilter,
  ): Promise<{ id: string; score: number; vector: Float32Array }[]>
  /** The vectors of the rows with these ids; rows that are not there are left out. */
  vectorsOf(ids: readonly string[]): Promise<Map<string, Float32Array>>
  /** Every row's id and whether it is marked deleted. */
  marks(): Promise<Map<string, boolean>>
  /** Every row's vector. */
  vectors(): AsyncGenerator<{ id: string; vector: Float32Array }>
  count(): Promise<number>
  /** Compacts, brings the indexes up to date and removes old versions. */
  optimize(): Promise<void>
  close(): void
}

const TABLE = 'cases'
const WRITE_BATCH = 512
const NAMES_PER_UPDATE = 500

/**
 * Opens the table, or creates it when `create` is set.
 * @throws LoamError `VECTOR_DIMENSION` when the stored vectors have another size; LanceDB's own errors when it is damaged
 */
export async function openCaseTable(
  folder: string,
  options: CaseTableOptions & { create: boolean },
): Promise<CaseTable> {
  const library = await loadLanceDb()
  const connection = await library.lancedb.connect(folder)
  try {
    const table = options.create
      ? await createTable(connection, library, options.dimension)
      : await connection.openTable(TABLE)
    await checkSchema(table, options.dimension)
    return caseTable(connection, table, library, options)
  } catch (error) {
    connection.close()
    throw error
  }
}

function caseSchema(
  { arrow }: LanceLibrary,
  dimension: number,
): InstanceType<LanceLibrary['arrow']['Schema']> {
  const vector = new arrow.FixedSizeList(dimension, new arrow.Field('item', new arrow.Float32(), true))
  return new arrow.Schema([
    new arrow.Field('id', new arrow.Utf8(), false),
    new arrow.Field('vector', vector, false),
    new arrow.Field('state', new arrow.Utf8(), false),
    new arrow.Field('environment', new arrow.Utf8(), false),
    new arrow.Field('reward', new arrow.Int8(), false),
    new arrow.Field('createdAt', new arrow.Utf8(), false),
    new arrow.Field('deleted', new arrow.Bool(), false),
  ])
}

async function createTable(connection: Connection, library: LanceLibrary, dimension: number): Promise<Table> {
  const table = await connection.createEmptyTable(TABLE, caseSchema(library, dimension))
  // Stop words stay in: in a task "not" and "all" carry meaning. Stemming lets "booking" find "bookings".
  const config = library.lancedb.Index.fts({
    stem: true,
    removeStopWords: false,
    asciiFolding: true,
    lowercase: true,
  })
  await table.createIndex('state', { config })
  return table
}

async function checkSchema(table: Table, dimension: number): Promise<void> {
  const schema = await table.schema()
  const type = schema.fields.find((field) => field.name === 'vector')?.type as
    { listSize?: unknown } | undefined
  if (type?.listSize !== dimension)
    throw wrongDimension(Number(type?.listSize), dimension, 'The stored index')
}

/** @throws LoamError `VECTOR_DIMENSION` for a wrong length, `BAD_INPUT` for NaN or infinity */
export function checkVector(vector: Float32Array, dimension: number, what: string): void {
  if (vector.length !== dimension) throw wrongDimension(vector.length, dimension, what)
  if (vector.every(Number.isFinite)) return
  throw new LoamError('BAD_INPUT', `${what} has an embedding with a value that is not a finite number.`, {
    suggestion: 'The sentence encoder is faulty; choose another one in the settings.',
  })
}

function wrongDimension(found: number, expected: number, what: string): LoamError {
  return new LoamError(
    'VECTOR_DIMENSION',
    `${what} has ${found} numbers per embedding; this memory uses ${expected}.`,
    {
      suggestion:
        'Rebuild the index with the sentence encoder you want to use, or choose the earlier one again.',
    },
  )
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`

function condition(filter: RowFilter): string {
  const parts: string[] = []
  if (!filter.includeDeleted) parts.push('deleted = false')
  if (filter.environment !== undefined) parts.push(`environment = ${quoted(filter.environment)}`)
  if (filter.reward !== undefined) parts.push(`reward = ${filter.reward === 1 ? 1 : 0}`)
  return parts.length > 0 ? parts.join(' AND ') : 'true'
}

function caseTable(
  connection: Connection,
  table: Table,
  library: LanceLibrary,
  options: CaseTableOptions,
): CaseTable {
  const { lancedb } = library
  const schema = caseSchema(library, options.dimension)
  let hasVectorIndex: boolean | null = null

  async function vectorIndex(): Promise<boolean> {
    return (hasVectorIndex ??= (await table.listIndices()).some((index) => index.columns.includes('vector')))
  }

  const wordQuery = (text: string, filter: RowFilter) =>
    table.query().fullTextSearch(new lancedb.MatchQuery(text, 'state')).where(condition(filter))

  return {
    async upsert(rows) {
      for (const row of rows) checkVector(row.vector, options.dimension, `Case ${row.id}`)
      for (let start = 0; start < rows.length; start += WRITE_BATCH) {
        const batch = rows
          .slice(start, start + WRITE_BATCH)
          .map((row) => ({ ...row, vector: Array.from(row.vector) }))
        const data = lancedb.makeArrowTable(batch, { schema })
        await table.mergeInsert('id').whenMatchedUpdateAll().whenNotMatchedInsertAll().execute(data)
      }
    },
    async setDeleted(ids, deleted) {
      for (let start = 0; start < ids.length; start += NAMES_PER_UPDATE) {
        const names = ids.slice(start, start + NAMES_PER_UPDATE).map(quoted)
        await table.update({ where: `id IN (${names.join(', ')})`, values: { deleted } })
      }
    },
    async nearest(vector, limit, filter) {
      checkVector(vector, options.dimension, 'The query')
      let query = table.query().nearestTo(vector).distanceType('cosine')
      query = (await vectorIndex()) ? query.refineFactor(options.refineFactor) : query.bypassVectorIndex()
      const rows = await query
        .where(condition(filter))
        .select(['id', 'vector', '_distance'])
        .limit(limit)
        .toArray()
      return rows.map((row: { id: string; vector: Iterable<number> }) => ({
        id: row.id,
        vector: Float32Array.from(row.vector),
      }))
    },
    async match(text, limit, filter) {
      const rows = await wordQuery(text, filter).select(['id', '_score']).limit(limit).toArray()
      return rows.map((row: { id: string; _score: number }) => ({ id: row.id, score: row._score }))
    },
    async matchWithVectors(text, limit, filter) {
      const rows = await wordQuery(text, filter).select(['id', 'vector', '_score']).limit(limit).toArray()
      return rows.map((row: { id: string; vector: Iterable<number>; _score: number }) => ({
        id: row.id,
        score: row._score,
        vector: Float32Array.from(row.vector),
      }))
    },
    async vectorsOf(ids) {
      const found = new Map<string, Float32Array>()
      for (let start = 0; start < ids.length; start += NAMES_PER_UPDATE) {
        const names = ids.slice(start, start + NAMES_PER_UPDATE).map(quoted)
        const query = table
          .query()
          .where(`id IN (${names.join(', ')})`)
          .select(['id', 'vector'])
        for (const row of (await query.toArray()) as { id: string; vector: Iterable<number> }[])
          found.set(row.id, Float32Array.from(row.vector))
      }
      return found
    },
    async marks() {
      const marks = new Map<string, boolean>()
      for await (const batch of table.query().select(['id', 'deleted'])) {
        for (const row of batch) marks.set(String(row['id']), row['deleted'] === true)
      }
      return marks
    },
    async *vectors() {
      for await (const batch of table.query().select(['id', 'vector'])) {
        for (const row of batch) {
          const { id, vector } = row as unknown as { id: string; vector: { toArray(): ArrayLike<number> } }
          yield { id, vector: Float32Array.from(vector.toArray()) }
        }
      }
    },
    count: () => table.countRows(),
    async optimize() {
      const rows = await table.countRows()
      if (rows > options.exactRows && !(await vectorIndex())) {
        const config = lancedb.Index.ivfRq({ distanceType: 'cosine' })
        await table.createIndex('vector', { config })
        hasVectorIndex = true
      }
      // One writer, so no file can belong to somebody else's unfinished write.
      await table.optimize({ cleanupOlderThan: new Date(), deleteUnverified: true })
    },
    close() {
      table.close()
      connection.close()
    },
  }
}
