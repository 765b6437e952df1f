/** An expert at workplaces: its attempts, played through the app's own actor, and what it writes down of them. */
import { runAttempt } from '../../src/core/agent/actor'
import type { ChatMessage } from '../../src/core/ground/chat'
import { NOTHING_RECALLED, type PromptParts } from '../../src/core/ground/method'
import type { Rng } from '../../src/core/ground/random'
import { withRounds } from '../../src/core/ground/replies/reply-environment'
import { none } from '../../src/core/methods/none/none'
import type { WorkplaceEntry } from '../../src/core/tasks/workplace/entry'
import {
  createWorkplaceEnvironment,
  WORKPLACE,
  writeAction,
} from '../../src/core/tasks/workplace/environment'
import { handbookOf } from '../../src/core/tasks/workplace/prose'
import { openRoom, tagOf, type Level } from '../../src/core/tasks/workplace/room'
import { createWorkplace } from '../../src/core/tasks/workplace/world'
import type { Task } from '../../src/shared/domain/task'
import { NO_USAGE, type Trajectory } from '../../src/shared/domain/trajectory'

/** How an expert begins: by what it knows, with a first try, or with a slip of one of two kinds. */
export type Opening = 'knows' | 'tries' | 'wrong-way' | 'wrong-town'

/** An attempt, with the messages that its last reply answered. */
export interface Played {
  readonly entry: WorkplaceEntry
  readonly trajectory: Trajectory
  readonly messages: readonly ChatMessage[]
}

/** A drawn task as the app reads it from a stream. */
export const taskOf = (entry: WorkplaceEntry): Task => ({
  id: entry.id,
  index: 0,
  environment: WORKPLACE,
  instruction: entry.instruction,
  skills: entry.skill_list,
  payload: entry,
})

/** The town of the one thing that is left to send. */
export const townOf = ({ items, wanted }: WorkplaceEntry): string =>
  items.find(({ id }) => id === wanted.at(-1))?.town ?? ''

/** The replies of an expert, in turn; the last one again where more are asked for. */
export function repliesOf(rng: Rng, entry: WorkplaceEntry, level: Level, opening: Opening): string[] {
  const plan = openRoom(entry, level).plan()
  const right = plan.map(({ name, args }) => writeAction(name, args))
  const { values } = createWorkplace(entry.workplace).kind.leave
  const [last] = plan
  if (opening === 'knows' || level !== 0 || !last) return right
  const call = (tag: string): string => writeAction(last.name, { tag })
  const own = townOf(entry)
  const wrongWay = call(tagOf(own, rng.pick(values)))
  // Whoever does not know the way tries the first one: any would do, and one that is always the same is learned at once.
  if (opening === 'tries') return [call(tagOf(own, values[0] ?? '')), ...right]
  if (opening === 'wrong-way') return [wrongWay, ...(rng.chance(0.6) ? right : [wrongWay, wrongWay])]
  const slip = call(tagOf(rng.pick(entry.items).town, rng.pick(values)))
  return [slip, ...(rng.chance(0.5) ? right : [slip, wrongWay])]
}

/** Where a task is played, and beside what. */
export interface Setting {
  /** The environment's rules, with a place for the number of replies. */
  readonly prompt: string
  readonly rounds: number
  readonly level: Level
  /** What was recalled. Default: nothing. */
  readonly parts?: PromptParts
  /** Attempts behind it that stand as turns of the dialog. Default: all is text. */
  readonly turns?: readonly Trajectory[] | undefined
}

/** Plays a task through the app's actor and environment, and catches what the agent is asked. */
export async function play(
  entry: WorkplaceEntry,
  replies: readonly string[],
  { prompt, rounds, level, parts = NOTHING_RECALLED, turns }: Setting,
): Promise<Played> {
  let messages: readonly ChatMessage[] = []
  let asked = 0
  const generate = (request: { readonly messages: readonly ChatMessage[] }) => {
    messages = request.messages
    const text = replies[Math.min(asked++, replies.length - 1)] ?? ''
    return Promise.resolve({ text, usage: NO_USAGE, finish: 'end' } as const)
  }
  const countTokens = (texts: readonly string[]) => Promise.resolve(texts.map(() => 0))
  const trajectory = await runAttempt({
    ...{ id: `${entry.workplace}/${entry.id}`, runId: 'training', memoryId: 'training', task: taskOf(entry) },
    environment: createWorkplaceEnvironment({ systemPrompt: withRounds(prompt, rounds), rounds, level }),
    method: { ...none, recall: () => Promise.resolve(parts) },
    context: {
      model: { name: 'expert', generate, countTokens },
      bank: { trajectory: (id: string) => Promise.resolve(turns?.find((one) => one.id === id) ?? null) },
      settings: { presentation: { attempts: turns ? 'turns' : 'text', replies: 'held' } },
      ...{ k: 4, seed: 1 },
    } as never,
    clock: { now: () => new Date(0) },
    ...{ temperature: 0, maxTokens: 60 },
  })
  return { entry, trajectory, messages }
}

/** Whether a text tells the way of a town, as a tag or as its page. */
export function tellsOf(text: string, seed: string, town: string): boolean {
  const workplace = createWorkplace(seed)
  const page = handbookOf(workplace).get(town.toLowerCase())?.text
  const tag = tagOf(town, workplace.ways.get(town) ?? '')
  return text.includes(tag) || (page !== undefined && text.includes(page))
}

const attemptText = ({ task, rounds }: Trajectory): string =>
  [task.context, ...rounds.flatMap(({ completion, observation }) => [completion, observation ?? ''])].join(
    '\n',
  )

/** Tags that a lesson names at the most. */
const MOST_TAGS = 6

/** What the expert writes down of attempts at one workplace: tags that they tell of, those of their own towns first. */
export function lessonOf(attempts: readonly Played[]): string {
  const seed = attempts[0]?.entry.workplace ?? ''
  const { name, ways } = createWorkplace(seed)
  const text = attempts.map(({ trajectory }) => attemptText(trajectory)).join('\n')
  const towns = [...new Set([...attempts.map(({ entry }) => townOf(entry)), ...ways.keys()])]
  const tags = towns
    .filter((town) => tellsOf(text, seed, town))
    .slice(0, MOST_TAGS)
    .map((town) => tagOf(town, ways.get(town) ?? ''))
  return tags.length === 0
    ? `${name}: read what a refusal says, and send that.`
    : `${name}: ${tags.join(', ')}. Use these tags.`
}
