import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createIdle } from '../../../src/main/runs/idle'
import type { JobInfo } from '../../../src/shared/domain/job'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** An idle watch over a machine on which a test says what works. */
function openIdle(power: { battery: boolean | null; hot: boolean | null } = { battery: null, hot: null }) {
  const machine = { visited: false, awaited: false, model: false, run: false, job: '' }
  const idle = createIdle(
    {
      clock: { now: () => new Date() },
      jobs: {
        list: () =>
          machine.job === ''
            ? []
            : [{ status: 'running', kind: machine.job, title: 'A job' } as unknown as JobInfo],
      } as never,
      options: { power: () => Promise.resolve(power) } as never,
    },
    {
      isVisited: () => machine.visited,
      isAwaited: () => machine.awaited,
      atWork: () => (machine.model ? ({} as never) : null),
      list: () => (machine.run ? [{ status: 'running' } as never] : []),
    },
  )
  return { machine, idle }
}

test('it is quiet two minutes after the last work that was seen, and the two minutes begin anew with each', () => {
  const { machine, idle } = openIdle()
  expect(idle.isQuiet()).toBe(false)
  vi.advanceTimersByTime(119_999)
  expect(idle.isQuiet()).toBe(false)
  vi.advanceTimersByTime(1)
  expect(idle.isQuiet()).toBe(true)
  machine.job = 'guides'
  expect(idle.isQuiet()).toBe(false)
  machine.job = ''
  vi.advanceTimersByTime(119_999)
  expect(idle.isQuiet()).toBe(false)
  vi.advanceTimersByTime(1)
  expect(idle.isQuiet()).toBe(true)
  idle.worked()
  expect(idle.isQuiet()).toBe(false)
})

test('asks, models, runs and heavy jobs keep it busy; downloads and its own model do not', () => {
  const { machine, idle } = openIdle()
  expect(idle.busyWith()).toBeNull()
  for (const name of ['visited', 'awaited', 'model', 'run'] as const) {
    machine[name] = true
    expect(idle.busyWith()).not.toBeNull()
    expect(idle.busyWith(true) === null).toBe(name === 'model')
    machine[name] = false
  }
  machine.job = 'download'
  expect(idle.busyWith()).toBeNull()
  machine.job = 'train'
  expect(idle.busyWith()).toBe('A job goes on.')
})

test('work gives way within a tenth of a second, at its own limit, or with whoever ends it, and looks no longer once it is over', () => {
  const { machine, idle } = openIdle()
  const never = () => false
  const work = idle.giveWay(new AbortController().signal, true, never)
  machine.model = true
  vi.advanceTimersByTime(1000)
  expect(work.signal.aborted).toBe(false)
  machine.awaited = true
  vi.advanceTimersByTime(100)
  expect([work.signal.aborted, work.isYielding()]).toEqual([true, true])
  work.end()
  machine.awaited = false

  const bounded = idle.giveWay(new AbortController().signal, true, (ms) => ms > 500)
  vi.advanceTimersByTime(500)
  expect(bounded.isYielding()).toBe(false)
  vi.advanceTimersByTime(100)
  expect(bounded.isYielding()).toBe(true)
  bounded.end()

  const person = new AbortController()
  const cut = idle.giveWay(person.signal, true, never)
  person.abort()
  expect([cut.signal.aborted, cut.isYielding()]).toEqual([true, false])
  cut.end()
  expect(vi.getTimerCount()).toBe(0)
})

test.each([
  [{ battery: true, hot: false }, 'It waits for mains power.'],
  [{ battery: false, hot: true }, 'It waits until the machine is cooler.'],
  [{ battery: null, hot: null }, null],
])('power and heat: %j', async (power, problem) => {
  expect(await openIdle(power).idle.powerProblem()).toBe(problem)
})
