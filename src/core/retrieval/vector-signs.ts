import { BestScores } from './best-scores'
import { hash32 } from './hash32'
import { MOST_ROWS } from './postings'
import { vectorKernel, type VectorKernel } from './vector-kernel'

/** Rows whose signs lie side by side. */
const ROWS_A_BLOCK = 16
const MOST_ENTRY = 31
const PAGE = 65_536
/** Rows, evenly spread, whose sums say how high those of all are. */
const SAMPLE = 1024
/** Mean size of a number of a random direction, in units of its root mean square, and how much that varies: its square times the numbers. */
const MEAN = Math.sqrt(2 / Math.PI)
const MEAN_SPREAD = 1 - 3 / Math.PI
/** Standard deviations by which a row's sum may lie below what is expected: one in 30,000 lies lower. */
const DEVIATIONS = 4

/**
 * Signs of the numbers of turned vectors, one bit each: a guess at every cosine that takes a tenth of the time of bounds. The turn is as good as random, so
 * that how far a guess is off does not depend on what the vectors are of.
 */
export class VectorSigns {
  private readonly kernel: VectorKernel = vectorKernel()
  /** Factors of the numbers, 1 or -1, round by round; made at the first turn. */
  private flips = new Float32Array()
  private readonly turned: Float32Array
  private readonly entries = new Float32Array(16)
  /** Numbers that are mixed at a time: the highest power of 2 that fits. */
  private readonly mixed: number
  private readonly bytesARow: number
  /** Where sums and picks lie, with room for as many rows as a core holds: memory that is not written to takes none. */
  private readonly sumsAt: number
  private readonly picksAt: number
  private readonly base: number
  private bits = new Uint8Array()
  private tables = new Uint8Array()
  private sums = new Uint16Array()
  private picks = new Uint32Array()
  /** What a sum of the last query says: cosine ~ (`step` * sum + `least`) / sqrt(width) / `MEAN`. */
  private step = 1
  private least = 0

  /** `width`: numbers a row, a multiple of 32. */
  constructor(private readonly width: number) {
    this.bytesARow = width / 8
    this.mixed = 2 ** Math.floor(Math.log2(width))
    this.turned = new Float32Array(width)
    this.sumsAt = Math.ceil((width * 4) / PAGE) * PAGE
    this.picksAt = this.sumsAt + MOST_ROWS * 2
    this.base = this.picksAt + MOST_ROWS * 4
    this.widen(0)
  }

  /** Bytes of the signs of so many rows. */
  bytes(rows: number): number {
    return Math.ceil(rows / ROWS_A_BLOCK) * ROWS_A_BLOCK * this.bytesARow
  }

  /** The signs of so many rows, as they lie in memory until the next row comes. */
  view(rows: number): Uint8Array<ArrayBuffer> {
    this.widen(rows)
    return new Uint8Array(this.kernel.memory.buffer, this.base, this.bytes(rows))
  }

  set(row: number, vector: Float32Array): void {
    this.widen(row + 1)
    const turned = this.turn(vector)
    for (let byte = 0, at = this.placeOf(row); byte < this.bytesARow; byte++, at += ROWS_A_BLOCK) {
      let bits = 0
      for (let i = 0; i < 8; i++) if ((turned[byte * 8 + i] as number) > 0) bits |= 1 << i
      this.bits[at] = bits
    }
  }

  /** Takes a row of another one of the same width. */
  copy(from: VectorSigns, other: number, row: number): void {
    this.widen(row + 1)
    for (let i = 0, at = this.placeOf(row), start = from.placeOf(other); i < this.bytesARow; i++)
      this.bits[at + i * ROWS_A_BLOCK] = from.bits[start + i * ROWS_A_BLOCK] as number
  }

  /** Sums up `rows` rows for a query that is not all zeros. */
  ask(query: Float32Array, rows: number): void {
    const { width, tables, entries } = this
    const turned = this.turn(query)
    let square = 0
    for (const value of turned) square += value * value
    const inverse = 1 / Math.sqrt(square)
    let most = 0
    this.least = 0
    for (let i = 0; i < width; i += 4) {
      let sum = 0
      for (let n = i; n < i + 4; n++) sum += Math.abs((turned[n] = (turned[n] as number) * inverse))
      this.least -= sum
      most = Math.max(most, 2 * sum)
    }
    this.step = most / Math.min(MOST_ENTRY, Math.floor(65_535 / (width / 4)))
    const perStep = 1 / this.step
    for (let i = 0; i < width; i += 4) {
      // What four signs add to the least that these numbers come to: first where all are below 0, then with one of them above 0 in turn.
      entries[0] = 0
      for (let n = 0; n < 4; n++) entries[0] += Math.max(0, -2 * (turned[i + n] as number) * perStep)
      for (let n = 0; n < 4; n++)
        for (let half = 1 << n, other = 0; half < 2 << n; half++, other++)
          entries[half] = (entries[other] as number) + 2 * (turned[i + n] as number) * perStep
      for (let half = 0; half < 16; half++) tables[i * 4 + half] = (entries[half] as number) + 0.5
    }
    this.kernel.sums(this.base, Math.ceil(rows / ROWS_A_BLOCK), width / 32, 0, this.sumsAt)
  }

