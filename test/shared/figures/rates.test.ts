import { describe, expect, it } from 'vitest'
import {
  firstThirdRate,
  lastThirdRate,
  LONG_RECENT,
  movingRate,
  recentRate,
  runningSum,
  successRate,
  thirdOf,
  thirds,
} from '../../../src/shared/figures/rates'

describe('rates', () => {
  it('of a stream and its thirds', () => {
    const rewards = [0, 0, 0, 1, 0, 1, 1, 1]
    expect(successRate(rewards)).toBe(0.5)
    expect(thirdOf(8)).toBe(2)
    expect(firstThirdRate(rewards)).toBe(0)
    expect(lastThirdRate(rewards)).toBe(1)
    expect(thirds(rewards)).toEqual({ first: 0, last: 1 })
  })

  it('have an answer for short streams', () => {
    expect([successRate([]), firstThirdRate([]), lastThirdRate([])]).toEqual([0, 0, 0])
    expect([firstThirdRate([1]), lastThirdRate([1])]).toEqual([1, 1])
    expect([firstThirdRate([1, 0]), lastThirdRate([1, 0])]).toEqual([1, 0])
    expect(thirds([1, 0])).toBeNull()
  })

  it('per attempt have one value each', () => {
    expect(movingRate([1, 0, 0, 1], 2)).toEqual([1, 0.5, 0, 0.5])
    expect(runningSum([1, 0, 1, 1])).toEqual([1, 1, 2, 3])
    const long = Array.from({ length: 150 }, (_, i) => (i < 50 ? 0 : 1))
    expect(movingRate(long, LONG_RECENT)[99]).toBe(0.5)
    expect(movingRate(long, LONG_RECENT)[149]).toBe(1)
  })

  it('do not grow with the square of the attempts', () => {
    const rewards = new Array<number>(200_000).fill(1)
    expect(movingRate(rewards, 100_000).at(-1)).toBe(1)
  })
})

describe('a rate as of now', () => {
  const rewards = [...new Array<number>(100).fill(0), ...new Array<number>(20).fill(1)]

  it('says what it is over: 20 tasks, not the 120 of the run', () => {
    expect(recentRate(rewards)).toEqual({ rate: 1, n: 20, label: 'last 20 tasks' })
    expect(recentRate(rewards, 40)).toEqual({ rate: 0.5, n: 40, label: 'last 40 tasks' })
  })

  it('says so when it is over everything', () => {
    expect(recentRate([1, 0])).toEqual({ rate: 0.5, n: 2, label: 'all 2 tasks' })
    expect(recentRate([1])).toEqual({ rate: 1, n: 1, label: 'all 1 task' })
    expect(recentRate([])).toEqual({ rate: null, n: 0, label: 'no tasks yet' })
  })
})
