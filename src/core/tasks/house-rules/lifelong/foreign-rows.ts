import { createRng } from '../../../ground/random'
import type { ForeignReplies } from '../../../ground/environment-module'
import { driftWorld } from '../drift'
import { toEntry, type HouseRulesEntry } from '../stream'
import { drawBySkill } from './draw'
import { solvedReplies } from './example'
import type { LifelongName } from './name'
import { worldsOf } from './plan'

/** Whose attempts they are. */
const OTHER_AGENT = 'other-agent'

/** Attempts that a memory starts with: rows of tasks, and what the other agent replied in each. */
export interface ForeignRows extends ForeignReplies {
  readonly rows: readonly HouseRulesEntry[]
}

/**
 * The attempts that a stream's memory starts with; null where it starts empty. Wrong ones were solved in a world of the same name in which
 * every rule is another: they look like the others, and whoever believes them fails.
 */
export function foreignRows({ kind, world }: LifelongName): ForeignRows | null {
  if (!kind.given) return null
  const { attempts, wrong } = kind.given
  const label = `lifelong/given/${world}`
  const [right] = worldsOf(kind, world)
  if (!right) return null
  const wrongWorld = driftWorld(right, createRng(`${label}/wrong`), 1)
  const rightTasks = drawBySkill(createRng(`${label}/tasks`), right, attempts)
  const wrongTasks = drawBySkill(createRng(`${label}/wrong-tasks`), wrongWorld, attempts)
  const places = createRng(`${label}/places`).sample(
    Array.from({ length: attempts }, (_, i) => i),
    Math.round(attempts * wrong),
  )
  const isWrong = new Set(places)
  const tasks = rightTasks.map((task, i) => (isWrong.has(i) ? (wrongTasks[i] ?? task) : task))
  return {
    by: OTHER_AGENT,
    rows: tasks.map((task, i) => toEntry(task, i, `given-${i}`)),
    replies: tasks.map((task) => solvedReplies(task, '{observation}')),
  }
}
