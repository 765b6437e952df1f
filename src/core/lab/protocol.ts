import type { Protocol } from '../../shared/domain/run'
import type { Task } from '../../shared/domain/task'
import type { Sampling } from '../ground/chat'

/** How a run goes through its stream when nothing else is said: once. */
export const ONCE: Protocol = { iterations: 1, passes: 1, retest: 0 }

/** A stretch of a run's tasks: [from, to) in the order they are played. */
export interface Segment {
  readonly kind: 'iteration' | 'pass' | 'test' | 'retest'
  /** Which one of its kind, from 1. Pass 1 is iteration 1. */
  readonly number: number
  readonly from: number
  readonly to: number
}

/** How many of `count` tasks are learned from: all but those that only test, and one at least. */
export const learnedCount = (count: number, { test = 0 }: Protocol): number =>
  count - Math.min(test, Math.max(0, count - 1))

/** Whether the attempt at place `index` is at one of the last tasks, which only test. */
export const isTest = (index: number, count: number, protocol: Protocol): boolean =>
  protocol.test !== undefined &&
  segments(count, protocol).some(({ kind, from, to }) => kind === 'test' && index >= from && index < to)

/**
 * The stretches of a run over `count` tasks: the iterations (Memento's learning iterations: the same stream again, with the
 * memory kept), then passes 2 to `passes` (Agent KB: what is still unsolved is tried again with what was learned since), then the last `test` tasks,
 * which none of these had, then the first `retest` tasks once more, for measuring what was forgotten.
 */
export function segments(count: number, protocol: Protocol): Segment[] {
  const foundSegments: Segment[] = []
  let at = 0
  const add = (kind: Segment['kind'], number: number, length: number): void => {
    if (length > 0) foundSegments.push({ kind, number, from: at, to: at + length })
    at += length
  }
  const learnedLearnedCount = learnedCount(count, protocol)
  for (let number = 1; number <= protocol.iterations; number++) add('iteration', number, learnedLearnedCount)
  for (let number = 2; number <= protocol.passes; number++) add('pass', number, learnedLearnedCount)
  add('test', 1, count - learnedLearnedCount)
  add('retest', 1, Math.min(protocol.retest, learnedLearnedCount))
  return foundSegments
}

/** Attempts of a run over `count` tasks, those of later passes that turn out to be solved already included. */
export const scheduledTotal = (count: number, protocol: Protocol): number =>
  segments(count, protocol).at(-1)?.to ?? 0

/** Whether a task only tests: it is attempted with what was learned elsewhere, and nothing is kept of it. */
export const isHeldOut = (skills: readonly string[], { heldOut = [] }: Protocol): boolean =>
  skills.some((skill) => heldOut.includes(skill))

/** The tasks as a run takes them: those that are held out behind the others, those that only test last, else in the stream's order. */
export const heldOutLast = <T extends { readonly skills: readonly string[] }>(
  tasks: readonly T[],
  protocol: Protocol,
): T[] => {
  const lessons = tasks.slice(0, learnedCount(tasks.length, protocol))
  return [
    ...lessons.filter(({ skills }) => !isHeldOut(skills, protocol)),
    ...lessons.filter(({ skills }) => isHeldOut(skills, protocol)),
    ...tasks.slice(lessons.length),
  ]
}

/**
 * How replies are drawn in the attempt at place `index`: as in the whole run, or, in iterations and passes after the first, at the protocol's
 * temperature and from all tokens. Without the rarest twentieth, as programs draw by default, a model that is sure of itself says the same again
 * at any temperature.
 */
export function drawingAt(
  index: number,
  count: number,
  protocol: Protocol,
  temperature: number,
): { readonly temperature: number; readonly sampling?: Sampling } {
  const { againTemperature } = protocol
  const current = segments(count, protocol).find(({ from, to }) => index >= from && index < to)
  const isAgain = (current?.kind === 'iteration' || current?.kind === 'pass') && current.number > 1
  return isAgain && againTemperature !== undefined
    ? { temperature: againTemperature, sampling: { topP: 1 } }
    : { temperature }
}

/** The tasks in the order they are played. `index` is the place in the run, so that every attempt has its own id and seeds. */
export const schedule = (tasks: readonly Task[], protocol: Protocol): Task[] =>
  segments(tasks.length, protocol).flatMap(({ kind, from, to }) => {
    const first = kind === 'test' ? learnedCount(tasks.length, protocol) : 0
    return heldOutLast(tasks, protocol)
      .slice(first, first + to - from)
      .map((task, i) => ({ ...task, index: from + i }))
  })

/**
 * Whether the attempt at place `index` is left out because the task was solved in an earlier pass. `rewards` are those of all places before.
 */
export function isSolvedBefore(
  index: number,
  count: number,
  protocol: Protocol,
  rewards: readonly number[],
): boolean {
  const all = segments(count, protocol)
  const current = all.find(({ from, to }) => index >= from && index < to)
  if (current?.kind !== 'pass') return false
  const place = index - current.from
  return all.some(({ kind, from }) => kind !== 'retest' && from < current.from && rewards[from + place] === 1)
}

/** Tasks of the stream in a run of `total` scheduled attempts; undoes `scheduledTotal`. */
export function streamCount(total: number, protocol: Protocol): number {
  if (protocol.test !== undefined) return searchedCount(total, protocol)
  const { iterations, passes, retest } = protocol
  const rounds = iterations + passes - 1
  const all = total / (rounds + 1)
  return retest >= all ? all : (total - retest) / rounds
}

/** The same by halving: attempts grow with tasks. */
function searchedCount(total: number, protocol: Protocol): number {
  let [low, high] = [0, total]
  while (low < high) {
    const middle = (low + high) >> 1
    if (scheduledTotal(middle, protocol) < total) low = middle + 1
    else high = middle
  }
  return low
}
