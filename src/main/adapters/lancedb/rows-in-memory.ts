import { cosine } from '../../../core/retrieval/cosine'
import { VectorMatrix } from '../../../core/retrieval/vector-matrix'
import { WordIndex } from '../../../core/retrieval/word-index'
import type { ScoredId } from './index-shapes'
import { checkVector, type CaseRow, type RowFilter } from './case-table'

/**
 * The rows of a small index in memory: every vector is compared and every word counted, exactly, and a write costs its own row alone. About
 * 2 KB a row at 384 dimensions, and its words.
 */
export type RowsInMemory = ReturnType<typeof rowsInMemory>

/** No rows yet. */
export function rowsInMemory(dimension: number) {
  const vectors = new VectorMatrix(dimension)
  const words = new WordIndex()
  const rows = new Map<string, Omit<CaseRow, 'vector'>>()

  const passes =
    ({ environment, reward, includeDeleted }: RowFilter) =>
    (id: string): boolean => {
      const row = rows.get(id)
      return (
        row !== undefined &&
        (includeDeleted === true || !row.deleted) &&
        (environment === undefined || row.environment === environment) &&
        (reward === undefined || row.reward === reward)
      )
    }

  return {
    get size(): number {
      return rows.size
    },
    set({ vector, ...row }: CaseRow): void {
      rows.set(row.id, row)
      vectors.set(row.id, vector)
      words.set(row.id, row.state)
    },
    remove(id: string): void {
      rows.delete(id)
      vectors.delete(id)
      words.delete(id)
    },
    setDeleted(id: string, deleted: boolean): void {
      const row = rows.get(id)
      if (row) rows.set(id, { ...row, deleted })
    },
    /** At least the `limit` best rows by cosine, those without direction left out; unordered. */
    nearest(vector: Float32Array, limit: number, filter: RowFilter): ScoredId[] {
      checkVector(vector, dimension, 'The query')
      return vectors.nearest(vector, limit, passes(filter)).map(({ id, score }) => {
        const own = vectors.get(id)
        // Once more in double precision, as everywhere else.
        return { id, score: (own && cosine(own, vector)) ?? score }
      })
    },
    /** Every row that holds words of the text, with its BM25; unordered. */
    match: (text: string, filter: RowFilter): ScoredId[] => words.match(text, passes(filter)),
    /** BM25 of a row that has every word of the text once. */
    full: (text: string): number => words.full(text),
    vector: (id: string): Float32Array | null => vectors.get(id)?.slice() ?? null,
    label: (id: string): Pick<CaseRow, 'state' | 'reward'> | null => rows.get(id) ?? null,
  }
}
