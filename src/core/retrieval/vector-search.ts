import { BestScores } from './best-scores'
import { cosine } from './cosine'
import { NO_ROW } from './postings'
import { vectorKernel, type VectorKernel } from './vector-kernel'
import type { VectorRows } from './vector-rows'
import { VectorSigns } from './vector-signs'
import type { RowTest, ScoredRow } from './word-search'

/** Rows that the kernel bounds at a time; its lower bounds lie 8,192 bytes behind the upper ones. */
const BLOCK = 2048
const PAGE = 65_536
/** Rows that are copied between two pauses. */
const SLICE = 4000
/** The kernel's adds are 32 bits wide. */
const SUM_LIMIT = 2 ** 31 - 1
const CODE_LIMIT = 127
const QUERY_LIMIT = 8191
/** What rounding to 32 bits may add to a bound. */
const ROUNDING = 2e-6
/** The highest sum of signs. */
const MOST_SUM = 65_535
/** Rows, rows for each that is asked for, and numbers a row, from which signs are read before codes. */
const SIGNS_FROM = { rows: 4096, perHit: 150, width: 128 }
/** Rows that are bounded first beside two for each that is asked for. */
const FIRST = 50
/** Share of the rows from which bounds of all of them, read in order, cost less than those of the rows with the best signs. */
const MOST_PICKED = 1 / 8
/** Searches after one with too many such rows that do without signs. */
const REST = 20
/** Share of the rows whose own numbers are read in place of codes on the disk, before those are read too. */
const SINGLY = 1 / 4

/** Bounds so far: the best lower ones, and the rows that may be among the nearest with their upper ones. */
interface Bounding {
  readonly best: BestScores
  readonly rows: ScoredRow[]
  readonly slack: number
  readonly query: Float32Array
  readonly passes: RowTest
}

const likely = ({ best, rows, slack }: Bounding): ScoredRow[] =>
  rows.filter(({ score }) => score >= best.floor - 2 * slack)

/**
 * Nearest rows by cosine. Each row is kept as int8 codes that bound its cosine from both sides; rows whose bounds let them be among the nearest are
 * scored again from their own numbers: exact. Of many rows only those are bounded whose signs let them be among the nearest, of which one in 30,000 is
 * missed. Rows are numbered as they come.
 */
export class VectorSearch {
  private readonly kernel: VectorKernel = vectorKernel()
  /** Codes of a row, padded with zeros. */
  private readonly width: number
  private readonly stride: number
  private readonly target: number
  private readonly listAt: number
  private readonly base: number
  private readonly signs: VectorSigns
  private codes = new Int8Array()
  private factors = new Float32Array()
  private bounds = new Float32Array()
  private query = new Int16Array()
  private list = new Uint32Array()
  /** Reads the codes; null when they are there. */
  private later: (() => Generator<void, void>) | null = null
  private reading: Generator<void, void> | null = null
  private singly = 0

  /** `rows` are taken as they are, with room for the codes of `codeSize` rows. */
  constructor(
    readonly dimension: number,
    public rows: VectorRows,
    codeSize = 0,
  ) {
    this.width = Math.ceil(Math.max(1, dimension) / 32) * 32
    this.stride = this.width + 16
    this.target = Math.ceil((this.width * 2) / 16) * 16
    this.listAt = this.target + BLOCK * 8
    this.base = Math.ceil((this.listAt + BLOCK * 4) / PAGE) * PAGE
    this.signs = new VectorSigns(this.width)
    this.widen(codeSize)
  }

  get size(): number {
    return this.rows.size
  }

  /** Bytes of the codes of so many rows. */
  codeBytes(rows: number): number {
    return rows * this.stride
  }

  /** The codes of all rows, as they lie in memory until the next row comes. */
  codeView(rows = this.size): Uint8Array {
    this.readCodes()
    return this.codesOf(rows)
  }

  /**
   * The codes of the rows that are there lie on the disk: `read` brings them, in slices, to a target that may move between two of them. At once where
   * searches need them, else once searches have been many.
   */
  codesLater(read: (target: () => Uint8Array) => Generator<void, void>): void {
    const { size } = this
    this.later = () => read(() => this.codesOf(size))
    if (!this.hasSigns(1)) this.readCodes()
  }

