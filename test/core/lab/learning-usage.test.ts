import { expect, test } from 'vitest'
import { stepOf } from '../../../src/core/lab/run-record'
import { runTasks } from '../../../src/core/lab/runner'
import { NOTHING_LEARNED } from '../../../src/core/ground/method'
import type { Usage } from '../../../src/shared/domain/trajectory'
import { attemptAt, memoryMemory, taskAt } from '../methods/fixtures'

const usage = (promptTokens: number): Usage => ({ promptTokens, completionTokens: 1, reusedTokens: 0, ms: 5 })

test('what recalling and learning cost is kept with the attempt and counted in its step', async () => {
  const bank = memoryMemory()
  const steps: number[] = []
  await runTasks(
    'r1',
    [taskAt(0), taskAt(1)],
    0,
    {
      bank,
      attempt: ({ index }) =>
        Promise.resolve({ ...attemptAt(index, 1), usage: usage(100), recallUsage: usage(10) }),
      learn: ({ task }) =>
        Promise.resolve(task.index === 0 ? { events: [], usage: usage(1) } : NOTHING_LEARNED),
      finished: (trajectory) => {
        steps.push(stepOf(trajectory).usage.promptTokens)
        return Promise.resolve()
      },
    },
    { signal: new AbortController().signal, pauseRequested: () => false },
  )
  expect(steps).toEqual([111, 110])
  expect((await bank.trajectory('r1-t0000'))?.learnUsage).toEqual(usage(1))
  expect(await bank.trajectory('r1-t0001')).not.toHaveProperty('learnUsage')
})
