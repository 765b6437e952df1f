import { describe, expect, it } from 'vitest'
import {
  alikeNote,
  distinctSamples,
  estimate,
  pairedDifference,
  runSignature,
  sampleWords,
  type Sample,
} from '../../../src/shared/figures/estimate'

const run = (rewards: readonly number[], tokens: readonly number[] = []): Sample => ({
  value: rewards.reduce((total, reward) => total + reward, 0) / rewards.length,
  signature: runSignature({ rewards, tokens }),
})

describe('estimates', () => {
  it('say what they are over', () => {
    expect(estimate([])).toEqual({ n: 0, distinct: 0, mean: null, ci95: null })
    expect(estimate([0.25])).toEqual({ n: 1, distinct: 1, mean: 0.25, ci95: null })
    expect(estimate([0.25, null, 0.75])).toEqual({ n: 2, distinct: 2, mean: 0.5, ci95: [0.25, 0.75] })
  })

  it('of seeds that changed nothing are over one sample and have no interval', () => {
    const uniformFields = estimate([run([1, 0, 1]), run([1, 0, 1]), run([1, 0, 1])])
    expect(uniformFields).toEqual({ n: 3, distinct: 1, mean: 2 / 3, ci95: null })
    expect(sampleWords(uniformFields)).toBe('n = 3 alike')
  })

  it('of runs that solved as many tasks, but others, are over samples of their own', () => {
    const equal = estimate([run([1, 0]), run([0, 1])])
    expect(equal).toEqual({ n: 2, distinct: 2, mean: 0.5, ci95: [0.5, 0.5] })
    expect(sampleWords(equal)).toBe('n = 2')
  })

  it('tell runs apart by their tokens too', () => {
    expect(estimate([run([1, 0], [10, 20]), run([1, 0], [10, 21])]).distinct).toBe(2)
    expect(sampleWords(estimate([run([1]), run([1]), run([0])]))).toBe('n = 3 (2 different)')
    expect(distinctSamples(['a', 'b', 'a'])).toBe(2)
    expect(alikeNote([{ n: 3, distinct: 1 }])).toContain('one sample')
    expect(alikeNote([{ n: 3, distinct: 3 }])).toBeNull()
  })
})

describe('differences', () => {
  const samples = (...pairs: (readonly [seed: number, value: number])[]) =>
    new Map(pairs.map(([seed, value]) => [seed, { value, signature: `${seed}` }]))

  it('are paired by seed', () => {
    const values = samples([1, 0.75], [2, 0.5], [9, 1])
    const baseline = samples([2, 0.25], [1, 0.25], [3, 0])
    expect(pairedDifference(values, baseline)).toEqual({ n: 2, distinct: 2, mean: 0.375, ci95: [0.25, 0.5] })
    expect(pairedDifference(values, new Map())).toEqual({ n: 0, distinct: 0, mean: null, ci95: null })
  })

  it('of pairs that went alike are one sample', () => {
    const uniformFields = (value: number) =>
      new Map([1, 2, 3].map((seed) => [seed, { value, signature: 'same' }]))
    expect(pairedDifference(uniformFields(1), uniformFields(0.5))).toEqual({
      n: 3,
      distinct: 1,
      mean: 0.5,
      ci95: null,
    })
  })
})
