import { setImmediate as pause } from 'node:timers/promises'
import type { Connection, FullTextQuery, Occur, Table } from '@lancedb/lancedb'
import type * as Arrow from 'apache-arrow'
import type { CaseRecord } from '../../../shared/domain/case'
import { LoamError } from '../../../shared/errors'
import { termsOf, TERM_WEIGHTS, type TermKind } from '../../../core/retrieval/terms'
import { loadLanceDb, type LanceLibrary } from './load-lancedb'
import { vectorIndex } from './vector-index'

/** A case as it is indexed: its state is full-text searched. */
export interface CaseRow extends Pick<CaseRecord, 'id' | 'state' | 'environment' | 'reward' | 'createdAt'> {
  /** `dimension` finite numbers. */
  readonly vector: Float32Array
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
  /** Up to this many rows every vector is compared; beyond it an IVF_RQ index is used. Default 200,000. */
  readonly exactRows: number
}

/** The LanceDB table `cases` in one folder. Knows nothing of journals; every call may reject with a LanceDB error. */
export type CaseTable = ReturnType<typeof caseTable>

const TABLE = 'cases'
const WORD_INDEX = 'words'
const NAMES_PER_UPDATE = 500
/** Rows that are made ready between two pauses. */
const ROWS_PER_BATCH = 64
/** Rows that are read at once: LanceDB reads on, up to the whole of what it is asked for. */
const ROWS_AT_ONCE = 4096
const ROW_COLUMNS = ['id', 'vector', 'state', 'environment', 'reward', 'createdAt', 'deleted']

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
    new arrow.Field('words', new arrow.Utf8(), false),
    new arrow.Field('environment', new arrow.Utf8(), false),
    new arrow.Field('reward', new arrow.Int8(), false),
    new arrow.Field('createdAt', new arrow.Utf8(), false),
    new arrow.Field('deleted', new arrow.Bool(), false),
  ])
}

function createTable(connection: Connection, library: LanceLibrary, dimension: number): Promise<Table> {
  return connection.createEmptyTable(TABLE, caseSchema(library, dimension))
}

/**
 * Made anew instead of letting `Table.optimize` add to it: an index of several parts loses some of the best rows, because LanceDB
 * 0.31 prunes each part by its own statistics (lance-format/lance#8748).
 */
async function indexWords(table: Table, { lancedb }: LanceLibrary): Promise<void> {
  // The column holds terms, not prose: what a word is, is decided once for this index and the one in memory.
  const config = lancedb.Index.fts({
    baseTokenizer: 'whitespace',
    stem: false,
    removeStopWords: false,
    asciiFolding: false,
    lowercase: false,
    maxTokenLength: 60,
    withPosition: false,
  })
  await table.createIndex('words', { config, name: WORD_INDEX })
}

async function checkSchema(table: Table, dimension: number): Promise<void> {
  const schema = await table.schema()
  const type = schema.fields.find((field) => field.name === 'vector')?.type as
    | { listSize?: unknown }
    | undefined
  if (type?.listSize !== dimension)
    throw wrongDimension(Number(type?.listSize), dimension, 'The stored index')
}

/** @throws LoamError `VECTOR_DIMENSION` for a wrong length, `BAD_INPUT` for NaN or infinity */
export function checkVector(vector: Float32Array, dimension: number, what: string): void {
  if (vector.length !== dimension) throw wrongDimension(vector.length, dimension, what)
  if (vector.every(Number.isFinite)) return
  throw new LoamError('BAD_INPUT', `${what} has an embedding with a value that is not a finite number.`, {
    suggestion: 'The embedding model is faulty; choose another one in the settings.',
  })
}

function wrongDimension(foundCount: number, expectedCount: number, what: string): LoamError {
  return new LoamError(
    'VECTOR_DIMENSION',
    `${what} has ${foundCount} numbers per embedding; this memory uses ${expectedCount}.`,
    {
      suggestion:
        'Rebuild the index with the embedding model you want to use, or choose the earlier one again.',
    },
  )
}

/** Rows as one Arrow batch; vectors are copied side by side, which takes a tenth of the time of making them from arrays. */
function batchOf(
  rows: readonly CaseRow[],
  schema: InstanceType<LanceLibrary['arrow']['Schema']>,
  { arrow }: LanceLibrary,
): Arrow.RecordBatch {
  const children = schema.fields.map(({ name, type }) => {
    if (name !== 'vector') {
      const values = rows.map((row) =>
        name === 'words' ? wordsColumn(row.state) : row[name as Exclude<keyof CaseRow, 'vector'>],
      )
      return arrow.vectorFromArray<Arrow.DataType>(values, type as Arrow.DataType).data[0] as Arrow.Data
    }
    const size = rows[0]?.vector.length ?? 0
    const data = new Float32Array(rows.length * size)
    rows.forEach(({ vector }, row) => {
      data.set(vector, row * size)
    })
    const child = arrow.makeData({ type: new arrow.Float32(), data })
    return arrow.makeData({ type: type as Arrow.FixedSizeList, length: rows.length, nullCount: 0, child })
  })
  const struct = arrow.makeData({
    type: new arrow.Struct(schema.fields),
    length: rows.length,
    nullCount: 0,
    children,
  })
  return new arrow.RecordBatch(schema, struct)
}

