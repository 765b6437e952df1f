import { cosine } from '../../../core/retrieval/cosine'
import { VectorMatrix } from '../../../core/retrieval/vector-matrix'
import { WordIndex } from '../../../core/retrieval/word-index'
import type { ScoredId } from './index-shapes'
import { checkVector, type CaseRow, type RowFilter } from './case-table'

/**
 * The rows of a small index in memory: every vector is compared and every word counted, exactly, and a write costs its own row alone. About
 * 2 KB a row at 384 dimensions, and its words.
 */
export interface RowsInMemory {
  readonly size: number
  set(row: CaseRow): void
  remove(id: string): void
  setDeleted(id: string, deleted: boolean): void
  /** At least the `limit` best rows by cosine, those without direction left out; unordered. */
  nearest(vector: Float32Array, limit: number, filter: RowFilter): ScoredId[]
  /** Every row that holds words of the text, with its BM25; unordered. */
  match(text: string, filter: RowFilter): ScoredId[]
  /** BM25 of a row that has every word of the text once. */
  full(text: string): number
  vector(id: string): Float32Array | null
  label(id: string): Pick<CaseRow, 'state' | 'reward'> | null
}

/** No rows yet. */
export function rowsInMemory(dimension: number): RowsInMemory {
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
    get size() {
      return rows.size
    },
    set({ vector, ...row }) {
      rows.set(row.id, row)
      vectors.set(row.id, vector)
      words.set(row.id, row.state)
    },
    remove(id) {
      rows.delete(id)
      vectors.delete(id)
      words.delete(id)
    },
    setDeleted(id, deleted) {
      const row = rows.get(id)
      if (row) rows.set(id, { ...row, deleted })
    },
    nearest(vector, limit, filter) {
      checkVector(vector, dimension, 'The query')
      return vectors.nearest(vector, limit, passes(filter)).map(({ id, score }) => {
        const own = vectors.get(id)
        // Once more in double precision, as everywhere else.
        return { id, score: (own && cosine(own, vector)) ?? score }
      })
    },
    match: (text, filter) => words.match(text, passes(filter)),
    full: (text) => words.full(text),
    vector: (id) => vectors.get(id)?.slice() ?? null,
    label: (id) => rows.get(id) ?? null,
  }
}
