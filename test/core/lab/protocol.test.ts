import { expect, test } from 'vitest'
import {
  isSolvedBefore,
  ONCE,
  schedule,
  scheduledTotal,
  segments,
  streamCount,
} from '../../../src/core/lab/protocol'
import { protocolSchema } from '../../../src/shared/domain/run'
import { fakeTasks } from '../../main/runs/fakes'

test('iterations, passes and re-tests follow each other', () => {
  expect(segments(3, ONCE)).toEqual([{ kind: 'iteration', number: 1, from: 0, to: 3 }])
  expect(segments(3, { iterations: 1, passes: 2, retest: 2 })).toEqual([
    { kind: 'iteration', number: 1, from: 0, to: 3 },
    { kind: 'pass', number: 2, from: 3, to: 6 },
    { kind: 'retest', number: 1, from: 6, to: 8 },
  ])
  const tasks = schedule(fakeTasks(2), { iterations: 2, passes: 1, retest: 9 })
  expect(tasks.map((task) => [task.id, task.index])).toEqual([
    ['t0', 0],
    ['t1', 1],
    ['t0', 2],
    ['t1', 3],
    ['t0', 4],
    ['t1', 5],
  ])
  expect(protocolSchema.safeParse({ iterations: 2, passes: 2 }).success).toBe(false)
})

test('a later pass leaves out what an earlier one solved', () => {
  const protocol = { iterations: 1, passes: 3, retest: 0 }
  expect([3, 4].map((i) => isSolvedBefore(i, 3, protocol, [0, 1, 0, 1]))).toEqual([false, true])
  expect([6, 7, 8].map((i) => isSolvedBefore(i, 3, protocol, [0, 1, 0, 1, 1, 0]))).toEqual([
    true,
    true,
    false,
  ])
  expect(isSolvedBefore(1, 3, protocol, [1])).toBe(false)
})

test('the number of tasks follows from the number of attempts', () => {
  for (const count of [0, 1, 5, 12]) {
    for (const protocol of [
      ONCE,
      { iterations: 3, passes: 1, retest: 4 },
      { iterations: 1, passes: 2, retest: 50 },
    ]) {
      expect(streamCount(scheduledTotal(count, protocol), protocol)).toBe(count)
    }
  }
})
