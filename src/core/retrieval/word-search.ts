import { BestScores } from './best-scores'
import { roomFor } from './grow'
import { countOfPosting, NO_ROW, Postings, rowOfPosting, type PostingRun } from './postings'
import { hashTerm, type TermHash } from './term-table'
import { termsOf, TERM_WEIGHTS } from './terms'

const K1 = 1.2
/** How much a long row is held against it. Chosen on the tuning sets of docs/search-quality.md; LanceDB has 0.75, fixed. */
const B = 0.4

/** A row with its score. */
export interface ScoredRow {
  readonly row: number
  readonly score: number
}

/** Whether a row may be an answer. */
export type RowTest = (row: number) => boolean

/** What a word search is made of; `removals` has a 1 for each row that was taken out. */
export interface WordColumns {
  readonly postings: Postings
  readonly lengths: Uint32Array
  readonly removals: Uint8Array
  readonly size: number
}

/** BM25 sums, one a row: made once for all searches, which never overlap. */
let sums = new Float64Array()

/**
 * Words of rows that are numbered as they come: BM25, exact, over the rows that are left. What it answers follows from those rows alone, whatever came and
 * went on the way.
 */
export class WordSearch {
  private postings: Postings
  private lengths: Uint32Array
  private removals: Uint8Array
  private total = 0
  private live = 0
  /** Rows there were, those that were taken out among them. */
  size: number

  /** `b` in [0, 1]: how much a row's length counts. */
  constructor(
    private readonly b = B,
    columns: WordColumns = {
      postings: new Postings(),
      lengths: new Uint32Array(),
      removals: new Uint8Array(),
      size: 0,
    },
  ) {
    this.postings = columns.postings
    this.lengths = columns.lengths
    this.removals = columns.removals
    this.size = columns.size
    for (let row = 0; row < this.size; row++)
      if (this.removals[row] === 0) {
        this.live++
        this.total += this.lengths[row] as number
      }
  }

  get columns(): WordColumns {
    const { postings, size } = this
    return {
      postings,
      size,
      lengths: this.lengths.subarray(0, size),
      removals: this.removals.subarray(0, size),
    }
  }

  /** Rows that were taken out and whose postings are still there. */
  get removalCount(): number {
    return this.size - this.live
  }

  /** Postings that wait to be merged. */
  get tailLength(): number {
    return this.postings.tailLength
  }

  isLive(row: number): boolean {
    return row < this.size && this.removals[row] === 0
  }

  /** Adds a row; answers its number. */
  add(text: string): number {
    const row = this.size++
    const counts = new Map<string, number>()
    let length = 0
    for (const { term } of termsOf(text)) {
      counts.set(term, (counts.get(term) ?? 0) + 1)
      length++
    }
    this.lengths = roomFor(this.lengths, this.size)
    this.removals = roomFor(this.removals, this.size)
    this.lengths[row] = length
    this.removals[row] = 0
    this.total += length
    this.live++
    const hash: TermHash = { low: 0, high: 0 }
    for (const [term, count] of counts) {
      hashTerm(term, hash)
      this.postings.push(hash, row, count)
    }
    return row
  }

  remove(row: number): void {
    if (!this.isLive(row)) return
    this.removals[row] = 1
    this.total -= this.lengths[row] as number
    this.live--
  }

  /** BM25 of a row of mean length that has every word of the text once. */
  full(text: string): number {
    let sum = 0
    for (const { weight } of this.asked(text)) sum += weight
    return sum
  }

  /** The `k` rows with the highest BM25 that pass, and all that tie with the last of them, in no order. */
  match(text: string, k: number, passes: RowTest = () => true): ScoredRow[] {
    if (k < 1 || this.live === 0) return []
    const { size, removals } = this
    const scores = this.score(text)
    const best = new BestScores(Math.min(k, this.live))
    const hits: ScoredRow[] = []
    let floor = Number.MIN_VALUE
    for (let row = 0; row < size; row++) {
      const score = scores[row] as number
      if (score < floor || removals[row] !== 0 || !passes(row)) continue
      best.put(score)
      hits.push({ row, score })
      if (best.isFull) floor = best.floor
    }
    return hits.filter(({ score }) => score >= floor)
  }

  /** The sum of every row, term by term. */
  private score(text: string): Float64Array {
    const { size, lengths, b } = this
    if (sums.length < size) sums = new Float64Array(size + (size >> 1))
    const scores = sums
    scores.fill(0, 0, size)
    const mean = this.total / Math.max(1, this.live)
    for (const { weight, runs } of this.asked(text))
      for (const { words, from, to } of runs)
        for (let i = from; i < to; i++) {
          const posting = words[i] as number
          const row = rowOfPosting(posting)
          const count = countOfPosting(posting)
          const share = (count * (K1 + 1)) / (count + K1 * (1 - b + (b * (lengths[row] as number)) / mean))
          scores[row] = (scores[row] as number) + weight * share
        }
    return scores
  }

  /** The terms of a text, each once, with what a row of mean length that has it once gets for it. */
  private asked(text: string): { readonly weight: number; readonly runs: PostingRun[] }[] {
    const weights = new Map(termsOf(text).map(({ term, kind }) => [term, TERM_WEIGHTS[kind]]))
    const hash: TermHash = { low: 0, high: 0 }
    return [...weights].map(([term, share]) => {
      hashTerm(term, hash)
      const runs = this.postings.runs(hash)
      const rows = this.removalCount === 0 ? this.postings.count(hash) : this.liveRows(runs)
      return { weight: share * Math.log(1 + (this.live - rows + 0.5) / (rows + 0.5)), runs }
    })
  }

  private liveRows(runs: readonly PostingRun[]): number {
    const { removals } = this
    let count = 0
    for (const { words, from, to } of runs)
      for (let i = from; i < to; i++) count += 1 - (removals[rowOfPosting(words[i] as number)] as number)
    return count
  }

  /** The same rows side by side, numbered anew by `renumber` where that is not null; this one stays as it is. Pauses every few milliseconds. */
  *merged(renumber: Uint32Array | null): Generator<void, WordSearch> {
    const { b } = this
    const postings = yield* this.postings.merged(renumber)
    const { lengths, removals, size } = this.columns
    if (renumber === null)
      return new WordSearch(b, { postings, lengths: lengths.slice(), removals: removals.slice(), size })
    const rest = new Uint32Array(this.live)
    for (let row = 0; row < size; row++) {
      const number = renumber[row] as number
      if (number !== NO_ROW) rest[number] = lengths[row] as number
    }
    return new WordSearch(b, {
      postings,
      lengths: rest,
      removals: new Uint8Array(rest.length),
      size: rest.length,
    })
  }
}
