import type { Rng } from '../../random'

/**
 * A two-layer network with one output: z(x) = w2 . tanh(W1 x + b1) + b2.
 *
 * Own arithmetic: at a few hundred weights a tensor library would mostly do bookkeeping. The tests hold every gradient
 * against finite differences.
 */
export interface Network {
  readonly inputs: number
  readonly hidden: number
  /** W1 row by row, b1, w2, b2. */
  readonly weights: Float32Array
}

export const weightCount = (inputs: number, hidden: number): number => hidden * (inputs + 2) + 1

/**
 * A network whose output rises with its first input and depends on nothing else until it has learned: the first hidden unit
 * reads that input, the others start at random but are not yet heard. `low` and `high` are about what it answers for 0 and 1.
 */
export function createNetwork(
  inputs: number,
  hidden: number,
  rng: Rng,
  { low, high }: { readonly low: number; readonly high: number },
): Network {
  const weights = new Float32Array(weightCount(inputs, hidden))
  const spread = 1 / Math.sqrt(inputs)
  for (let i = inputs; i < hidden * inputs; i++) weights[i] = (rng.next() * 2 - 1) * spread
  weights[0] = 2
  weights[hidden * inputs] = -1
  weights[hidden * (inputs + 1)] = (high - low) / (2 * Math.tanh(1))
  weights[hidden * (inputs + 2)] = (low + high) / 2
  return { inputs, hidden, weights }
}

/** z(x), with `weights` in the place of the network's own where given. */
export function output(network: Network, x: Float64Array, weights = network.weights): number {
  const { inputs, hidden } = network
  let z = weights[hidden * (inputs + 2)] as number
  for (let j = 0; j < hidden; j++)
    z += (weights[hidden * (inputs + 1) + j] as number) * unit(network, x, j, weights)
  return z
}

/** Adds `slope` times the gradient of z(x) by the weights to `gradient`. */
export function addGradient(network: Network, x: Float64Array, slope: number, gradient: Float32Array): void {
  const { inputs, hidden, weights } = network
  const bias = hidden * inputs
  const outer = bias + hidden
  add(gradient, outer + hidden, slope)
  for (let j = 0; j < hidden; j++) {
    const h = unit(network, x, j, weights)
    add(gradient, outer + j, slope * h)
    const inner = slope * (weights[outer + j] as number) * (1 - h * h)
    add(gradient, bias + j, inner)
    for (let i = 0; i < inputs; i++) add(gradient, j * inputs + i, inner * (x[i] as number))
  }
}

function unit({ inputs, hidden }: Network, x: Float64Array, j: number, weights: Float32Array): number {
  let sum = weights[hidden * inputs + j] as number
  const row = j * inputs
  for (let i = 0; i < inputs; i++) sum += (weights[row + i] as number) * (x[i] as number)
  return Math.tanh(sum)
}

function add(target: Float32Array, at: number, value: number): void {
  target[at] = (target[at] as number) + value
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
