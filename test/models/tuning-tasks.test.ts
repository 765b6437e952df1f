import { expect, test } from 'vitest'
import { changesOf, tuningTasks, type Entry } from '../../models/training/tune/tasks'

const task = (instruction: string, sql: string | null): Entry => ({ instruction, answer_info: { sql } })
const CHANGES = Array.from({ length: 58 }, (_, i) => task(`change ${i}`, `UPDATE t SET a = ${i};`))
const OTHERS = Array.from({ length: 342 }, (_, i) =>
  task(
    `other ${i}`,
    i % 9 === 0 ? 'DELETE FROM t WHERE a IN (SELECT a FROM u)' : i % 9 === 1 ? null : 'SELECT a FROM t',
  ),
)
const ALL = [...OTHERS.slice(0, 100), ...CHANGES, ...OTHERS.slice(100)]

test('38 changes are held out, the same each time, and none of them is tuned on', () => {
  const heldOut = changesOf(ALL, 'held-out')
  expect(heldOut).toHaveLength(38)
  expect(changesOf(ALL, 'held-out')).toEqual(heldOut)
  expect(changesOf(ALL, 'tuned')).toHaveLength(20)
  expect(new Set([...heldOut, ...changesOf(ALL, 'tuned')])).toEqual(new Set(changesOf(ALL)))
  const tuned = new Set(tuningTasks(ALL))
  expect(heldOut.filter((entry) => tuned.has(entry))).toEqual([])
})

test('half of all tasks are tuned on, the other changes among them', () => {
  const tuned = tuningTasks(ALL)
  expect(tuned).toHaveLength(200)
  expect(new Set(tuned).size).toBe(200)
  expect(tuned).toEqual(expect.arrayContaining(changesOf(ALL, 'tuned')))
})
