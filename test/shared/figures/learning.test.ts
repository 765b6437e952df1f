import { expect, test } from 'vitest'
import { attemptCost, costPerTask, costsByOutcome } from '../../../src/shared/figures/costs'
import { columnMeans, finiteValues, mean } from '../../../src/shared/figures/mean'
import { pooledRate, skillRates } from '../../../src/shared/figures/skills'
import { forgetting, forwardTransfer, rateDifference } from '../../../src/shared/figures/transfer'
import { rateCurve, wilson } from '../../../src/shared/figures/wilson'

test('forward transfer leaves out the first task, forgetting compares before and after', () => {
  // 1-0, 1-1, 0-1, 1-0 over tasks 2 to 5.
  expect(forwardTransfer([0, 1, 1, 0, 1], [1, 0, 1, 1, 0])).toBe(0.25)
  expect(rateDifference([0, 1, 1, 0, 1], [1, 0, 1, 1, 0])).toBe(0)
  expect(forwardTransfer([1], [0])).toBeNull()
  expect(forwardTransfer([0, 1, 1], [0, 0])).toBe(1)
  expect(forgetting([1, 1, 0, 1], [1, 0, 1, 0])).toBe(0.25)
  expect(forgetting([1, 1, 0, 1], [0])).toBe(1)
  expect(forgetting([1, 1], [])).toBeNull()
})

test('skills count each attempt once, and pool by attempts', () => {
  expect(skillRates([1, 0, 1], [['join', 'count'], ['count'], ['count', 'count']])).toEqual([
    { skill: 'count', n: 3, rate: 2 / 3 },
    { skill: 'join', n: 1, rate: 1 },
  ])
  expect(
    pooledRate([
      { n: 3, rate: 1 },
      { n: 1, rate: 0 },
    ]),
  ).toBe(0.75)
  expect(pooledRate([])).toBeNull()
})

test('costs are means over what is known, solved and failed attempts apart', () => {
  expect(costPerTask([])).toEqual({ steps: null, toolCalls: null, tokens: null })
  const usage = (promptTokens: number, completionTokens: number) => ({ promptTokens, completionTokens })
  const steps = [
    { reward: 1 as const, rounds: 2, toolCalls: 1, usage: usage(100, 10) },
    { reward: 0 as const, usage: usage(50, 0) },
    { reward: 1 as const, rounds: 1, toolCalls: 0, usage: usage(50, 30) },
    { reward: 1 as const, carried: true, usage: usage(0, 0) },
  ]
  expect(costPerTask(steps.slice(0, 3).map(attemptCost))).toEqual({ steps: 1.5, toolCalls: 0.5, tokens: 80 })
  expect(costsByOutcome(steps)).toEqual({
    solvedCost: { tasks: 2, steps: 1.5, toolCalls: 0.5, tokens: 95 },
    failedCost: { tasks: 1, steps: null, toolCalls: null, tokens: 50 },
  })
  expect(costsByOutcome([]).solvedCost).toBeNull()
})

test('means of nothing are null', () => {
  expect(mean([])).toBeNull()
  expect(finiteValues([1, null, 0, undefined])).toEqual([1, 0])
  expect(
    columnMeans([
      [1, 0, 1],
      [0, 0],
    ]),
  ).toEqual([0.5, 0])
  expect(columnMeans([])).toEqual([])
})

test('the score interval matches published values for 8 of 10, and stays within 0 and 1', () => {
  const { low, high } = wilson(8, 10)
  expect(low).toBeCloseTo(0.4902, 3)
  expect(high).toBeCloseTo(0.9433, 3)
  expect(wilson(0, 5).low).toBe(0)
  expect(wilson(5, 5).high).toBe(1)
})

test('a rate curve forgets what left its window, and is the share of all so far without one', () => {
  expect(rateCurve([1, 0, 1, 1], null).map(({ rate }) => rate)).toEqual([1, 0.5, 2 / 3, 0.75])
  const rewards = [...new Array<number>(20).fill(0), ...new Array<number>(20).fill(1)]
  const points = rateCurve(rewards, 20)
  expect([points[19]?.rate, points[29]?.rate, points.at(-1)?.rate]).toEqual([0, 0.5, 1])
  expect(points.at(-1)).toEqual(wilson(20, 20))
})
