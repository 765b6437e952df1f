import type { SearchSettings } from '../../../shared/domain/guide-search'
import type { SettingChanges } from '../../../shared/domain/setting'
import type { Task } from '../../../shared/domain/task'
import { readSettings } from '../../ground/settings'
import { SETTINGS } from './settings'

/** Tasks to learn from, and tasks to score documents with. */
export interface Split<T> {
  readonly train: T
  readonly evaluation: T
}

/** How `count` tasks are split: as the settings say, but together at most half of them, in the same proportion. */
export function splitCounts(settings: SettingChanges, count: number): Split<number> {
  const { train, evaluation } = readSettings(SETTINGS, settings)
  return getSplit({ train, evaluation }, Math.floor(count / 2))
}

/** The same proportion in at most `most` tasks; one to score with wherever there are two. */
function getSplit({ train, evaluation }: Split<number>, most: number): Split<number> {
  if (train + evaluation <= most) return { train, evaluation }
  const share = Math.max(1, Math.round((most * train) / (train + evaluation)))
  const learnedCount = Math.min(share, Math.max(1, most - 1), most)
  return { train: learnedCount, evaluation: most - learnedCount }
}

/**
 * The positions at which a run of `count` tasks builds on, after its first build: `again` tasks later (but no fewer than a build takes), then
 * twice as many, and so on, so that a long stream has few builds. None when `again` is 0.
 */
export function laterBuilds(settings: SettingChanges, count: number): number[] {
  const { again } = readSettings(SETTINGS, settings)
  const { train, evaluation } = splitCounts(settings, count)
  const first = train + evaluation
  if (again === 0 || first === 0) return []
  const foundNumbers: number[] = []
  let step = Math.max(again, first)
  // What would be built after the last task would never be read.
  for (let at = first + step; at < count; at += step) {
    foundNumbers.push(at)
    step *= 2
  }
  return foundNumbers
}

const categoriesOf = ({ skills }: Pick<Task, 'skills'>): readonly string[] => [...new Set(skills)]

/** So many tasks that every category has about the same share of, the earlier ones first; in order. */
export function chooseBalanced(tasks: readonly Task[], count: number): Task[] {
  if (tasks.length <= count) return [...tasks]
  const had = new Map<string, number>()
  const rest = [...tasks]
  const choices: Task[] = []
  const crowding = (task: Task): number => {
    const own = categoriesOf(task)
    return own.length === 0
      ? choices.length
      : own.reduce((sum, one) => sum + (had.get(one) ?? 0), 0) / own.length
  }
  while (choices.length < count) {
    const scores = rest.map(crowding)
    const at = scores.indexOf(Math.min(...scores))
    const [task] = rest.splice(at, 1)
    if (!task) break
    choices.push(task)
    for (const one of categoriesOf(task)) had.set(one, (had.get(one) ?? 0) + 1)
  }
  return tasks.filter((task) => choices.includes(task))
}

/**
 * Deals tasks into those to learn from and those to score with, so that both have the same share of every category (iterative stratification:
 * the rarest category first, each of its tasks to the side that lacks it most). Tasks of no category are dealt in turn. In order.
 */
export function dealBalanced(tasks: readonly Task[], evaluation: number): Split<Task[]> {
  const wantedCount = Math.min(evaluation, Math.max(0, tasks.length - 1))
  const share = tasks.length === 0 ? 0 : wantedCount / tasks.length
  const scoring = new Set<Task>()
  const rest = new Set(tasks)
  const lack = new Map<string, number>()
  for (const task of tasks) for (const one of categoriesOf(task)) lack.set(one, (lack.get(one) ?? 0) + share)
  let dealt = 0
  const deal = (task: Task, need: number): void => {
    rest.delete(task)
    dealt++
    const open = wantedCount - scoring.size
    // What is still to come has to fill the side, and what is full takes nothing.
    if (open === 0 || (need < 0.5 && open <= rest.size)) return
    scoring.add(task)
    for (const one of categoriesOf(task)) lack.set(one, (lack.get(one) ?? 0) - 1)
  }
  while (rest.size > 0) {
    const counts = new Map<string, number>()
    for (const task of rest) for (const one of categoriesOf(task)) counts.set(one, (counts.get(one) ?? 0) + 1)
    const [rarest] = [...counts].sort((a, b) => a[1] - b[1])
    if (!rarest) {
      for (const task of [...rest]) deal(task, Math.round((dealt + 1) * share) > scoring.size ? 1 : 0)
      break
    }
    for (const task of [...rest].filter((one) => categoriesOf(one).includes(rarest[0])))
      deal(task, lack.get(rarest[0]) ?? 0)
  }
  return {
    train: tasks.filter((task) => !scoring.has(task)),
    evaluation: tasks.filter((task) => scoring.has(task)),
  }
}

/** Tasks for a build, balanced over their categories: so many of `tasks`, dealt to both sides. */
export function splitBalanced(
  tasks: readonly Task[],
  { train, evaluation }: Pick<SearchSettings, 'train' | 'evaluation'>,
): Split<Task[]> {
  return dealBalanced(chooseBalanced(tasks, train + evaluation), evaluation)
}
