/** Cosine of two vectors in double precision, in [-1, 1]; null when one of them is all zeros or empty. Equal vectors tie exactly. */
export function cosine(a: Float32Array, b: Float32Array): number | null {
  let dot = 0
  let aa = 0
  let bb = 0
  const size = Math.min(a.length, b.length)
  for (let i = 0; i < size; i++) {
    const x = a[i] as number
    const y = b[i] as number
    dot += x * y
    aa += x * x
    bb += y * y
  }
  // Where one is longer, the other has zeros.
  for (let i = size; i < a.length; i++) aa += (a[i] as number) ** 2
  return aa > 0 && bb > 0 ? dot / Math.sqrt(aa * bb) : null
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
