import { describe, expect, it } from 'vitest'
import { curveOf, overWords, spread } from '../../../src/renderer/ground/plot/learning-data'
import { RECENT } from '../../../src/shared/figures/rates'

describe('curveOf', () => {
  it('is the share of all so far', () => {
    expect(curveOf([1, 0, 1, 1], 'all').map((point) => point.rate)).toEqual([1, 0.5, 2 / 3, 0.75])
  })

  it('forgets what left the window', () => {
    const outcomes = [...new Array<number>(RECENT).fill(0), ...new Array<number>(RECENT).fill(1)]
    const rates = curveOf(outcomes, 'window').map((point) => point.rate)
    expect(rates[RECENT - 1]).toBe(0)
    expect(rates[RECENT + 9]).toBe(0.5)
    expect(rates.at(-1)).toBe(1)
  })
})

describe('spread', () => {
  it('keeps labels apart, in order and in bounds', () => {
    expect(spread([50, 52, 10], 20, 0, 100)).toEqual([50, 70, 10])
    expect(spread([95, 99], 20, 0, 100)).toEqual([80, 100])
  })
})

describe('overWords', () => {
  it('says how many tasks a rate is over, not how many were finished', () => {
    expect(overWords(120, 'window')).toBe('last 20 of 120')
    expect(overWords(20, 'window')).toBe('n = 20')
    expect(overWords(12, 'window')).toBe('n = 12')
    expect(overWords(120, 'all')).toBe('n = 120')
  })
})
