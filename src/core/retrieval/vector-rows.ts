/** Where the numbers of rows lie, in order of arrival. */
export interface VectorRows {
  readonly size: number
  /** Adds a row; it is copied. */
  push(vector: Float32Array): void
  /** A row as it was added. It may be another one after the next call. */
  row(row: number): Float32Array
  /** A row that stays as it is. It must not be written to. */
  lasting(row: number): Float32Array
}

const PER_CHUNK = 1024

/** Rows in memory. */
export function rowsHeld(dimension: number): VectorRows {
  const chunks: Float32Array[] = []
  let size = 0
  // Rows are never written again, so a view of one lasts.
  const view = (row: number): Float32Array => {
    const start = (row % PER_CHUNK) * dimension
    return (chunks[Math.floor(row / PER_CHUNK)] as Float32Array).subarray(start, start + dimension)
  }
  return {
    row: view,
    lasting: view,
    get size() {
      return size
    },
    push(vector) {
      if (size % PER_CHUNK === 0) {
        // The first chunk grows: most indexes are small.
        chunks.push(new Float32Array((size === 0 ? 32 : PER_CHUNK) * dimension))
      }
      let chunk = chunks.at(-1) as Float32Array
      const start = (size % PER_CHUNK) * dimension
      if (start >= chunk.length) {
        const wider = new Float32Array(Math.min(PER_CHUNK * dimension, chunk.length * 4))
        wider.set(chunk)
        chunk = wider
        chunks[chunks.length - 1] = wider
      }
      chunk.set(vector, start)
      size++
    },
  }
}
