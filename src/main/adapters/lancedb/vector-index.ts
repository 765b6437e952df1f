import type { Table, VectorQuery } from '@lancedb/lancedb'
import type { LanceLibrary } from './load-lancedb'

/** Names of vector indexes end in the number of rows they were trained on. */
const VECTOR_INDEX = 'vector_of_'
/** Growth after which the partitions are trained anew. */
const RETRAIN_AT = 2
/** Partitions looked into (LanceDB makes one per 4,096 rows), more when a filter leaves too few rows. */
const PROBES = 20
/** Default of `rescored`. */
const RESCORED_ROWS = 250

/**
 * The index over the column `vector` of a table (IVF_RQ, cosine): there is none, and every vector is compared, up to `exactRows` rows. `rescored` rows,
 * 250 by default, are compared by their whole vectors, since the index keeps one bit a number.
 */
export function vectorIndex(
  table: Table,
  { lancedb }: LanceLibrary,
  { exactRows, rescored = RESCORED_ROWS }: { readonly exactRows: number; readonly rescored?: number },
) {
  let records: readonly string[] | null = null
  const list = async (): Promise<readonly string[]> =>
    (records ??= (await table.listIndices())
      .filter(({ columns }) => columns.includes('vector'))
      .map(({ name }) => name))
  return {
    /** A query for the `limit` rows nearest to a vector, through the index where there is one. */
    async nearest(vector: Float32Array, limit: number): Promise<VectorQuery> {
      const query = table.query().nearestTo(vector).distanceType('cosine')
      if ((await list()).length === 0) return query.bypassVectorIndex()
      return query
        .maximumNprobes(0)
        .minimumNprobes(PROBES)
        .refineFactor(Math.ceil(rescored / limit))
    },
    /** Trains it when there are enough rows, and again when there are many more than it was made for. */
    async train(): Promise<void> {
      const rows = await table.countRows()
      const old = await list()
      const trainedOn = Math.max(0, ...old.map((name) => Number(name.slice(VECTOR_INDEX.length)) || 1))
      if (rows <= exactRows || rows < trainedOn * RETRAIN_AT) return
      const config = lancedb.Index.ivfRq({ distanceType: 'cosine' })
      await table.createIndex('vector', { config, name: `${VECTOR_INDEX}${rows}` })
      for (const name of old) await table.dropIndex(name)
      records = null
    },
  }
}
