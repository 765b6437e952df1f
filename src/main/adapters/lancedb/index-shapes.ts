import type { CaseRow, RowFilter as ColumnFilter } from './case-table'
import type { IndexNote } from './index-note'

export interface CaseIndexOptions {
  /** The `lance` folder. */
  readonly folder: string
  readonly dimension: number
  /** Creation time of a case, for ties; null when there is no such case. */
  readonly createdAt: (id: string) => string | null
  /** What `index.json` should say right now. */
  readonly note: () => IndexNote
  readonly tuning: IndexTuning
  /** Hears of everything that is asked of it. */
  readonly onUse?: (() => void) | undefined
}

export interface IndexTuning {
  /**
   * Default 200,000; see `CaseTableOptions`. Up to it a search core answers, exactly, from its first search on: a search after a write costs what one before
   * it did. It was quicker than LanceDB at every size that was measured, so the limit is one of memory, about half a KB a row. Beyond it LanceDB is asked,
   * whose indexes are brought up to date in the background.
   */
  readonly exactRows: number
  /** New rows held in memory before they are written to LanceDB together; more where the table is large. Default 256. */
  readonly pendingRows: number
  /** LanceDB writes after which it is optimized, up to `exactRows`; more where the table is large. Default 32. */
  readonly writesPerOptimize: number
  /** Rows beyond the full-text index after which it is optimized, once there are more than `exactRows`. Default 1,024. */
  readonly unindexedRows: number
  /** Milliseconds without writes after which it is written out. Default 10,000; 0 never. */
  readonly idleMs: number
}

export const INDEX_TUNING: IndexTuning = {
  exactRows: 200_000,
  pendingRows: 256,
  writesPerOptimize: 32,
  unindexedRows: 1024,
  idleMs: 10_000,
}

/** Which rows a search may find. */
export interface RowFilter extends ColumnFilter {
  /** Whether the row of an id may be found. Default: every one. */
  readonly accepts?: ((id: string) => boolean) | undefined
}

export interface ScoredId {
  readonly id: string
  readonly score: number
}

export interface CandidateQuery {
  readonly text: string | null
  readonly vector: Float32Array | null
  /** Rows per search, at least 1. */
  readonly depth: number
  readonly filter: RowFilter
}

export interface Candidates {
  /** Best first; score is BM25. */
  readonly byWords: readonly VectorHit[]
  /** Best first; score is the cosine. */
  readonly byMeaning: readonly VectorHit[]
  /** BM25 of a row that has every asked word once; 0 where no words were asked for. */
  readonly fullBm25: number
}

export interface VectorHit extends ScoredId {
  readonly vector: Float32Array
}

/**
 * The searchable side of a memory: LanceDB plus the newest rows, which wait in memory so that a commit costs one fsync and
 * no LanceDB write. Every read sees every row handed in before it. Operations run one at a time, because optimizing
 * removes the files an older read would still need; optimizing a large table takes seconds, so it runs beside them and leaves those
 * files for a while.
 */
export interface CaseIndex {
  /** Adds rows whose ids are not there yet. */
  add(rows: readonly CaseRow[]): Promise<void>
  /** Takes rows out for good. */
  remove(ids: readonly string[]): Promise<void>
  /** Puts these rows in the place of those with their ids. */
  replace(rows: readonly CaseRow[]): Promise<void>
  setDeleted(ids: string | readonly string[], deleted: boolean): Promise<void>
  /** Cosine in [-1, 1], best first; ties newest first, then by id. Rows without direction (all zeros) are not found. */
  nearest(vector: Float32Array, k: number, filter: RowFilter): Promise<ScoredId[]>
  /** BM25, best first; ties newest first, then by id. */
  match(text: string, k: number, filter: RowFilter): Promise<ScoredId[]>
  /** Both searches at once, `depth` rows each, every row with its vector. Without `text` or `vector` that one is left out. */
  candidates(query: CandidateQuery): Promise<Candidates>
  /** The vectors of these rows, as they were added; rows that are not there are left out. */
  vectorsOf(ids: readonly string[]): Promise<Map<string, Float32Array>>
  /** What the rows of these ids hold of a case's text and label. */
  labelsOf(ids: readonly string[]): Promise<Map<string, Pick<CaseRow, 'state' | 'reward'>>>
  /** Tells of every row its id and whether it is marked deleted. */
  marks(each: (id: string, deleted: boolean) => void): Promise<void>
  /** Writes waiting rows to LanceDB and optimizes it. */
  tidy(): Promise<void>
  /** Closes the table unless something is asked of it; what is asked next opens it again. What could not be written keeps it open. */
  rest(): Promise<void>
  close(): Promise<void>
}
