import { expect, test } from 'vitest'
import { awm } from '../../../src/core/methods/awm/awm'
import { workflowText } from '../../../src/core/methods/awm/messages'
import { attemptAt, openLab } from './fixtures'

const workflow = (goal: string, steps: readonly string[] = ['Look up {value}.', 'Count the rows.']): string =>
  JSON.stringify({ goal, steps })

test('every success becomes a workflow; failures do not', async () => {
  const lab = openLab(awm, [workflow('Count rows of a kind')])
  await lab.live(attemptAt(1, 0), attemptAt(2, 1))
  expect(await lab.memory.items('workflow')).toMatchObject([
    { id: 'workflow-r1-t0002', goal: 'Count rows of a kind', trajectoryIds: ['r1-t0002'] },
  ])
  expect(lab.model.requests[0]?.messages[1]?.content).toMatch(/^Solved: Count the bookings of kind 2\./)
})

test('an induction sees more successes when it is told to, oldest first', async () => {
  let n = 0
  const lab = openLab(awm, () => workflow(`Goal ${++n}`), { settings: { awm: { examples: 2 } } })
  await lab.live(attemptAt(1, 1), attemptAt(2, 1), attemptAt(3, 1))
  expect(lab.model.requests[2]?.messages[1]?.content).toMatch(/kind 2\.[\s\S]*kind 3\./)
  expect((await lab.memory.items('workflow')).at(-1)?.trajectoryIds).toEqual(['r1-t0003', 'r1-t0002'])
})

test('recalls the K workflows whose goals are most like the task, best last', async () => {
  const goals = ['Sell a house', 'Count bookings of a kind', 'Count the bookings of kind 9']
  const lab = openLab(
    awm,
    goals.map((goal) => workflow(goal)),
    { k: 2 },
  )
  await lab.live(attemptAt(1, 1), attemptAt(2, 1), attemptAt(3, 1))
  const parts = await lab.recall(9)
  expect(parts.successLessons.map(({ item }) => item.title)).toEqual([goals[1], goals[2]])
  expect(parts.successLessons[1]?.text).toBe(
    workflowText({ goal: goals[2] ?? '', steps: ['Look up {value}.', 'Count the rows.'] }),
  )
  expect(parts.successLessons[1]?.text).toMatch(
    /^Workflow: .*\n1\. Look up \{value\}\.\n2\. Count the rows\.$/,
  )
})

test('keeps no workflow twice and drops the oldest beyond its capacity', async () => {
  const goals = ['A', 'A', 'B', 'C']
  const lab = openLab(
    awm,
    goals.map((goal) => workflow(goal)),
    { settings: { awm: { capacity: 2 } } },
  )
  await lab.live(...goals.map((_, n) => attemptAt(n, 1)))
  expect((await lab.memory.items('workflow')).map(({ goal }) => goal)).toEqual(['B', 'C'])
  expect(lab.kinds()).toEqual([
    'memory-added',
    'writing-failed',
    'memory-added',
    'memory-added',
    'memory-dropped',
  ])
})

test.each([
  ['{"goal": "A"}', 'malformed'],
  [workflow('A', []), 'empty'],
  [workflow(' '), 'empty'],
] as const)('records %s as %s after a second try', async (reply, reason) => {
  const lab = openLab(awm, [reply, reply])
  await lab.live(attemptAt(1, 1))
  expect(await lab.memory.items('workflow')).toEqual([])
  expect(lab.memory.events.at(-1)).toMatchObject({ failure: { role: 'awm-workflow', reason, tries: 2 } })
})

test('of more steps than there is room for the first ones are kept, without asking again', async () => {
  const seven = Array.from({ length: 7 }, (_, i) => `step ${i}`)
  const lab = openLab(awm, [workflow('A', seven)])
  await lab.live(attemptAt(1, 1))
  const [kept] = await lab.memory.items('workflow')
  expect(kept?.steps).toEqual(seven.slice(0, 6))
})

test('at K = 0 nothing is written or shown', async () => {
  const lab = openLab(awm, [], { k: 0 })
  await lab.live(attemptAt(1, 1))
  expect((await lab.recall(2)).successLessons).toEqual([])
})
