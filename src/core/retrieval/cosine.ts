/** Cosine of two vectors in double precision, in [-1, 1]; null when one of them is all zeros or empty. Equal vectors tie exactly. */
export function cosine(a: Float32Array, b: Float32Array): number | null {
  let dot = 0
  let aa = 0
  let bb = 0
  for (let i = 0; i < a.length; i++) {
    const x = a[i] ?? 0
    const y = b[i] ?? 0
    dot += x * y
    aa += x * x
    bb += y * y
  }
  return aa > 0 && bb > 0 ? dot / Math.sqrt(aa * bb) : null
}
