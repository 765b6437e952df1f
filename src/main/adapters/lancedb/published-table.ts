import type { Table } from '@lancedb/lancedb'
import { LoamError } from '../../../shared/errors'
import { loadLanceDb, type LanceLibrary } from './load-lancedb'
import { vectorIndex } from './vector-index'

/** An item as it is published. */
export interface PublishedRow {
  /** Kind and id: what names it. */
  readonly key: string
  readonly kind: string
  readonly title: string
  readonly text: string
  readonly environment: string
  /** SHA-256 of `line`: tells whether it changed. */
  readonly print: string
  /** The line that its kind reads back, as JSON. */
  readonly line: string
  readonly vector: Float32Array
}

/** A published row that was found; the higher the score, the nearer. */
export type PublishedHit = Omit<PublishedRow, 'vector'> & { readonly score: number }

/** Where a memory is published: a folder, or an address of an object store such as `s3://bucket/name`. */
export type PublishedTable = ReturnType<typeof published>

/** How an object store is reached (`aws_endpoint`, `aws_access_key_id`, ...). Default: as the environment says (`AWS_*`). */
export type StorageOptions = Readonly<Record<string, string>>

/** How a published table is opened. */
export interface OpenOptions {
  /** Default false. */
  readonly create?: boolean
  readonly storage?: StorageOptions
  /** Whether its vectors may be of another encoder, for who reads none of them. Default false. */
  readonly anyEmbedder?: boolean
  /** Up to this many rows a search compares every vector, all of which cross the network; beyond it there is an index. Default 100,000. */
  readonly exactRows?: number
}

/** The folder of the table below its address. */
export const TABLE_FOLDER = 'items.lance'
const TABLE = 'items'
const TEXTS = ['key', 'kind', 'title', 'text', 'environment', 'print', 'line'] as const
/** Vectors of 384 numbers of so many rows are 150 MB. */
const EXACT_ROWS = 100_000
/** Rows that a search compares by their whole vectors behind an index: 1.5 MB of 384 numbers. */
export const PUBLISHED_RESCORED = 1000
/** Keys that one removal names. */
const AT_ONCE = 500

/**
 * Opens what is published; `create` with the encoder's id makes it where there is nothing.
 * @throws LoamError `NOT_FOUND` where there is nothing, `VECTOR_DIMENSION` where it is of another encoder
 */
export async function openPublishedTable(
  uri: string,
  embedder: { readonly id: string; readonly dimension: number },
  { create = false, storage, anyEmbedder = false, exactRows = EXACT_ROWS }: OpenOptions = {},
): Promise<PublishedTable> {
  const library = await loadLanceDb()
  const connection = await library.lancedb.connect(uri, storage ? { storageOptions: { ...storage } } : {})
  try {
    // Stores differ in how they list what is there; opening tells.
    const there = await connection.openTable(TABLE).catch((error: unknown) => {
      if (/not found|does not exist/i.test(String(error))) return null
      throw error
    })
    if (there === null && !create)
      throw new LoamError('NOT_FOUND', `Nothing is published at ${uri}.`, {
        suggestion: 'Publish a memory there first.',
      })
    const table = there ?? (await connection.createEmptyTable(TABLE, schemaOf(library, embedder)))
    if (!anyEmbedder) await checkEmbedder(table, embedder, uri)
    return published(table, library, { dimension: embedder.dimension, exactRows }, () => {
      table.close()
      connection.close()
    })
  } catch (error) {
    connection.close()
    throw error
  }
}

function schemaOf({ arrow }: LanceLibrary, embedder: { readonly id: string; readonly dimension: number }) {
  const vector = new arrow.FixedSizeList(
    embedder.dimension,
    new arrow.Field('item', new arrow.Float32(), true),
  )
  return new arrow.Schema(
    [
      ...TEXTS.map((name) => new arrow.Field(name, new arrow.Utf8(), false)),
      new arrow.Field('vector', vector, false),
    ],
    new Map([['loam.encoder', embedder.id]]),
  )
}

async function checkEmbedder(table: Table, embedder: { readonly id: string }, uri: string): Promise<void> {
  const recordText = (await table.schema()).metadata.get('loam.encoder')
  if (recordText === undefined || recordText === embedder.id) return
  throw new LoamError(
    'VECTOR_DIMENSION',
    `What is published at ${uri} was made with the encoder ${recordText}.`,
    { suggestion: 'Choose that encoder, or publish to another place.' },
  )
}

function published(
  table: Table,
  library: LanceLibrary,
  { dimension, exactRows }: { readonly dimension: number; readonly exactRows: number },
  close: () => void,
) {
  const vectors = vectorIndex(table, library, { exactRows, rescored: PUBLISHED_RESCORED })
  return {
    /** Rows there are, by key, with what they say in short. */
    async prints(): Promise<Map<string, string>> {
      const rows = (await table.query().select(['key', 'print']).toArray()) as {
        key: string
        print: string
      }[]
      return new Map(rows.map(({ key, print }) => [key, print]))
    },
    /** Puts rows in the place of those of the same key, in one version: readers see all of them or none. */
    async put(rows: readonly PublishedRow[]): Promise<void> {
      if (rows.length === 0) return
      const data = library.lancedb.makeArrowTable(
        rows.map((row) => ({ ...row, vector: [...row.vector] })),
        { schema: schemaOf(library, { id: '', dimension }) },
      )
      await table.mergeInsert('key').whenMatchedUpdateAll().whenNotMatchedInsertAll().execute(data)
    },
    async remove(keys: readonly string[]): Promise<void> {
      for (let at = 0; at < keys.length; at += AT_ONCE) {
        const names = keys.slice(at, at + AT_ONCE).map((key) => `'${key.replaceAll("'", "''")}'`)
        await table.delete(`key IN (${names.join(', ')})`)
      }
    },
    /** Brings the index up to date: rows that came since are found without it until then. @throws what LanceDB throws; what is published stays */
    async index(): Promise<void> {
      await vectors.train()
      for (const { name } of await table.listIndices())
        if (((await table.indexStats(name))?.numUnindexedRows ?? 0) > 0) await table.optimize()
    },
    async search(vector: Float32Array, k: number): Promise<PublishedHit[]> {
      const query = await vectors.nearest(vector, k)
      const rows = (await query
        .select([...TEXTS, '_distance'])
        .limit(k)
        .toArray()) as (Record<(typeof TEXTS)[number], string> & { _distance: number })[]
      return rows.map(({ key, kind, title, text, environment, print, line, _distance }) => ({
        ...{ key, kind, title, text, environment, print, line },
        score: 1 - _distance,
      }))
    },
    /** Every row's kind, and the line that its kind reads back. */
    lines: async (): Promise<{ readonly kind: string; readonly line: string }[]> =>
      (await table.query().select(['kind', 'line']).toArray()) as { kind: string; line: string }[],
    /** Which version is read; each change makes the next one. */
    version: (): Promise<number> => table.version(),
    close,
  }
}
