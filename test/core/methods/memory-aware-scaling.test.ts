import { expect, test } from 'vitest'
import type { PlayAttempt } from '../../../src/core/ground/method'
import { reasoningBank } from '../../../src/core/methods/reasoning-bank/reasoning-bank'
import { stepOf } from '../../../src/core/lab/run-record'
import { scalingFigures } from '../../../src/shared/figures/scaling'
import { attemptAt, openLab, taskAt, type Lab } from './fixtures'

const CHOICE = (attempt: number): string => JSON.stringify({ attempt })
const STRATEGY = JSON.stringify({ strategies: [{ title: 'T', description: '', content: 'C' }] })
const scaled = (change: Record<string, unknown>) => ({ 'reasoning-bank': { attempts: 3, ...change } })

/** Plays attempts that come to `rewards` in order, and remembers what each was asked for and shown. */
function player(lab: Lab, rewards: readonly (0 | 1)[]) {
  const asked: { id: string; seed: number | undefined; temperature: number; shown: string[] }[] = []
  const play: PlayAttempt = async ({ id, task, method, temperature, seed }) => {
    const { retrieved } = await method.recall({ task, context: '' }, lab.context)
    asked.push({ id, seed, temperature, shown: retrieved.map(({ text }) => text) })
    const n = asked.length
    return attemptAt(task.index, rewards[n - 1] ?? 0, {
      id,
      usage: { promptTokens: 100 * n, completionTokens: n, reusedTokens: 0, ms: 1 },
    })
  }
  const input = {
    id: 'r1-t0001',
    task: taskAt(1),
    temperature: 0.2,
    play,
    signal: new AbortController().signal,
  }
  return { asked, made: async () => reasoningBank.attempts?.(input, lab.context) ?? null }
}

test('one attempt is made unless told otherwise', async () => {
  const lab = openLab(reasoningBank, [])
  expect(await player(lab, [1]).made()).toBeNull()
})

test('in parallel: attempts with seeds of their own, the one the model chose is reported, everything is paid for', async () => {
  const lab = openLab(reasoningBank, [CHOICE(2), STRATEGY], { settings: scaled({}) })
  const { asked, made } = player(lab, [0, 1, 0])
  const attempt = await made()
  expect(asked.map(({ id }) => id)).toEqual(['r1-t0001', 'r1-t0001-again1', 'r1-t0001-again2'])
  expect(asked.map(({ temperature }) => temperature)).toEqual([0.2, 0.7, 0.7])
  expect(asked[0]?.seed).toBeUndefined()
  expect(new Set(asked.map(({ seed }) => seed)).size).toBe(3)
  expect(attempt).toMatchObject({
    id: 'r1-t0001',
    reward: 1,
    scaling: { how: 'parallel', by: 'choice', reported: 1, usage: { promptTokens: 100 + 300 + 10 } },
  })
  // The judge of attempts is told nothing of how they ended.
  expect(lab.model.requests[0]?.messages[1]?.content).not.toMatch(/Solved|Failed/)
  if (!attempt) throw new Error('Nothing was made.')
  const step = stepOf(attempt)
  expect(step).toMatchObject({ reward: 1, attempts: [0, 1, 0], usage: { promptTokens: 610 } })
  await lab.live(attempt)
  const contrast = lab.model.requests[1]?.messages[1]?.content ?? ''
  expect(contrast).toMatch(/^Attempt 1\nFailed: .*Attempt 2\nSolved: .*Attempt 3\nFailed: /s)
  expect(await lab.memory.items('strategy')).toHaveLength(1)
})

test('pass@1 reports the first attempt and asks nobody', async () => {
  const lab = openLab(reasoningBank, [], { settings: scaled({ report: 'first' }) })
  const attempt = await player(lab, [0, 1, 1]).made()
  expect(attempt).toMatchObject({ reward: 0, scaling: { by: 'first', reported: 0 } })
  expect(lab.model.requests).toEqual([])
})

test('in sequence: each attempt is shown the one before without its verdict and told to go over it, the last one counts', async () => {
  const lab = openLab(reasoningBank, [], { settings: scaled({ scaling: 'sequential' }) })
  const { asked, made } = player(lab, [0, 0, 1])
  const attempt = await made()
  expect(asked.map(({ shown }) => shown.length)).toEqual([0, 1, 1])
  expect(asked[1]?.shown[0]).toContain('Go over it once more from the start')
  expect(asked[1]?.shown[0]).not.toMatch(/Solved|Failed/)
  expect(attempt).toMatchObject({ reward: 1, scaling: { how: 'sequential', by: 'last', reported: 2 } })
})

test('pass@1, what was reported and pass@k are told apart', () => {
  expect(scalingFigures([{ reward: 1 }, { reward: 0 }])).toEqual({})
  expect(
    scalingFigures([
      { reward: 1, attempts: [0, 1] },
      { reward: 0, attempts: [1, 0] },
      { reward: 0, attempts: [0, 0] },
    ]),
  ).toEqual({ scaling: { attempts: 2, first: 1 / 3, reported: 1 / 3, any: 2 / 3 } })
})
