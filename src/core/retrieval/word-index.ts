import { termsOf, TERM_WEIGHTS } from './terms'

const K1 = 1.2
/** How much a long row is held against it. Chosen on the tuning sets of docs/search-quality.md; LanceDB has 0.75, fixed. */
const B = 0.4

/**
 * A full-text index in memory: BM25 over rows that come and go one by one, each at the cost of its own words. What it answers follows
 * from the rows alone, not from the order in which they came.
 */
export class WordIndex {
  /** By term: how often each row has it. */
  private readonly postings = new Map<string, Map<string, number>>()
  private readonly texts = new Map<string, readonly string[]>()
  private total = 0

  /** `b` in [0, 1]: how much a row's length counts. */
  constructor(private readonly b = B) {}

  get size(): number {
    return this.texts.size
  }

  /** Adds a row, or replaces the one of that id. */
  set(id: string, text: string): void {
    this.delete(id)
    const terms = termsOf(text).map(({ term }) => term)
    this.texts.set(id, terms)
    this.total += terms.length
    for (const term of terms) {
      const rows = this.postings.get(term) ?? new Map<string, number>()
      if (rows.size === 0) this.postings.set(term, rows)
      rows.set(id, (rows.get(id) ?? 0) + 1)
    }
  }

  delete(id: string): void {
    const terms = this.texts.get(id)
    if (!terms) return
    this.texts.delete(id)
    this.total -= terms.length
    for (const term of new Set(terms)) {
      const rows = this.postings.get(term)
      rows?.delete(id)
      if (rows?.size === 0) this.postings.delete(term)
    }
  }

  /** BM25 of a row of mean length that has every word of the text once. */
  full(text: string): number {
    let sum = 0
    for (const [term, weight] of weightsOf(text))
      sum += weight * this.rarity(this.postings.get(term)?.size ?? 0)
    return sum
  }

  /** Every row that holds a word of the text and that `accepts` lets through, with its BM25 score, in no order. */
  match(text: string, accepts: (id: string) => boolean): { readonly id: string; readonly score: number }[] {
    const scores = new Map<string, number>()
    const mean = this.total / Math.max(1, this.texts.size)
    for (const [term, share] of weightsOf(text)) {
      const rows = this.postings.get(term)
      if (!rows) continue
      const rarity = this.rarity(rows.size)
      for (const [id, count] of rows) {
        const length = this.texts.get(id)?.length ?? 0
        const weight = (count * (K1 + 1)) / (count + K1 * (1 - this.b + (this.b * length) / mean))
        scores.set(id, (scores.get(id) ?? 0) + share * rarity * weight)
      }
    }
    return [...scores].flatMap(([id, score]) => (accepts(id) ? [{ id, score }] : []))
  }

  private rarity(rows: number): number {
    return Math.log(1 + (this.texts.size - rows + 0.5) / (rows + 0.5))
  }
}

/** What a text is searched by, each term once, and what a match of it counts. */
const weightsOf = (text: string): ReadonlyMap<string, number> =>
  new Map(termsOf(text).map(({ term, kind }) => [term, TERM_WEIGHTS[kind]]))
