import { mean } from './mean'
import { successRate, thirdOf, type Rewards } from './rates'

/** What is known of a task's place in a lifetime. */
export interface PlacedTask {
  /** The stretch of the stream, from 0. */
  readonly stage: number
  /** Whether tasks like it come again in later stages. */
  readonly probe: boolean
  /** The place in the stream of the earlier task that it is like; null for none. */
  readonly twinOf: number | null
  /** Whether one of its rules changed since that one. */
  readonly changed: boolean
}

/** A success rate and what it is over. */
export interface MatrixCell {
  readonly rate: number
  readonly n: number
}

/**
 * GEM's matrix R (Lopez-Paz and Ranzato 2017, section 2) over stages: row s, column j is how well the probes of stage j went in stage s; in their own stage
 * as they were first played, in later ones their twins, but for those whose rules changed since. Null where none was played.
 */
export type TransferMatrix = readonly (readonly (MatrixCell | null)[])[]

/** `rewards` may be shorter than `tasks`: what was not played yet counts nowhere. */
export function transferMatrix(tasks: readonly PlacedTask[], rewards: Rewards): TransferMatrix {
  const stages = Math.max(0, ...tasks.map(({ stage }) => stage + 1))
  const group = ({ twinOf, probe, stage, changed }: PlacedTask): number | null =>
    twinOf === null ? (probe ? stage : null) : changed ? null : (tasks[twinOf]?.stage ?? null)
  const groups = tasks.map(group)
  return Array.from({ length: stages }, (_, row) =>
    Array.from({ length: stages }, (__, column) => {
      const own = rewards.filter((___, i) => tasks[i]?.stage === row && groups[i] === column)
      return own.length === 0 ? null : { rate: successRate(own), n: own.length }
    }),
  )
}

const columnsBefore = (matrix: TransferMatrix): number[] =>
  Array.from({ length: Math.max(0, matrix.length - 1) }, (_, i) => i)

/**
 * Backward transfer (Lopez-Paz and Ranzato 2017, eq. 3): BWT = 1 / (T - 1) sum over i < T of R[T, i] - R[i, i], in [-1, 1]: above 0 later stages helped earlier
 * ones, below 0 they were forgotten. Over the columns that were played in both; null where there is none.
 */
export function backwardTransfer(matrix: TransferMatrix): number | null {
  const last = matrix.at(-1) ?? []
  return mean(
    columnsBefore(matrix).flatMap((i) => {
      const [first, then] = [matrix[i]?.[i], last[i]]
      return first && then ? [then.rate - first.rate] : []
    }),
  )
}

/**
 * Forgetting (Chaudhry et al. 2018, section 3.2): F = 1 / (T - 1) sum over j < T of max over l < T of R[l, j], minus R[T, j], in [-1, 1]: how much of the best
 * there ever was is lost in the last stage. Over the columns that the last stage has; null where there is none.
 */
export function forgettingOver(matrix: TransferMatrix): number | null {
  const last = matrix.at(-1) ?? []
  return mean(
    columnsBefore(matrix).flatMap((j) => {
      const before = matrix.slice(0, -1).flatMap((row) => (row[j] ? [row[j].rate] : []))
      const then = last[j]
      return then && before.length > 0 ? [Math.max(...before) - then.rate] : []
    }),
  )
}

/** Tasks that a level is taken over, before a change and after it. */
const LEVEL_TASKS = 20
/** How far below its level a method still counts as back at it: one task of the twenty. */
const TOLERANCE = 1 / LEVEL_TASKS

/** How long a method took to be back at its level. */
export interface Adaptation {
  /** Mean over the changes. */
  readonly tasks: number
  /** Changes it is over, and those after which the level was not reached before the next: there all tasks in between count. */
  readonly changes: number
  readonly never: number
}

/**
 * Adaptation time: tasks between a change of the world and the first task from which on the next 20 go as well as the last 20 before the change did, but for one
 * of them. 0 where the change cost nothing. After Shaker and Huellermeier's recovery analysis (2015). `changes` are the places of the first tasks after
 * each change. Null where nothing changed, or there are not 20 tasks on each side.
 */
export function adaptation(rewards: Rewards, changes: readonly number[]): Adaptation | null {
  const times = changes.flatMap((at, i) => {
    const end = Math.min(changes[i + 1] ?? rewards.length, rewards.length)
    if (at < LEVEL_TASKS || end - at < LEVEL_TASKS) return []
    const level = successRate(rewards.slice(at - LEVEL_TASKS, at)) - TOLERANCE
    for (let from = at; from + LEVEL_TASKS <= end; from++)
      if (successRate(rewards.slice(from, from + LEVEL_TASKS)) >= level - 1e-9)
        return [{ tasks: from - at, never: 0 }]
    return [{ tasks: end - at, never: 1 }]
  })
  const tasks = mean(times.map((time) => time.tasks))
  return tasks === null
    ? null
    : { tasks, changes: times.length, never: times.filter(({ never }) => never > 0).length }
}

/** Most tasks that `lastRate` looks back over. */
const MOST_LAST = 100

/** How it goes in the end: success over the last third of the tasks, at most 100 of them, in [0, 1]; null for none. */
export const endRate = (rewards: Rewards): number | null =>
  mean(rewards.slice(rewards.length - Math.min(MOST_LAST, thirdOf(rewards.length))))
