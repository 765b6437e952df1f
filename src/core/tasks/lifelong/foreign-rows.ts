import { createRng } from '../../ground/random'
import type { ForeignReplies } from '../../ground/environment-module'
import type { LifelongFamily } from './family'
import { worldsOf, type Life } from './plan'

/** Whose attempts they are. */
const OTHER_AGENT = 'other-agent'

/** Attempts that a memory starts with: rows of tasks, and what the other agent replied in each. */
interface ForeignRows extends ForeignReplies {
  readonly rows: readonly object[]
}

/**
 * The attempts that a stream's memory starts with; null where it starts empty. Wrong ones were solved in a world of the same name in which
 * every rule is another: they look like the others, and whoever believes them fails.
 */
export function foreignRows<W, T>(family: LifelongFamily<W, T>, { kind, world }: Life): ForeignRows | null {
  if (!kind.given) return null
  const { attempts, wrong } = kind.given
  const label = `lifelong/given/${world}`
  const [right] = worldsOf(family, kind, world)
  if (right === undefined) return null
  const wrongWorld = family.drift(right, createRng(`${label}/wrong`), 1)
  const rightTasks = family.draw(createRng(`${label}/tasks`), right, attempts)
  const wrongTasks = family.draw(createRng(`${label}/wrong-tasks`), wrongWorld, attempts)
  const places = createRng(`${label}/places`).sample(
    Array.from({ length: attempts }, (_, i) => i),
    Math.round(attempts * wrong),
  )
  const isWrong = new Set(places)
  const tasks = rightTasks.map((task, i) => (isWrong.has(i) ? (wrongTasks[i] ?? task) : task))
  return {
    by: OTHER_AGENT,
    rows: family.rows(tasks.map((task, i) => ({ task, id: `given-${i}` }))),
    replies: tasks.map((task) => family.solved(task)),
  }
}
