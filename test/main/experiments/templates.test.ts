import { readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { heldOutLast, isHeldOut, ONCE, schedule } from '../../../src/core/lab/protocol'
import { findMethod } from '../../../src/core/methods'
import { readStudyFile } from '../../../src/main/experiments/study-file'
import { fakeTasks } from '../runs/fakes'

const folder = resolve('resources/experiments')

test.each(readdirSync(folder))('%s is a definition over methods there are', async (name) => {
  const { methods, exp, protocol } = await readStudyFile(resolve(folder, name))
  for (const method of methods) findMethod(typeof method === 'string' ? method : method.method)
  if (name === 'memento-k-sweep.yaml') expect(exp).toEqual([0, 1, 2, 4, 8, 16, 32])
  if (name === 'memento-iterations.yaml') expect(protocol.iterations).toBe(5)
  if (name === 'memento-out-of-distribution.yaml')
    expect(protocol.heldOut).toEqual(['musique', 'Bamboogle', 'popqa'])
})

test('held-out tasks come last in every iteration, and are known as such', () => {
  const tasks = fakeTasks(4).map((task, i) => ({ ...task, skills: [i % 2 === 0 ? 'new' : 'old'] }))
  const protocol = { ...ONCE, iterations: 2, heldOut: ['new'] }
  expect(heldOutLast(tasks, protocol).map(({ id }) => id)).toEqual(['t1', 't3', 't0', 't2'])
  const played = schedule(tasks, protocol)
  expect(played.map(({ id, index }) => [id, index])).toEqual([
    ['t1', 0],
    ['t3', 1],
    ['t0', 2],
    ['t2', 3],
    ['t1', 4],
    ['t3', 5],
    ['t0', 6],
    ['t2', 7],
  ])
  expect(played.map(({ skills }) => isHeldOut(skills, protocol)).slice(0, 4)).toEqual([
    false,
    false,
    true,
    true,
  ])
  expect(schedule(tasks, ONCE).map(({ id }) => id)).toEqual(['t0', 't1', 't2', 't3'])
})
