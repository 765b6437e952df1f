import type { Rng } from '../../ground/random'

/** A two-layer network with one output: z(x) = w2 . tanh(W1 x + b1) + b2. */
export interface Network {
  readonly inputs: number
  readonly hidden: number
  /** W1 row by row, b1, w2, b2. */
  readonly weights: Float32Array
}

export const weightCount = (inputs: number, hiddenCount: number): number => hiddenCount * (inputs + 2) + 1

/**
 * A network whose output rises with its first input and depends on nothing else until it has learned: the first hidden unit
 * reads that input, the others start at random but are not yet heard. `low` and `high` are about what it answers for 0 and 1.
 */
export function createNetwork(
  inputs: number,
  hiddenCount: number,
  rng: Rng,
  { low, high }: { readonly low: number; readonly high: number },
): Network {
  const weights = new Float32Array(weightCount(inputs, hiddenCount))
  const spread = 1 / Math.sqrt(inputs)
  for (let i = inputs; i < hiddenCount * inputs; i++) weights[i] = (rng.next() * 2 - 1) * spread
  weights[0] = 2
  weights[hiddenCount * inputs] = -1
  weights[hiddenCount * (inputs + 1)] = (high - low) / (2 * Math.tanh(1))
  weights[hiddenCount * (inputs + 2)] = (low + high) / 2
  return { inputs, hidden: hiddenCount, weights }
}

/** What a minibatch makes of the network. */
export interface Pass {
  /** The inputs x, one per row. */
  readonly inputs: readonly Float64Array[]
  /** H = tanh(W1 x + b1), one row of `hidden` numbers per input. */
  readonly units: Float64Array
  /** z = w2 . H + b2, one number per input. */
  readonly z: number[]
}

/**
 * The network for a minibatch (there may be none), with `weights` in the place of its own where given. Written out: with the vectors of state
 * and plan a write passes some 2 million products, which plain loops over flat rows take a tenth of a matrix library's time for.
 */
export function forward(network: Network, inputs: readonly Float64Array[], weights = network.weights): Pass {
  const { inputs: width, hidden } = network
  const bias = hidden * width
  const outer = bias + hidden
  const units = new Float64Array(inputs.length * hidden)
  const z = inputs.map((x, row) => {
    let sum = weights[outer + hidden] as number
    for (let h = 0; h < hidden; h++) {
      const unit = Math.tanh((weights[bias + h] as number) + product(weights, h * width, x))
      units[row * hidden + h] = unit
      sum += (weights[outer + h] as number) * unit
    }
    return sum
  })
  return { inputs, units, z }
}

/** z(x) for one input. */
export const output = (network: Network, x: Float64Array): number => forward(network, [x]).z[0] as number

/**
 * The network for many inputs that begin alike: `first`, which is multiplied once, as `middle` is. Answers z for what follows `first`:
 * scale * codes - shift * middle; null is all 0.
 */
export function readOn(
  { inputs: width, hidden, weights }: Network,
  first: Float64Array,
  middle: Float64Array,
): (rest: { readonly codes: Int8Array; readonly scale: number; readonly shift: number } | null) => number {
  const bias = hidden * width
  const outer = bias + hidden
  const float64Array = Float64Array.from(
    { length: hidden },
    (_, h) => (weights[bias + h] as number) + product(weights, h * width, first),
  )
  const centred = float64Array.map((_, h) => product(weights, h * width + first.length, middle))
  return (rest) => {
    let z = weights[outer + hidden] as number
    for (let h = 0; h < hidden; h++) {
      const from = h * width + first.length
      const more = rest
        ? rest.scale * productOfCodes(weights, from, rest.codes) - rest.shift * (centred[h] as number)
        : 0
      z += (weights[outer + h] as number) * Math.tanh((float64Array[h] as number) + more)
    }
    return z
  }
}

/** The gradient by the weights of a loss over the minibatch, from its slopes by z: D = (w2^T slopes) o (1 - H o H) leads back through tanh. */
export function gradientOf(
  { inputs: width, hidden, weights }: Network,
  { inputs, units }: Pass,
  slopes: readonly number[],
): Float32Array {
  const bias = hidden * width
  const outer = bias + hidden
  const gradient = new Float64Array(weightCount(width, hidden))
  inputs.forEach((x, row) => {
    const slope = slopes[row] as number
    for (let h = 0; h < hidden; h++) {
      const unit = units[row * hidden + h] as number
      const back = slope * (weights[outer + h] as number) * (1 - unit * unit)
      addScaled(gradient, h * width, x, back)
      gradient[bias + h] = (gradient[bias + h] as number) + back
      gradient[outer + h] = (gradient[outer + h] as number) + slope * unit
    }
    gradient[outer + hidden] = (gradient[outer + hidden] as number) + slope
  })
  return Float32Array.from(gradient)
}

/** The row of `weights` that begins at `from`, times x. Two sums side by side do not wait for each other. */
function product(weights: Float32Array, from: number, x: Float64Array): number {
  let even = 0
  let odd = 0
  const last = x.length - 1
  let i = 0
  for (; i < last; i += 2) {
    even += (weights[from + i] as number) * (x[i] as number)
    odd += (weights[from + i + 1] as number) * (x[i + 1] as number)
  }
  return i === last ? even + odd + (weights[from + i] as number) * (x[i] as number) : even + odd
}

/** The same for codes; apart from it, since code that meets one kind of array is the faster for it. */
function productOfCodes(weights: Float32Array, from: number, codes: Int8Array): number {
  let even = 0
  let odd = 0
  const last = codes.length - 1
  let i = 0
  for (; i < last; i += 2) {
    even += (weights[from + i] as number) * (codes[i] as number)
    odd += (weights[from + i + 1] as number) * (codes[i + 1] as number)
  }
  return i === last ? even + odd + (weights[from + i] as number) * (codes[i] as number) : even + odd
}

/** Adds x times `scale` to the row of `sums` that begins at `from`. */
function addScaled(sums: Float64Array, from: number, x: Float64Array, scale: number): void {
  for (let i = 0; i < x.length; i++) sums[from + i] = (sums[from + i] as number) + scale * (x[i] as number)
}

export const sigmoid = (z: number): number => 1 / (1 + Math.exp(-z))

/** A loss and its slope by the network's output z. */
export interface Loss {
  readonly loss: number
  readonly slope: number
}

/** Memento eq. 15 with Q = sigmoid(z): cross-entropy against the reward, from z, so that it stays finite. Its slope is Q - r (eq. 26). */
export function crossEntropy(z: number, reward: number): Loss {
  const softplus = Math.max(z, 0) + Math.log1p(Math.exp(-Math.abs(z)))
  return { loss: softplus - reward * z, slope: sigmoid(z) - reward }
}

/** Memento eq. 24 with Q = z: the squared TD error against a fixed target y. Its slope is 2 (Q - y) (eq. 25). */
export function squaredError(z: number, target: number): Loss {
  return { loss: (z - target) ** 2, slope: 2 * (z - target) }
}