  /** The sum that about `count` of `rows` rows reach. */
  reached(count: number, rows: number): number {
    const stride = strideOf(rows)
    const best = new BestScores(Math.max(1, Math.round(count / stride)))
    for (let row = 0; row < rows; row += stride) best.put(this.sums[row] as number)
    return Math.max(0, best.floor)
  }

  /** About how many of `rows` rows have a sum from `low` to `high`. */
  about(low: number, high: number, rows: number): number {
    const stride = strideOf(rows)
    let count = 0
    for (let row = 0; row < rows; row += stride) {
      const sum = this.sums[row] as number
      if (sum >= low && sum <= high) count += stride
    }
    return count
  }

  /** The least sum of a row whose cosine is at least `score`. */
  leastSum(score: number): number {
    const { width, step } = this
    const rounding = ((width / 4) * (step * step)) / 12 / width
    const spread = ((1 - MEAN ** 2) * (1 - score * score) + MEAN_SPREAD * score * score) / width
    const guess = MEAN * score - DEVIATIONS * Math.sqrt(Math.max(0, spread) + rounding)
    return Math.max(0, Math.ceil((guess * Math.sqrt(width) - this.least) / step))
  }

  /** Which of `rows` rows have a sum from `low` to `high`, in order. Good until the next call. */
  between(low: number, high: number, rows: number): Uint32Array {
    let count = this.kernel.pick(this.sumsAt, rows, low, high, this.picksAt)
    // The last block has room for more rows.
    while ((this.picks[count - 1] ?? 0) >= rows) count--
    return this.picks.subarray(0, count)
  }

  private placeOf(row: number): number {
    const block = Math.floor(row / ROWS_A_BLOCK)
    return block * ROWS_A_BLOCK * this.bytesARow + (row % ROWS_A_BLOCK)
  }

  /** Signs are flipped and numbers mixed (a Hadamard matrix), over and over: lengths and angles stay. Good until the next one. */
  private turn(vector: Float32Array): Float32Array {
    const { turned, width, mixed } = this
    // Where not all are mixed at once, those at the beginning and those at the end take turns.
    const length = (mixed === width ? 2 : 4) * width
    if (this.flips.length < length)
      this.flips = Float32Array.from({ length }, (_, i) => 1 - 2 * (hash32(`turn ${i}`) & 1))
    const { flips } = this
    turned.fill(0)
    turned.set(vector)
    for (let at = 0; at < flips.length; at += width) {
      for (let i = 0; i < width; i++) turned[i] = (turned[i] as number) * (flips[at + i] as number)
      mix(at % (2 * width) === 0 ? turned.subarray(0, mixed) : turned.subarray(width - mixed))
    }
    return turned
  }

  private widen(rows: number): void {
    const { memory } = this.kernel
    const bytes = this.base + this.bytes(rows)
    const now = memory.buffer.byteLength
    if (now < bytes) memory.grow(Math.ceil((bytes + (bytes - this.base) / 4 - now) / PAGE))
    if (this.bits.buffer === memory.buffer) return
    this.bits = new Uint8Array(memory.buffer, this.base)
    this.tables = new Uint8Array(memory.buffer, 0, this.width * 4)
    this.picks = new Uint32Array(memory.buffer, this.picksAt, MOST_ROWS)
    this.sums = new Uint16Array(memory.buffer, this.sumsAt, MOST_ROWS)
  }
}

const strideOf = (rows: number): number => Math.max(1, Math.floor(rows / SAMPLE))

/** Multiplies with a Hadamard matrix that leaves lengths as they are. */
function mix(values: Float32Array): void {
  const { length } = values
  const scale = 1 / Math.sqrt(length)
  for (let i = 0; i < length; i++) values[i] = (values[i] as number) * scale
  for (let half = 1; half < length; half *= 2)
    for (let start = 0; start < length; start += 2 * half)
      for (let i = start; i < start + half; i++) {
        const a = values[i] as number
        const b = values[i + half] as number
        values[i] = a + b
        values[i + half] = a - b
      }
}
