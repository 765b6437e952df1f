import { expect, test } from 'vitest'
import { reasoningBank } from '../../../src/core/methods/reasoning-bank/reasoning-bank'
import { attemptAt, openLab } from './fixtures'

const strategy = (title: string) => ({ title, description: 'Of bookings.', content: `Do ${title}.` })
const reply = (...titles: string[]): string => JSON.stringify({ strategies: titles.map(strategy) })

test('up to three strategies are drawn from solved and failed attempts, each with its own question', async () => {
  const lab = openLab(reasoningBank, [reply('A', 'B'), reply('C')], { k: 3 })
  await lab.live(attemptAt(1, 1), attemptAt(2, 0))
  expect(await lab.memory.items('strategy')).toMatchObject([
    { id: 'strategy-r1-t0001-1', title: 'A', success: true },
    { id: 'strategy-r1-t0001-2', title: 'B', success: true },
    { id: 'strategy-r1-t0002-1', title: 'C', success: false },
  ])
  const [solved, failed] = lab.model.requests
  expect(solved?.messages[1]?.content).toMatch(/^Solved: Count the bookings of kind 1\./)
  expect(failed?.messages[1]?.content).toMatch(/^Failed: Count the bookings of kind 2\./)
  expect(failed?.messages[0]?.content).not.toBe(solved?.messages[0]?.content)
})

test('failures are left out when told so, and nothing is asked', async () => {
  const lab = openLab(reasoningBank, [reply('A')], {
    k: 3,
    settings: { 'reasoning-bank': { failures: false } },
  })
  await lab.live(attemptAt(1, 0))
  expect(lab.model.requests).toEqual([])
  expect(await lab.memory.items('strategy')).toEqual([])
})

test('a task is shown the K strategies of the tasks most like it, the nearest last', async () => {
  const lab = openLab(reasoningBank, [reply('of 1'), reply('of 2'), reply('of 9')], { k: 2 })
  await lab.live(attemptAt(1, 1), attemptAt(2, 1), attemptAt(9, 1))
  const { retrieved } = await lab.recall(9)
  expect(retrieved).toHaveLength(2)
  expect(retrieved.at(-1)?.text).toBe('Strategy: of 9\nOf bookings.\nDo of 9.')
})

test('the oldest leave beyond the capacity', async () => {
  const lab = openLab(reasoningBank, [reply('A', 'B'), reply('C', 'D')], {
    k: 3,
    settings: { 'reasoning-bank': { capacity: 3 } },
  })
  await lab.live(attemptAt(1, 1), attemptAt(2, 1))
  expect((await lab.memory.items('strategy')).map(({ title }) => title)).toEqual(['B', 'C', 'D'])
})

test.each([
  ['{"strategies": []}', 'empty'],
  ['{"strategies": "none"}', 'malformed'],
])('%s is recorded as %s, and nothing is kept', async (text, reason) => {
  const lab = openLab(reasoningBank, [text, text], { k: 3 })
  await lab.live(attemptAt(1, 1))
  expect(await lab.memory.items('strategy')).toEqual([])
  expect(lab.memory.events.at(-1)).toMatchObject({ failure: { role: 'reasoning-bank-success', reason } })
})