  private readCodes(): void {
    while (this.later) this.readMore(this.later)
  }

  private readMore(later: () => Generator<void, void>): void {
    this.reading ??= later()
    try {
      if (this.reading.next().done === true) this.later = this.reading = null
    } catch (error) {
      this.reading = null
      throw error
    }
  }

  private codesOf(rows: number): Uint8Array {
    this.widen(rows)
    return new Uint8Array(this.kernel.memory.buffer, this.base, this.codeBytes(rows))
  }

  /** Whether the `k` nearest are sooner found with signs. */
  private hasSigns(k: number): boolean {
    return this.size >= Math.max(SIGNS_FROM.rows, k * SIGNS_FROM.perHit) && this.width >= SIGNS_FROM.width
  }

  /** The signs of all rows, in the same way. */
  signView(rows = this.size): Uint8Array<ArrayBuffer> {
    return this.signs.view(rows)
  }

  /** Adds a row; a vector of zeros is never near. */
  add(vector: Float32Array): void {
    const { size: row, dimension, stride, width } = this
    this.widen(row + 1)
    let most = 0
    let square = 0
    for (let i = 0; i < dimension; i++) {
      const value = vector[i] as number
      most = Math.max(most, Math.abs(value))
      square += value * value
    }
    const step = most / CODE_LIMIT
    const start = row * stride
    let rest = 0
    for (let i = 0; i < dimension; i++) {
      const value = vector[i] as number
      const code = step > 0 ? Math.round(value / step) : 0
      this.codes[start + i] = code
      rest += (value - code * step) ** 2
    }
    this.codes.fill(0, start + dimension, start + width)
    const inverse = square > 0 ? 1 / Math.sqrt(square) : 0
    const place = (start + width) / 4
    this.factors[place] = step * inverse
    this.factors[place + 1] = inverse > 0 ? Math.sqrt(rest) * inverse * 1.0001 + ROUNDING : NaN
    this.signs.set(row, vector)
    this.rows.push(vector)
  }

  /** The `k` rows with the highest cosine that pass, and all that tie with the last of them, in no order. */
  nearest(query: Float32Array, k: number, passes: RowTest = () => true): ScoredRow[] {
    const { size } = this
    if (k < 1 || size === 0) return []
    const slack = this.ask(query)
    if (slack === null) return []
    const question = { slack, query, passes }
    const candidates =
      (this.hasSigns(k) && this.rest-- <= 0 ? this.bySigns(k, question) : null) ??
      this.inOrder({ ...question, best: new BestScores(Math.min(k, size)), rows: [] })
    candidates.sort((a, b) => b.score - a.score)
    const best = new BestScores(Math.min(k, size))
    const hits: ScoredRow[] = []
    for (const { row, score: most } of candidates) {
      if (most + slack < best.floor) break
      const score = cosine(this.rows.row(row), query)
      if (score === null || score < best.floor) continue
      best.put(score)
      hits.push({ row, score })
    }
    return hits.filter(({ score }) => score >= best.floor)
  }

  /** Rows whose upper bound reaches the k-th best lower one. */
  private inOrder(bounding: Bounding): ScoredRow[] {
    this.readCodes()
    for (let start = 0; start < this.size; start += BLOCK) {
      const count = Math.min(BLOCK, this.size - start)
      for (let i = 0; i < count; i++) this.list[i] = start + i
      this.bound(count, bounding)
    }
    return likely(bounding)
  }

  /**
   * The same of the rows with the best signs, until no other row's signs let it reach the k-th best lower bound; null where there are so many of them that
   * all rows are sooner bounded in order.
   */
  private bySigns(k: number, others: Omit<Bounding, 'best' | 'rows'>): ScoredRow[] | null {
    const { size, signs } = this
    const { slack, query } = others
    const best = new BestScores(k)
    const bounding: Bounding = { ...others, best, rows: [] }
    let wish = 2 * k + FIRST
    signs.ask(query, size)
    let low = signs.reached(wish, size)
    for (let high = MOST_SUM; low <= high;) {
      const picks = signs.between(low, high, size)
      for (let start = 0; start < picks.length; start += BLOCK) {
        const part = picks.subarray(start, start + BLOCK)
        this.list.set(part)
        if (this.later) this.score(part.length, bounding)
        else this.bound(part.length, bounding)
      }
      high = low - 1
      wish *= 8
      low = best.isFull ? signs.leastSum(best.floor - slack) : Math.min(high, signs.reached(wish, size))
      if (low > high || signs.about(low, high, size) <= size * MOST_PICKED) continue
      this.rest = REST
      return null
    }
    return likely(bounding)
  }

