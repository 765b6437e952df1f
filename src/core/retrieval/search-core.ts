import { roomFor } from './grow'
import { MOST_ROWS, NO_ROW } from './postings'
import { RowIds } from './row-ids'
import { rowsHeld, type VectorRows } from './vector-rows'
import { VectorSearch } from './vector-search'
import { WordSearch, type RowTest, type ScoredRow } from './word-search'

/** What is searched. */
export interface CoreRow {
  readonly id: string
  readonly text: string
  /** As many finite numbers as the core has. */
  readonly vector: Float32Array
  readonly environment: string
  readonly reward: number
  /** Not found unless asked for; still counted where words are weighed. */
  readonly deleted: boolean
}

export interface CoreFilter {
  readonly environment?: string
  readonly reward?: 0 | 1
  /** Default false. */
  readonly includeDeleted?: boolean
  /** Whether the row of an id may be found; only asked of rows that are good enough. Default: every one. */
  readonly accepts?: ((id: string) => boolean) | undefined
}

/** A row that was found: BM25 above 0, or a cosine in [-1, 1]. */
export interface CoreHit {
  readonly id: string
  /** Its number until the core is tidied. */
  readonly row: number
  readonly score: number
}

/** What a core is made of; see `snapshot.ts`. */
export interface CoreParts {
  readonly words: WordSearch
  readonly vectors: VectorSearch
  readonly ids: RowIds
  readonly flags: Uint8Array
  readonly environments: Uint32Array
  readonly names: readonly string[]
  /** Rows that are there and marked deleted. */
  readonly deletedCount: number
}

const DELETED = 1
const REWARD = 2
/** Share of rows that were taken out from which they are cleared away, and rows below which that is left. */
const CLEAR_FROM = 0.2
const FEW = 256
/** Rows that are copied between two pauses of `tidied`. */
const SLICE = 1000

/**
 * One retrieval core for rows of every kind: what words and vectors find, exactly, in memory. A row can be found at once; one that is taken out costs a bit
 * until `tidied` clears it away. At most `MOST_ROWS` rows.
 */
export class SearchCore {
  private words: WordSearch
  private vectors: VectorSearch
  private ids: RowIds
  private flags: Uint8Array
  private environments: Uint32Array
  private readonly names: string[]
  private readonly numbers: Map<string, number>
  private deletedCount: number
  private changes = 0

  constructor(
    readonly dimension: number,
    parts?: CoreParts,
  ) {
    this.words = parts?.words ?? new WordSearch()
    this.vectors = parts?.vectors ?? new VectorSearch(dimension, rowsHeld(dimension))
    this.ids = parts?.ids ?? new RowIds()
    this.flags = parts?.flags ?? new Uint8Array()
    this.environments = parts?.environments ?? new Uint32Array()
    this.names = [...(parts?.names ?? [])]
    this.numbers = new Map(this.names.map((name, number) => [name, number]))
    this.deletedCount = parts?.deletedCount ?? 0
  }

  get parts(): CoreParts {
    const { words, vectors, ids, names, deletedCount } = this
    const flags = this.flags.subarray(0, words.size)
    const environments = this.environments.subarray(0, words.size)
    return { words, vectors, ids, flags, environments, names, deletedCount }
  }

  /** Rows that are there. */
  get size(): number {
    return this.words.size - this.words.removalCount
  }

  /** Goes up with every row that comes, goes or is marked. */
  get version(): number {
    return this.changes
  }

  /** Adds a row, or replaces the one of that id. */
  set({ id, text, vector, environment, reward, deleted }: CoreRow): void {
    if (this.words.size >= MOST_ROWS) throw new RangeError(`A search core holds at most ${MOST_ROWS} rows.`)
    this.remove(id)
    const row = this.words.add(text)
    this.vectors.add(vector)
    this.ids.add(id)
    this.flags = roomFor(this.flags, row + 1)
    this.flags[row] = (deleted ? DELETED : 0) | (reward === 1 ? REWARD : 0)
    this.environments = roomFor(this.environments, row + 1)
    this.environments[row] = this.numberOf(environment)
    if (deleted) this.deletedCount++
    this.changes++
  }

  /** Takes a row out. */
  remove(id: string): void {
    const row = this.rowOf(id)
    if (row < 0) return
    this.deletedCount -= this.deletedAt(row)
    this.words.remove(row)
    this.changes++
  }

  setDeleted(id: string, deleted: boolean): void {
    const row = this.rowOf(id)
    if (row < 0 || this.deletedAt(row) === Number(deleted)) return
    this.flags[row] = (this.flags[row] as number) ^ DELETED
    this.deletedCount += deleted ? 1 : -1
    this.changes++
  }

  /** The `k` rows with the highest cosine that the filter lets through and all that tie with the last, in no order; rows without direction never. */
  nearest(vector: Float32Array, k: number, filter: CoreFilter): CoreHit[] {
    const { words } = this
    const passes = this.test(filter)
    const isThere: RowTest = (row) => words.isLive(row) && (passes?.(row) ?? true)
    return this.named(this.vectors.nearest(vector, k, words.removalCount === 0 ? passes : isThere))
  }

