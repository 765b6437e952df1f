import { describe, expect, it } from 'vitest'
import { goesUnaided, memoryRests } from '../../../src/core/lab/unaided'
import type { StepEvent } from '../../../src/core/lab/run-record'

const step = (reward: 0 | 1, unaided = false) =>
  ({ reward, ...(unaided && { unaided: true as const }) }) as StepEvent
const steps = (aided: readonly (0 | 1)[], unaided: readonly (0 | 1)[]): StepEvent[] => [
  ...aided.map((reward) => step(reward)),
  ...unaided.map((reward) => step(reward, true)),
]
const indices = Array.from({ length: 400 }, (_, index) => index)
const shareOf = (share: number, before: StepEvent[], seed = 1) =>
  indices.filter((index) => goesUnaided(share, before, { seed, index })).length / indices.length

describe('tasks attempted without memory', () => {
  it('are a share of all, the same ones for the same seed, others for another', () => {
    expect(shareOf(0.25, [])).toBeGreaterThan(0.18)
    expect(shareOf(0.25, [])).toBeLessThan(0.32)
    const drawn = (seed: number) => indices.filter((index) => goesUnaided(0.25, [], { seed, index }))
    expect(drawn(1)).toEqual(drawn(1))
    expect(drawn(1)).not.toEqual(drawn(2))
    expect(shareOf(0, steps([0, 0, 0, 0], [1, 1, 1, 1]))).toBe(0)
  })

  it('are most of them where they go better, so that memory rests and can come back', () => {
    expect(shareOf(0.25, steps([0, 0, 0, 0, 0, 0], [1, 1, 1, 1]))).toBeGreaterThan(0.68)
    expect(shareOf(0.25, steps([1, 1, 1, 1, 1, 1], [0, 0, 0, 0]))).toBeLessThan(0.32)
  })

  it('prove nothing while they are few, or no better than chance', () => {
    expect(memoryRests(steps([0, 0, 0, 0, 0, 0], [1, 1, 1]))).toBe(false)
    expect(memoryRests(steps([0, 0, 0], [1, 1, 1, 1]))).toBe(false)
    expect(memoryRests(steps([1, 0, 1, 0], [1, 1, 0, 0]))).toBe(false)
    expect(memoryRests(steps([0, 0, 0, 0, 0, 0], [1, 1, 1, 1]))).toBe(true)
  })

  it('are compared by the newest: what harmed once may help later', () => {
    const early = steps(Array(40).fill(0), [1, 1, 1, 1])
    const late = steps(Array(40).fill(1), Array(10).fill(0))
    expect(memoryRests(early)).toBe(true)
    expect(memoryRests([...early, ...late])).toBe(false)
  })
})
