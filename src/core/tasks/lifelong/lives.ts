import { createRng } from '../../ground/random'
import type { Lifetimes, NamedStream, ForeignReplies } from '../../ground/environment-module'
import type { Feedback } from '../../../shared/domain/task'
import type { LifelongFamily } from './family'
import { planTasks, type Life, worldsOf } from './plan'

/** Of this many rewards one is told as its opposite; of these many one is told. */
const NOISE = 10
const SPARSE = 5

/** What is told of each of `count` rewards: undefined where it is told as it is. */
function feedbackOf({ kind, world, order }: Life, count: number): (Feedback | undefined)[] {
  const rng = createRng(`lifelong/noise/${world}/${order}`)
  const flipped = Array.from({ length: Math.ceil(count / NOISE) }, (_, ten) => ten * NOISE + rng.int(NOISE))
  return Array.from({ length: count }, (_, i) => {
    if (kind.feedback === 'noisy' && flipped.includes(i)) return 'flipped'
    return kind.feedback === 'sparse' && i % SPARSE !== SPARSE - 1 ? 'withheld' : undefined
  })
}

const jsonl = (lines: readonly object[]): string => lines.map((line) => `${JSON.stringify(line)}\n`).join('')

function openLife<W, T>(family: LifelongFamily<W, T>, life: Life, id: string): NamedStream {
  const { kind, world, order } = life
  const tasks = planTasks(family, life)
  const notices = feedbackOf(life, tasks.length)
  const header = {
    id,
    title: `Lifelong: ${kind.title}, world ${world}, order ${order}`,
    description: `${tasks.length} tasks. ${kind.about}`,
    environment: family.environment,
    demo: family.demo,
  }
  const rows = family.rows(tasks).map((row, i) => {
    const feedback = notices[i]
    return { ...row, ...(feedback && { feedback }), known: tasks[i]?.known }
  })
  const givenInput = foreignRows(family, life)
  return {
    id,
    text: jsonl([{ stream: header }, ...rows]),
    given: givenInput && { by: givenInput.by, replies: givenInput.replies, text: jsonl(givenInput.rows) },
  }
}

/** The streams of whole lifetimes of one family of worlds. */
export const livesOf = <W, T>(family: LifelongFamily<W, T>): Lifetimes => ({
  kinds: family.kinds.map(({ id, title, about, drift, clean = null, companion = false }) => ({
    ...{ id, title, about, companion, clean },
    changes: drift !== undefined,
  })),
  open({ kind: kindId, world, order }, id) {
    const kind = family.kinds.find((one) => one.id === kindId)
    if (!kind) throw new Error(`There is no kind ${kindId}.`)
    return openLife(family, { kind, world, order }, id)
  },
})

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
function foreignRows<W, T>(family: LifelongFamily<W, T>, { kind, world }: Life): ForeignRows | null {
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