  /** Bounds the first `count` rows of the list. */
  private bound(count: number, { best, rows, slack, passes }: Bounding): void {
    const { bounds, list } = this
    this.kernel.dots(this.base, this.listAt, count, this.width, this.target, this.step)
    for (let i = 0; i < count; i++) {
      const lower = bounds[BLOCK + i] as number
      if (lower > best.floor && passes(list[i] as number)) best.put(lower)
    }
    const cut = best.floor - 2 * slack
    for (let i = 0; i < count; i++) {
      const upper = bounds[i] as number
      const row = list[i] as number
      if (upper >= cut && passes(row)) rows.push({ row, score: upper })
    }
  }

  /** The same while codes are on the disk: with what bounds are of. */
  private score(count: number, { best, rows, query, passes }: Bounding): void {
    for (const row of this.list.subarray(0, count)) {
      const score = passes(row) ? cosine(this.rows.row(row), query) : null
      if (score === null) continue
      best.put(score)
      rows.push({ row, score })
    }
    this.singly += count
    if (this.later && this.singly > this.size * SINGLY) this.readMore(this.later)
  }

  private rest = 0
  private step = 0

  /** Puts the query where the kernel reads it; by how much a bound can be off, null for a query without direction. */
  private ask(query: Float32Array): number | null {
    const { dimension, width } = this
    let square = 0
    let most = 0
    for (let i = 0; i < dimension; i++) {
      const value = query[i] as number
      square += value * value
      most = Math.max(most, Math.abs(value))
    }
    if (!(square > 0)) return null
    const inverse = 1 / Math.sqrt(square)
    this.step = (most * inverse) / Math.min(QUERY_LIMIT, Math.floor(SUM_LIMIT / (CODE_LIMIT * width)))
    let rest = 0
    for (let i = 0; i < dimension; i++) {
      const value = (query[i] as number) * inverse
      const code = Math.round(value / this.step)
      this.query[i] = code
      rest += (value - code * this.step) ** 2
    }
    this.query.fill(0, dimension)
    return Math.sqrt(rest) * 1.02 + ROUNDING
  }

  private widen(rows: number): void {
    const { memory } = this.kernel
    const bytes = this.base + this.codeBytes(rows)
    const now = memory.buffer.byteLength
    if (now < bytes) memory.grow(Math.ceil((Math.max(bytes, rows > 64 ? now * 1.25 : bytes) - now) / PAGE))
    if (this.codes.buffer === memory.buffer) return
    this.codes = new Int8Array(memory.buffer, this.base)
    this.factors = new Float32Array(memory.buffer, this.base)
    this.bounds = new Float32Array(memory.buffer, this.target, BLOCK * 2)
    this.query = new Int16Array(memory.buffer, 0, this.width)
    this.list = new Uint32Array(memory.buffer, this.listAt, BLOCK)
  }

  /** The rows that `renumber` leaves in, with `rows`, which has their numbers already; this one stays as it is. Pauses every few milliseconds. */
  *without(renumber: Uint32Array, rows: VectorRows): Generator<void, VectorSearch> {
    this.readCodes()
    const next = new VectorSearch(this.dimension, rows, rows.size)
    const { stride } = this
    for (let row = 0; row < renumber.length; row++) {
      const number = renumber[row] as number
      if (number !== NO_ROW) {
        next.codes.set(this.codes.subarray(row * stride, (row + 1) * stride), number * stride)
        next.signs.copy(this.signs, row, number)
      }
      if (row % SLICE === SLICE - 1) yield
    }
    return next
  }
}
