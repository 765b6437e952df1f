import { expect, test } from 'vitest'
import {
  drawingAt,
  isSolvedBefore,
  isTest,
  learnedCount,
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

test('further attempts are drawn anew where the protocol says so', () => {
  const at = (protocol: Parameters<typeof drawingAt>[2], places: number) =>
    Array.from({ length: places }, (_, index) => drawingAt(index, 2, protocol, 0.2))
  const passes = { iterations: 1, passes: 3, retest: 1 }
  const [first, again] = [{ temperature: 0.2 }, { temperature: 0.9, sampling: { topP: 1 } }]
  expect(at({ ...passes, againTemperature: 0.9 }, 7)).toEqual([
    first,
    first,
    again,
    again,
    again,
    again,
    first,
  ])
  expect(at(passes, 7)).toEqual(Array(7).fill(first))
  const iterations = { iterations: 2, passes: 1, retest: 0, test: 1, againTemperature: 0.9 }
  expect(at(iterations, 3)).toEqual([first, again, first])
})

test('tasks that only test come once, after all others, and are never those of an iteration', () => {
  const protocol = { iterations: 2, passes: 1, retest: 1, test: 2 }
  expect(segments(5, protocol)).toEqual([
    { kind: 'iteration', number: 1, from: 0, to: 3 },
    { kind: 'iteration', number: 2, from: 3, to: 6 },
    { kind: 'test', number: 1, from: 6, to: 8 },
    { kind: 'retest', number: 1, from: 8, to: 9 },
  ])
  expect(schedule(fakeTasks(5), protocol).map(({ id }) => id)).toEqual([
    't0',
    't1',
    't2',
    't0',
    't1',
    't2',
    't3',
    't4',
    't0',
  ])
  expect([5, 6, 7, 8].map((place) => isTest(place, 5, protocol))).toEqual([false, true, true, false])
  // One task at least is learned from, however few are taken.
  expect(learnedCount(2, protocol)).toBe(1)
  expect(learnedCount(0, protocol)).toBe(0)
})

test('the number of tasks follows from the number of attempts', () => {
  for (const count of [0, 1, 5, 12]) {
    for (const protocol of [
      ONCE,
      { iterations: 3, passes: 1, retest: 4 },
      { iterations: 1, passes: 2, retest: 50 },
      { iterations: 3, passes: 1, retest: 2, test: 4 },
    ]) {
      expect(streamCount(scheduledTotal(count, protocol), protocol)).toBe(count)
    }
  }
})
