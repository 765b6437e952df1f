import { expect, test } from 'vitest'
import { drawOrder, softValue, tdTarget } from '../../../../src/core/memory/cases/policy'
import { createRng } from '../../../../src/core/ground/random'

/** mu*(c | s, M) of Memento eq. 7, as it is printed. */
function softPolicy(values: readonly number[], alpha: number): number[] {
  const weights = values.map((q) => Math.exp(q / alpha))
  const sum = weights.reduce((total, weight) => total + weight, 0)
  return weights.map((weight) => weight / sum)
}

test('the soft value is what eq. 4 gives under the policy of eq. 7', () => {
  const values = [0.9, 0.2, 0.55]
  for (const alpha of [0.05, 0.3, 2]) {
    const mu = softPolicy(values, alpha)
    expect(mu.reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 12)
    const value = values.reduce(
      (sum, q, i) => sum + (mu[i] as number) * (q - alpha * Math.log(mu[i] as number)),
      0,
    )
    expect(softValue(values, alpha)).toBeCloseTo(value, 12)
  }
  expect(softValue(values, 0)).toBe(0.9)
  expect(softValue(values, 1e-6)).toBeCloseTo(0.9, 6)
  expect(softValue([800, 799], 0.01)).toBeCloseTo(800, 9)
  expect(softValue([], 0.5)).toBe(0)
})

test('TD targets (eq. 8): a last step is worth its reward', () => {
  expect(tdTarget(1, 0.9, 0.1, [])).toBe(1)
  expect(tdTarget(0, 0.5, 0, [0.4, 0.8])).toBeCloseTo(0.4)
  expect(tdTarget(1, 0.5, 0.2, [0.4, 0.8])).toBeCloseTo(1 + 0.5 * softValue([0.4, 0.8], 0.2))
})

test('alpha 0 takes the best in order; otherwise the first case drawn follows mu*', () => {
  expect(drawOrder([0.1, 0.9, 0.5, 0.9], 0, createRng('x'))).toEqual([1, 3, 2, 0])
  const values = [1, 0.8, 0.2]
  const alpha = 0.3
  const rng = createRng('draws')
  const firsts = [0, 0, 0]
  const draws = 20_000
  for (let i = 0; i < draws; i++) {
    const order = drawOrder(values, alpha, rng)
    expect([...order].sort()).toEqual([0, 1, 2])
    const first = order[0] as number
    firsts[first] = (firsts[first] as number) + 1
  }
  softPolicy(values, alpha).forEach((p, i) => {
    expect(Math.abs((firsts[i] as number) / draws - p)).toBeLessThan(0.015)
  })
})
