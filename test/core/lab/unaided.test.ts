import { describe, expect, it } from 'vitest'
import { METHODS } from '../../../src/core/methods'
import { followsOthers, goesUnaided, isUnproven, memoryRests } from '../../../src/core/lab/unaided'
import { stepOf, type StepEvent } from '../../../src/core/lab/run-record'
import { attemptAt } from '../methods/fixtures'

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

  it('are most of them from the start where a small model wrote what is remembered, until that helps', () => {
    const restsAt = (before: StepEvent[]) =>
      indices.filter((index) => goesUnaided(0.25, before, { seed: 1, index }, true)).length / indices.length
    expect(restsAt([])).toBeGreaterThan(0.68)
    expect(restsAt(steps([1, 0, 1, 0], [1, 0, 1, 0]))).toBeGreaterThan(0.68)
    expect(restsAt(steps([1, 1, 1, 1, 1, 1], [0, 0, 0, 0]))).toBeLessThan(0.32)
    expect(goesUnaided(0, [], { seed: 1, index: 1 }, true)).toBe(false)
  })

  it('know a memory of texts by what its method keeps, and who writes them by the run', () => {
    const small = { presentation: { replies: 'held' } }
    const unproven = METHODS.filter(({ info }) => isUnproven(info, small)).map(({ info }) => info.id)
    expect(unproven.sort()).toEqual([
      'ace',
      'agent-kb',
      'amem',
      'awm',
      'brew',
      'dynamic-cheatsheet',
      'reasoning-bank',
    ])
    const written = { ...small, roles: { writerModel: 'large.gguf' } }
    expect(METHODS.filter(({ info }) => isUnproven(info, written))).toEqual([])
    expect(METHODS.filter(({ info }) => isUnproven(info, {}))).toEqual([])
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

describe('attempts at other tasks', () => {
  const example = (reward: 0 | 1) => ({ reward, examples: 1 }) as StepEvent
  const shareWith = (before: readonly StepEvent[], share = 0.25) =>
    indices.filter((index) => followsOthers(share, before, { seed: 1, index })).length / indices.length

  it('stand before a task once the agent is seen to fail most of them alone', () => {
    expect(shareWith(steps([0, 0, 0], []))).toBe(0)
    expect(shareWith(steps([0, 0, 1, 0], []))).toBe(1)
    expect(shareWith([...steps([0, 0, 1], []), ...[0, 0, 0].map(() => example(0))])).toBe(0)
  })

  it('rest for one that solves two of five or more, but for a few that find out whether they help', () => {
    const able = steps([1, 1, 0, 1, 1, 1], [])
    expect(shareWith(able)).toBeGreaterThan(0.08)
    expect(shareWith(able)).toBeLessThan(0.22)
    expect(shareWith([...able, ...Array(12).fill(example(1))])).toBe(1)
    expect(shareWith([...able, example(1), example(1), example(0), example(1)])).toBeLessThan(0.22)
  })

  it('always stand there where no task is to be attempted without memory', () => {
    expect(shareWith(steps([1, 1, 1, 1], []), 0)).toBe(1)
    expect(shareWith([], 0)).toBe(1)
  })

  it('are counted in the step of each attempt', () => {
    const recalled = (kind: string) => ({
      ...{
        kind,
        id: kind,
        trajectoryId: null,
        title: '',
        score: null,
        scoreKind: '',
        reward: null,
        tokens: 1,
      },
    })
    const attempt = { ...attemptAt(0, 1), recalled: ['case', 'lesson', 'trajectory'].map(recalled) }
    expect(stepOf(attempt)).toMatchObject({ examples: 2 })
    expect(stepOf({ ...attempt, recalled: [recalled('lesson')] })).not.toHaveProperty('examples')
  })
})
