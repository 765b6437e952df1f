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

/** Length of a plan in what a network reads of it. */
const PLAN_LENGTH = 4
/** A plan that is next to the middle of all is made at most this many times as long, so that nothing is read into rounding. */
const MOST_GAIN = 4

/** Where a plan lies, seen from the middle of all plans: element i is `scale * codes[i] - shift * middle[i]`. */
export interface PlanFeatures {
  readonly codes: Int8Array
  readonly scale: number
  readonly shift: number
}

/** The middle of the plans of a pool, as far as they have come. Encoders put all texts near one another, and what tells plans apart is where they lie around it. */
export function planMiddle() {
  let sum = new Float64Array()
  let count = 0
  let at: Float64Array | null = sum
  const middle = (): Float64Array => {
    at ??= sum.map((each) => each / count)
    return at
  }
  return {
    add({ codes, scale }: PlanVector) {
      if (sum.length === 0) sum = new Float64Array(codes.length)
      for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] as number) + scale * (codes[i] ?? 0)
      count++
      at = null
    },
    /** Where it is now; empty before the first plan. */
    get at(): Float64Array {
      return middle()
    },
    /** What is read of a plan: its direction from the middle, with length 4 or, next to the middle, less. */
    featuresOf({ codes, scale }: PlanVector): PlanFeatures {
      const from = middle()
      let square = 0
      for (let i = 0; i < codes.length; i++) {
        const away = scale * (codes[i] as number) - (from[i] ?? 0)
        square += away * away
      }
      const gain = PLAN_LENGTH * Math.min(MOST_GAIN, 1 / Math.sqrt(square))
      return { codes, scale: gain * scale, shift: gain }
    },
  }
}

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