  /** The `k` rows with the highest BM25 that the filter lets through and all that tie with the last, in no order; only rows that have a word of the text. */
  match(text: string, k: number, filter: CoreFilter): CoreHit[] {
    return this.named(this.words.match(text, k, this.test(filter)))
  }

  /** BM25 of a row of mean length that has every word of the text once. */
  full(text: string): number {
    return this.words.full(text)
  }

  /** A copy of a row's vector; null when there is none. */
  vector(id: string): Float32Array | null {
    const row = this.rowOf(id)
    return row < 0 ? null : this.vectors.rows.row(row).slice()
  }

  /** The vector of a hit. It must not be written to. */
  vectorOf({ row }: CoreHit): Float32Array {
    return this.vectors.rows.lasting(row)
  }

  has(id: string): boolean {
    return this.rowOf(id) >= 0
  }

  /** The ids of the rows that are marked deleted. */
  *deletedIds(): Generator<string> {
    if (this.deletedCount === 0) return
    for (let row = 0; row < this.words.size; row++) if (this.deletedAt(row) === 1) yield this.ids.idOf(row)
  }

  /** Whether rows were taken out that are worth clearing away. */
  private get isLittered(): boolean {
    return this.words.size > FEW && this.words.removalCount > this.words.size * CLEAR_FROM
  }

  /**
   * Lays everything side by side and clears away what was taken out. Searches may go on between two steps; after a write the work is dropped: answers
   * whether it was done.
   */
  *tidied(): Generator<void, boolean> {
    if (this.words.tailLength === 0 && !this.isLittered) return true
    const start = this.changes
    const renumber = this.isLittered ? this.numbersAnew() : null
    for (const job = this.words.merged(renumber); ;) {
      const step = job.next()
      if (this.changes !== start) return false
      if (step.done === true) {
        if (renumber === null) this.words = step.value
        else return yield* this.cleared(step.value, renumber, start)
        return true
      }
      yield
    }
  }

  /** The rest without the rows that were taken out. */
  private *cleared(words: WordSearch, renumber: Uint32Array, start: number): Generator<void, boolean> {
    const ids = RowIds.withRoom(words.size)
    const rows: VectorRows = rowsHeld(this.dimension)
    for (let row = 0; row < renumber.length; row++) {
      if (renumber[row] !== NO_ROW) {
        ids.add(this.ids.idOf(row))
        rows.push(this.vectors.rows.row(row))
      }
      if (row % SLICE < SLICE - 1) continue
      yield
      if (this.changes !== start) return false
    }
    const flags = new Uint8Array(words.size)
    const environments = new Uint32Array(words.size)
    for (let row = 0; row < renumber.length; row++) {
      const number = renumber[row] as number
      if (number === NO_ROW) continue
      flags[number] = this.flags[row] as number
      environments[number] = this.environments[row] as number
    }
    for (const job = this.vectors.without(renumber, rows); ;) {
      const step = job.next()
      if (this.changes !== start) return false
      if (step.done === true) {
        Object.assign(this, { flags, environments, words, ids, vectors: step.value })
        return true
      }
      yield
    }
  }

  private numbersAnew(): Uint32Array {
    const renumber = new Uint32Array(this.words.size)
    let next = 0
    for (let row = 0; row < renumber.length; row++) renumber[row] = this.words.isLive(row) ? next++ : NO_ROW
    return renumber
  }

  private rowOf(id: string): number {
    const row = this.ids.rowOf(id)
    return row >= 0 && this.words.isLive(row) ? row : -1
  }

  private deletedAt(row: number): number {
    return this.words.isLive(row) ? (this.flags[row] as number) & DELETED : 0
  }

  private numberOf(environment: string): number {
    const number = this.numbers.get(environment) ?? this.names.push(environment) - 1
    this.numbers.set(environment, number)
    return number
  }

  private named(rows: readonly ScoredRow[]): CoreHit[] {
    return rows.map(({ row, score }) => ({ id: this.ids.idOf(row), row, score }))
  }

  /** Undefined where every row passes. */
  private test({ accepts, ...filter }: CoreFilter): RowTest | undefined {
    const passes = this.columnTest(filter)
    if (!accepts) return passes
    return (row) => (passes?.(row) ?? true) && accepts(this.ids.idOf(row))
  }

  private columnTest({ environment, reward, includeDeleted = false }: CoreFilter): RowTest | undefined {
    const { flags, environments } = this
    const mask =
      (includeDeleted || this.deletedCount === 0 ? 0 : DELETED) | (reward === undefined ? 0 : REWARD)
    const sign = reward === 1 ? REWARD : 0
    if (environment === undefined)
      return mask === 0 ? undefined : (row) => ((flags[row] as number) & mask) === sign
    const number = this.numbers.get(environment) ?? -1
    return (row) => environments[row] === number && ((flags[row] as number) & mask) === sign
  }
}
