import { describe, expect, it } from 'vitest'
import { openLearner } from '../../../../src/core/memory/cases/learner'
import { keepCase } from '../../../../src/core/memory/cases/recalled-case'
import { traitsOf } from '../../../../src/core/memory/cases/relations'
import { ofTasks, type SameTask } from '../../../../src/core/memory/cases/same-task'
import { lexicalVector } from '../../../../src/core/retrieval/lexical-embedder'
import { createRng } from '../../../../src/core/ground/random'
import { trajectoryOf } from '../../../main/memory-store/fixtures'
import { learnerOptions, memoryHistory, similaritySelector, writeOf } from './stream'

/** Task, reward; in order of arrival. Two tasks, three passes. */
const ATTEMPTS = [
  ['Count the visits of Kai.', 0],
  ['Count the orders of Pia.', 1],
  ['Count the visits of Kai.', 1],
  ['Count the orders of Pia.', 1],
  ['Count the visits of Kai.', 1],
  ['Count the orders of Pia.', 0],
] as const

const allowed = (task: string, sameTask: SameTask): number[] =>
  ofTasks(
    ATTEMPTS.map(([state, reward], at) => ({ state, reward, at })),
    (each) => each,
    task,
    sameTask,
  ).map(({ at }) => at)

describe('of several attempts at a task', () => {
  const elsewhere = 'Count the rooms of Ben.'
  it.each([
    ['all', [0, 1, 2, 3, 4, 5]],
    ['newest', [4, 5]],
    ['best-and-worst', [0, 3, 4, 5]],
  ] as const)('recalls %s', (perTask, expected) => {
    expect(allowed(elsewhere, { perTask, ownTask: true })).toEqual(expected)
  })

  it('leaves out those at the task itself where that is wanted', () => {
    expect(allowed('Count the visits of Kai.', { perTask: 'all', ownTask: false })).toEqual([1, 3, 5])
    expect(allowed('Count the visits of Kai.', { perTask: 'newest', ownTask: false })).toEqual([5])
    expect(allowed('Count the visits of Kai.', { perTask: 'newest', ownTask: true })).toEqual([4, 5])
  })

  it('a learner ranks only those', async () => {
    const { bank } = memoryHistory(
      ATTEMPTS.map(([state, reward], n) => writeOf(n, state, '', lexicalVector(state), [], reward)),
    )
    const learner = await openLearner({
      ...learnerOptions(bank, () => similaritySelector),
      sameTask: { perTask: 'best-and-worst', ownTask: false },
    })
    await learner.catchUp()
    const state = ATTEMPTS[0][0]
    const ranked = learner.rank(traitsOf(state, '', lexicalVector(state)), 'lab-db', createRng('rank'))
    expect(ranked.map(({ id }) => id).sort()).toEqual(['3', '5'])
  })
})

describe('what is kept of planner and executor', () => {
  const answered = {
    ...trajectoryOf('t-1'),
    rounds: [
      {
        index: 0,
        completion: 'FINAL ANSWER: 1912',
        action: { kind: 'answer' as const, content: '1912' },
        observation: null,
        usage: trajectoryOf('t-1').usage,
      },
    ],
    reward: 1 as const,
  }
  const cycle = (subtasks: readonly string[], answer: string | null) => ({
    index: 0,
    reply: '',
    answer,
    subtasks: subtasks.map((description, i) => ({ id: i + 1, description, result: 'done', steps: [] })),
  })

  it('a final answer without a plan is no case', async () => {
    const cycles = [cycle([], '1912')] as never
    expect((await keepCase({ ...answered, cycles })).events).toEqual([])
  })

  it('the plan is, and not the answer that followed', async () => {
    const cycles = [cycle(['Look up the year'], null), cycle([], '1912')] as never
    const [event] = (await keepCase({ ...answered, cycles })).events
    expect(event).toMatchObject({
      kind: 'case-added',
      case: { plan: expect.stringContaining('Look up') as unknown },
    })
    expect(JSON.stringify(event)).not.toContain('1912')
  })
})
