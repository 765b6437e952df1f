/** Rows the matrix has room for at first; it doubles when full. */
const FIRST_ROWS = 1024

/** Vectors side by side in memory, compared one by one: exact, and quick as long as there are tens of thousands of them. */
export class VectorMatrix {
  private values: Float32Array
  private lengths: Float32Array
  private readonly ids: string[] = []
  private readonly rows = new Map<string, number>()

  constructor(private readonly dimension: number) {
    this.values = new Float32Array(FIRST_ROWS * dimension)
    this.lengths = new Float32Array(FIRST_ROWS)
  }

  get size(): number {
    return this.ids.length
  }

  /** Adds a row, or replaces the one of that id. */
  set(id: string, vector: Float32Array): void {
    const row = this.rows.get(id) ?? this.addRow(id)
    this.values.set(vector, row * this.dimension)
    let square = 0
    for (const value of vector) square += value * value
    this.lengths[row] = Math.sqrt(square)
  }

  /** Takes a row out; the last one comes into its place. */
  delete(id: string): void {
    const row = this.rows.get(id)
    if (row === undefined) return
    const last = this.ids.length - 1
    const move = this.ids[last] as string
    this.values.copyWithin(row * this.dimension, last * this.dimension, (last + 1) * this.dimension)
    this.lengths[row] = this.lengths[last] as number
    this.ids[row] = move
    this.rows.set(move, row)
    this.ids.pop()
    this.rows.delete(id)
  }

  /** A row as it lies in the matrix; null when there is none. */
  get(id: string): Float32Array | null {
    const row = this.rows.get(id)
    return row === undefined ? null : this.values.subarray(row * this.dimension, (row + 1) * this.dimension)
  }

  /** The k rows with the highest cosine to `query` that `accepts` lets through, best first, later rows first among equals. */
  nearest(
    query: Float32Array,
    k: number,
    accepts: (id: string) => boolean,
  ): { readonly id: string; readonly score: number }[] {
    const { values, dimension, lengths } = this
    const length = Math.hypot(...query)
    const best: { id: string; score: number }[] = []
    if (!(length > 0) || k < 1) return best
    for (let row = this.ids.length - 1; row >= 0; row--) {
      const own = lengths[row] as number
      if (!(own > 0)) continue
      const score = dot(values, row * dimension, query) / (own * length)
      if (best.length === k && score <= (best[k - 1]?.score ?? 0)) continue
      const id = this.ids[row] as string
      if (!accepts(id)) continue
      let place = best.length
      while (place > 0 && (best[place - 1]?.score ?? 0) < score) place--
      best.splice(place, 0, { id, score })
      if (best.length > k) best.pop()
    }
    return best
  }

  private addRow(id: string): number {
    const row = this.ids.length
    if (row >= this.lengths.length) {
      const values = new Float32Array(this.values.length * 2)
      values.set(this.values)
      this.values = values
      const lengths = new Float32Array(this.lengths.length * 2)
      lengths.set(this.lengths)
      this.lengths = lengths
    }
    this.ids.push(id)
    this.rows.set(id, row)
    return row
  }
}

/** The product of `query` with as many of `values` from `from` on. Four sums side by side do not wait for each other: several times as fast as one. */
export function dot(values: Float32Array, from: number, query: Float32Array): number {
  const size = query.length
  const whole = size - (size % 4)
  let a = 0
  let b = 0
  let c = 0
  let d = 0
  for (let i = 0; i < whole; i += 4) {
    const at = from + i
    a += (values[at] as number) * (query[i] as number)
    b += (values[at + 1] as number) * (query[i + 1] as number)
    c += (values[at + 2] as number) * (query[i + 2] as number)
    d += (values[at + 3] as number) * (query[i + 3] as number)
  }
  for (let i = whole; i < size; i++) a += (values[from + i] as number) * (query[i] as number)
  return a + b + c + d
}
