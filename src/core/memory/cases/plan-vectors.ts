import type { Saved } from './saved'

/** A plan's embedding of unit length, a byte a number: element i is `codes[i] * scale`. A checkpoint keeps it as it is, to the last bit. */
export interface PlanVector {
  readonly codes: Int8Array
  readonly scale: number
}

const LARGEST = 127

export function planVector(vector: Float32Array): PlanVector {
  let square = 0
  let most = 0
  for (const value of vector) {
    square += value * value
    most = Math.max(most, Math.abs(value))
  }
  if (!(square > 0)) return { codes: new Int8Array(vector.length), scale: 0 }
  const codes = Int8Array.from(vector, (value) => Math.round((value / most) * LARGEST))
  return { codes, scale: most / LARGEST / Math.sqrt(square) }
}

/** The embedding again, as it is after it was kept. */
export const vectorOf = ({ codes, scale }: PlanVector): Float32Array =>
  Float32Array.from(codes, (code) => code * scale)

/** The plans of a pool as rows of a checkpoint: bytes four to a number. `name` tells several sets apart. */
export function plansToRows(plans: readonly PlanVector[], dimension: number, name = 'plan'): Saved {
  const bytes = new Int8Array(4 * Math.ceil((plans.length * dimension) / 4))
  plans.forEach(({ codes }, i) => bytes.set(codes, i * dimension))
  return {
    [`${name}s`]: new Int32Array(bytes.buffer),
    [`${name}-scales`]: Float64Array.from(plans, ({ scale }) => scale),
  }
}

/** Null where the checkpoint holds no plans. */
export function plansFromRows(saved: Saved, dimension: number, name = 'plan'): PlanVector[] | null {
  const plans = saved[`${name}s`]
  const scales = saved[`${name}-scales`]
  if (!plans || !scales) return null
  const bytes = new Int8Array(plans.buffer, plans.byteOffset, plans.byteLength)
  return Array.from(scales, (scale, i) => ({ codes: bytes.slice(i * dimension, (i + 1) * dimension), scale }))
}