/** A text as the word index reads it: its terms between blanks. */
const wordsColumn = (text: string): string =>
  termsOf(text)
    .map(({ term }) => term)
    .join(' ')

/** A vector as Arrow gives it. */
interface StoredVector {
  toArray(): ArrayLike<number>
}

/** A copy of its own; copying through Arrow's iterator takes several times as long. */
const numbersOf = (vector: StoredVector): Float32Array => Float32Array.from(vector.toArray())

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`

function condition(filter: RowFilter): string | null {
  const parts: string[] = []
  if (!filter.includeDeleted) parts.push('deleted = false')
  if (filter.environment !== undefined) parts.push(`environment = ${quoted(filter.environment)}`)
  if (filter.reward !== undefined) parts.push(`reward = ${filter.reward === 1 ? 1 : 0}`)
  return parts.length > 0 ? parts.join(' AND ') : null
}

function narrowed<Q extends { where(predicate: string): Q }>(query: Q, filter: RowFilter): Q {
  const predicate = condition(filter)
  return predicate === null ? query : query.where(predicate)
}

/** Conditions that between them name all the rows with these ids, each of as many as one request should name. */
function* naming(ids: readonly string[]): Generator<string> {
  for (let start = 0; start < ids.length; start += NAMES_PER_UPDATE)
    yield `id IN (${ids
      .slice(start, start + NAMES_PER_UPDATE)
      .map(quoted)
      .join(', ')})`
}

/** Every kind of term with its own weight; null when the text has none. */
function wordQuery(table: Table, { lancedb }: LanceLibrary, text: string, filter: RowFilter) {
  const kinds = new Map<TermKind, Set<string>>()
  for (const { term, kind } of termsOf(text)) kinds.set(kind, (kinds.get(kind) ?? new Set()).add(term))
  const parts = [...kinds].map(([kind, terms]): [Occur, FullTextQuery] => [
    lancedb.Occur.Should,
    new lancedb.MatchQuery([...terms].join(' '), 'words', { boost: TERM_WEIGHTS[kind] }),
  ])
  if (parts.length === 0) return null
  return narrowed(table.query().fullTextSearch(new lancedb.BooleanQuery(parts)), filter)
}

async function* everyRow(table: Table, offset: number): AsyncGenerator<CaseRow> {
  for (let from = offset, count = ROWS_AT_ONCE; count === ROWS_AT_ONCE; from += count) {
    count = 0
    for await (const batch of table.query().select(ROW_COLUMNS).offset(from).limit(ROWS_AT_ONCE)) {
      count += batch.numRows
      for (const row of batch) {
        const { vector, ...rest } = row as unknown as Omit<CaseRow, 'vector'> & { vector: StoredVector }
        const { id, state, environment, reward, createdAt, deleted } = rest
        yield { id, state, environment, reward, createdAt, deleted, vector: numbersOf(vector) }
      }
    }
  }
}

function caseTable(connection: Connection, table: Table, library: LanceLibrary, options: CaseTableOptions) {
  const { dimension } = options
  const schema = caseSchema(library, dimension)
  const vectors = vectorIndex(table, library, options)

  async function rowsOf(ids: readonly string[], columns: readonly string[]): Promise<unknown[]> {
    const rows: unknown[] = []
    for (const name of naming(ids)) {
      const query = table
        .query()
        .where(name)
        .select(['id', ...columns])
      rows.push(...((await query.toArray()) as unknown[]))
    }
    return rows
  }

  const hasWords = async (): Promise<boolean> =>
    (await table.listIndices()).some(({ name }) => name === WORD_INDEX)
  const unindexed = async (): Promise<number> =>
    (await hasWords()) ? ((await table.indexStats(WORD_INDEX))?.numUnindexedRows ?? 0) : table.countRows()

  return {
    /** Adds rows whose ids are not there yet; all of them or, when it fails, none. */
    async add(rows: readonly CaseRow[]): Promise<void> {
      for (const row of rows) checkVector(row.vector, dimension, `Case ${row.id}`)
      const batches: Arrow.RecordBatch[] = []
      for (let at = 0; at < rows.length; at += ROWS_PER_BATCH) {
        if (at > 0) await pause()
        batches.push(batchOf(rows.slice(at, at + ROWS_PER_BATCH), schema, library))
      }
      await table.add(new library.arrow.Table(schema, batches))
    },
    /** Takes rows out for good. */
    async remove(ids: readonly string[]): Promise<void> {
      for (const name of naming(ids)) await table.delete(name)
    },
    async setDeleted(ids: readonly string[], deleted: boolean): Promise<void> {
      for (const name of naming(ids)) await table.update({ where: name, values: { deleted } })
    },
    async nearest(
      vector: Float32Array,
      limit: number,
      filter: RowFilter,
    ): Promise<{ id: string; vector: Float32Array }[]> {
      checkVector(vector, dimension, 'The query')
      const query = await vectors.nearest(vector, limit)
      const rows = await narrowed(query, filter).select(['id', 'vector', '_distance']).limit(limit).toArray()
      return rows.map((row: { id: string; vector: StoredVector }) => ({
        id: row.id,
        vector: numbersOf(row.vector),
      }))
    },
    /** BM25 over `state`, best first; needs the full-text index. Call `optimize` after writing to have every row scored alike. */
    async match(text: string, limit: number, filter: RowFilter): Promise<{ id: string; score: number }[]> {
      const query = wordQuery(table, library, text, filter)
      if (!query) return []
      const rows = await query.select(['id', '_score']).limit(limit).toArray()
      return rows.map((row: { id: string; _score: number }) => ({ id: row.id, score: row._score }))
    },
    /** As `match`, with the rows' vectors. */
    async matchWithVectors(
      text: string,
      limit: number,
      filter: RowFilter,
    ): Promise<{ id: string; score: number; vector: Float32Array }[]> {
      const query = wordQuery(table, library, text, filter)
      if (!query) return []
      const rows = await query.select(['id', 'vector', '_score']).limit(limit).toArray()
      return rows.map((row: { id: string; vector: StoredVector; _score: number }) => ({
        id: row.id,
        score: row._score,
        vector: numbersOf(row.vector),
      }))
    },
    /** The vectors of the rows with these ids; rows that are not there are left out. */
    async vectorsOf(ids: readonly string[]): Promise<Map<string, Float32Array>> {
      const rows = (await rowsOf(ids, ['vector'])) as { id: string; vector: StoredVector }[]
      return new Map(rows.map((row) => [row.id, numbersOf(row.vector)]))
    },
    /** What the rows with these ids hold of a case's text and label; rows that are not there are left out. */
    async labelsOf(ids: readonly string[]): Promise<Map<string, Pick<CaseRow, 'state' | 'reward'>>> {
      const rows = (await rowsOf(ids, ['state', 'reward'])) as Pick<CaseRow, 'id' | 'state' | 'reward'>[]
      return new Map(rows.map(({ id, state, reward }) => [id, { state, reward }]))
    },
    /** Tells of every row its id and whether it is marked deleted. */
    async marks(each: (id: string, deleted: boolean) => void): Promise<void> {
      for await (const batch of table.query().select(['id', 'deleted'])) {
        const [ids, deleted] = [batch.getChild('id'), batch.getChild('deleted')]
        for (let row = 0; row < batch.numRows; row++) each(String(ids?.get(row)), deleted?.get(row) === true)
      }
    },
    /** The ids of the rows that are marked deleted. */
    async deletedIds(): Promise<Set<string>> {
      const rows = (await table.query().where('deleted = true').select(['id']).toArray()) as { id: string }[]
      return new Set(rows.map(({ id }) => id))
    },
    /** Every row behind the first `offset`, by and large in order of arrival. */
    rows: (offset = 0) => everyRow(table, offset),
    count: (): Promise<number> => table.countRows(),
    /** Goes up with every write. */
    version: (): Promise<number> => table.version(),
    /** Whether there is a full-text index. Tables that a search core answers for need none. */
    hasWords,
    /** Makes the full-text index anew, so that every row is scored with the same statistics. */
    indexWords: (): Promise<void> => indexWords(table, library),
    /** Rows written since the full-text index was made; searches read them one by one. */
    unindexed,
    /**
     * Compacts, brings the indexes of more than `exactRows` rows up to date and removes versions that are older than `graceMs`: 0 when nobody reads meanwhile.
     * Rows may be added and taken out meanwhile; LanceDB then may refuse, and it has to be asked again.
     */
    async optimize(graceMs: number): Promise<void> {
      await vectors.train()
      // One writer, so no file can belong to somebody else's unfinished write.
      const cleanupOlderThan = new Date(Date.now() - graceMs)
      const isLarge = (await table.countRows()) > options.exactRows
      // One of an earlier version would be brought up to date in vain.
      if (!isLarge && (await hasWords())) await table.dropIndex(WORD_INDEX)
      const grew = isLarge && (await unindexed()) > 0
      await table.optimize({ cleanupOlderThan, deleteUnverified: true })
      if (grew) await indexWords(table, library)
    },
    close(): void {
      table.close()
      connection.close()
    },
  }
}
