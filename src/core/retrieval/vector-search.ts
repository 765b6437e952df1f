import { BestScores } from './best-scores'
import { cosine } from './cosine'
import { NO_ROW } from './postings'
import { vectorKernel, type VectorKernel } from './vector-kernel'
import type { VectorRows } from './vector-rows'
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

/**
 * Exact nearest rows by cosine. Each row is kept as int8 codes that bound its cosine from both sides; rows whose bounds let them be among the nearest are
 * scored again from their own numbers. Rows are numbered as they come.
 */
export class VectorSearch {
  private readonly kernel: VectorKernel = vectorKernel()
  /** Codes of a row, padded with zeros. */
  private readonly width: number
  private readonly stride: number
  private readonly target: number
  private readonly base: number
  private codes = new Int8Array()
  private factors = new Float32Array()
  private bounds = new Float32Array()
  private query = new Int16Array()

  /** `rows` are taken as they are, with room for the codes of `codeSize` rows. */
  constructor(
    readonly dimension: number,
    public rows: VectorRows,
    codeSize = 0,
  ) {
    this.width = Math.ceil(Math.max(1, dimension) / 32) * 32
    this.stride = this.width + 16
    this.target = Math.ceil((this.width * 2) / 16) * 16
    this.base = Math.ceil((this.target + BLOCK * 8) / PAGE) * PAGE
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
    this.widen(rows)
    return new Uint8Array(this.kernel.memory.buffer, this.base, this.codeBytes(rows))
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
    this.rows.push(vector)
  }

  /** Keeps a row from being near. */
  remove(row: number): void {
    this.factors[(row * this.stride + this.width) / 4 + 1] = NaN
  }

  /** The `k` rows with the highest cosine that pass, and all that tie with the last of them, in no order. */
  nearest(query: Float32Array, k: number, passes: RowTest = () => true): ScoredRow[] {
    const { size } = this
    if (k < 1 || size === 0) return []
    const slack = this.ask(query)
    if (slack === null) return []
    const candidates = this.candidates(Math.min(k, size), slack, passes)
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
  private candidates(k: number, slack: number, passes: RowTest): ScoredRow[] {
    const { size, bounds, step, target } = this
    const best = new BestScores(k)
    const rows: ScoredRow[] = []
    let cut = -2
    for (let start = 0; start < size; start += BLOCK) {
      const count = Math.min(BLOCK, size - start)
      this.kernel.dots(this.base + start * this.stride, count, this.width, target, step)
      for (let i = 0; i < count; i++) {
        const lower = bounds[BLOCK + i] as number
        if (lower > best.floor && passes(start + i)) best.put(lower)
      }
      if (best.isFull) cut = best.floor - 2 * slack
      for (let i = 0; i < count; i++) {
        const upper = bounds[i] as number
        if (upper >= cut && passes(start + i)) rows.push({ row: start + i, score: upper })
      }
    }
    return rows.filter(({ score }) => score >= cut)
  }

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
  }

  /** The rows that `renumber` leaves in, with `rows`, which has their numbers already; this one stays as it is. Pauses every few milliseconds. */
  *without(renumber: Uint32Array, rows: VectorRows): Generator<void, VectorSearch> {
    const next = new VectorSearch(this.dimension, rows, rows.size)
    const { stride } = this
    for (let row = 0; row < renumber.length; row++) {
      const number = renumber[row] as number
      if (number !== NO_ROW)
        next.codes.set(this.codes.subarray(row * stride, (row + 1) * stride), number * stride)
      if (row % SLICE === SLICE - 1) yield
    }
    return next
  }
}
