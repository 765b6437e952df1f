import { expect, test } from 'vitest'
import { learningOf } from '../../../src/core/ground/learn-from-attempt'
import { runTasks } from '../../../src/core/lab/runner'
import { caseBank } from '../../../src/core/methods/case-bank/case-bank'
import { attemptAt, openLab, taskAt } from '../methods/fixtures'

test('an attempt that nobody could judge is kept, but nothing is learned from it', async () => {
  const { context, memory } = openLab(caseBank, [])
  await runTasks(
    'r1',
    [taskAt(0), taskAt(1)],
    0,
    {
      bank: memory,
      attempt: ({ index }) =>
        Promise.resolve(attemptAt(index, 0, index === 0 ? { ungraded: 'The judge was out of reach.' } : {})),
      learn: learningOf(caseBank, () => context),
      finished: () => Promise.resolve(),
    },
    { signal: new AbortController().signal, pauseRequested: () => false },
  )
  expect(await memory.trajectory('r1-t0000')).toMatchObject({
    reward: 0,
    ungraded: 'The judge was out of reach.',
  })
  const cases = memory.events.flatMap((event) =>
    event.kind === 'case-added' ? [event.case.trajectoryId] : [],
  )
  expect(cases).toEqual(['r1-t0001'])
})
