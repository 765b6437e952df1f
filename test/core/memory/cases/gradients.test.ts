import { describe, expect, it } from 'vitest'
import {
  addEpisodicGradient,
  episodicValue,
  kernel,
  type Neighbour,
} from '../../../../src/core/memory/cases/kernel'
import {
  createNetwork,
  crossEntropy,
  forward,
  gradientOf,
  output,
  readOn,
  sigmoid,
  squaredError,
  weightCount,
  type Loss,
} from '../../../../src/core/memory/cases/network'
import { createRng } from '../../../../src/core/ground/random'

const TOLERANCE = 1e-4
const STEP = 1e-3

/** Central differences of `loss` by every value; the values are float32, so the step that was really taken is divided by. */
function differences(values: Float32Array, loss: () => number): number[] {
  return Array.from(values, (value, i) => {
    values[i] = value + STEP
    const above = values[i] as number
    const more = loss()
    values[i] = value - STEP
    const below = values[i] as number
    const less = loss()
    values[i] = value
    return (more - less) / (above - below)
  })
}

function expectClose(analytic: ArrayLike<number>, numeric: readonly number[]): void {
  expect(analytic.length).toBe(numeric.length)
  numeric.forEach((expected, i) => {
    expect(Math.abs((analytic[i] as number) - expected)).toBeLessThan(
      TOLERANCE * Math.max(1, Math.abs(expected)),
    )
  })
  expect(numeric.some((value) => Math.abs(value) > 0.01)).toBe(true)
}

const rng = createRng('gradients')
const numbers = (count: number, scale = 1): Float64Array =>
  Float64Array.from({ length: count }, () => (rng.next() * 2 - 1) * scale)

/** A network with every weight at work, unlike a fresh one, whose later units are not heard. */
function drawnNetwork(inputs: number, hidden: number) {
  const network = createNetwork(inputs, hidden, rng, { low: -1, high: 1 })
  network.weights.set(numbers(weightCount(inputs, hidden)))
  return network
}

describe('many inputs that begin alike', () => {
  it('are answered as if each was read whole', () => {
    const network = drawnNetwork(11, 5)
    const first = numbers(6)
    const middle = numbers(5)
    const rest = readOn(network, first, middle)
    for (const [scale, shift] of [
      [0.02, 1.5],
      [0.5, 0],
      [0, 0],
    ] as const) {
      const codes = Int8Array.from(numbers(5, 127))
      const second = Array.from(codes, (code, i) => scale * code - shift * (middle[i] as number))
      expect(rest({ codes, scale, shift })).toBeCloseTo(
        output(network, Float64Array.from([...first, ...second])),
        10,
      )
    }
    expect(rest(null)).toBeCloseTo(output(network, Float64Array.from([...first, 0, 0, 0, 0, 0])), 10)
  })
})

describe('gradients of the network', () => {
  const losses: [string, (z: number, target: number) => Loss, number[]][] = [
    ['cross-entropy (eq. 15, 26)', crossEntropy, [0, 1]],
    ['squared TD error (eq. 24, 25)', squaredError, [0, 0.4, 1.3]],
  ]
  it.each(losses)('%s agrees with finite differences', (_name, lossOf, targets) => {
    for (const [inputs, hidden] of [
      [6, 8],
      [40, 3],
    ] as const) {
      const network = drawnNetwork(inputs, hidden)
      const x = targets.map(() => numbers(inputs))
      const losses = () => forward(network, x).z.map((z, i) => lossOf(z, targets[i] as number))
      const slopes = losses().map(({ slope }) => slope)
      expectClose(
        gradientOf(network, forward(network, x), slopes),
        differences(network.weights, () => losses().reduce((sum, { loss }) => sum + loss, 0)),
      )
    }
  })

  it('cross-entropy is that of sigmoid(z), and finite where sigmoid is 0 or 1', () => {
    for (const z of [-3, -0.2, 0, 1.7]) {
      const q = sigmoid(z)
      for (const r of [0, 1])
        expect(crossEntropy(z, r).loss).toBeCloseTo(-r * Math.log(q) - (1 - r) * Math.log(1 - q), 10)
    }
    expect(crossEntropy(800, 0)).toEqual({ loss: 800, slope: 1 })
    expect(crossEntropy(-800, 1).loss).toBe(800)
  })

  it('a fresh network only follows its first input', () => {
    const network = createNetwork(5, 8, rng, { low: 0, high: 1 })
    const at = (cosine: number): number => output(network, Float64Array.of(cosine, ...numbers(4)))
    expect([0, 0.5, 1].map(at).map((value) => Number(value.toFixed(6)))).toEqual([0, 0.5, 1])
    expect(at(0.3)).toBeLessThan(at(0.4))
  })
})

describe('gradient of the kernel', () => {
  const theta = Float32Array.of(0.3, -0.7, 0.1, -1.2)
  const near: Neighbour[] = Array.from({ length: 5 }, () => ({
    distances: numbers(4).map(Math.abs),
    value: rng.next() * 8 - 4,
  }))

  it('of the TD loss (eq. 11) agrees with finite differences', () => {
    for (const target of [0, 0.5, 1.4]) {
      const gradient = new Float32Array(theta.length)
      const loss = addEpisodicGradient(theta, near, target, 1, gradient)
      expect(loss).toBeCloseTo((episodicValue(theta, near).value - target) ** 2, 12)
      const numeric = differences(theta, () => (episodicValue(theta, near).value - target) ** 2)
      expect(gradient).toHaveLength(numeric.length)
      numeric.forEach((expected, i) => {
        expect(Math.abs((gradient[i] as number) - expected)).toBeLessThan(TOLERANCE)
      })
      expect(numeric.some((value) => Math.abs(value) > 1e-3)).toBe(true)
    }
  })

  it('is the kernel-weighted mean of eq. 9', () => {
    const [a, b] = near as [Neighbour, Neighbour]
    const [ka, kb] = [kernel(theta, a.distances), kernel(theta, b.distances)]
    expect(episodicValue(theta, [a, b])).toEqual({
      value: (ka * a.value + kb * b.value) / (ka + kb),
      mass: ka + kb,
    })
    expect(kernel(theta, new Float64Array(4))).toBe(1)
    expect(episodicValue(theta, [])).toEqual({ value: 0, mass: 0 })
  })
})
