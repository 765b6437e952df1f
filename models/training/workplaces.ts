/**
 * The second family in the demo model's training text: workplaces at levels 0 and 1. Every prompt is caught where the app's own actor asks a model,
 * in the app's own environment, beside what the case bank, `loam` or EvoSC would show; the expert behind it sends the right call.
 */
import { caseOf, caseParts } from '../../src/core/memory/cases/recalled-case'
import { errorLessonMessages, successLessonMessages } from '../../src/core/methods/evosc/messages'
import { livedOf } from '../../src/core/recall/acts'
import { createBeliefs } from '../../src/core/recall/beliefs'
import { refusalParts } from '../../src/core/recall/with-beliefs'
import { NOTHING_RECALLED, type PromptParts, type RecalledPart } from '../../src/core/ground/method'
import { retellingOf, taskText } from '../../src/core/ground/prompt'
import { createRng, type Rng } from '../../src/core/ground/random'
import type { WorkplaceEntry } from '../../src/core/tasks/workplace/entry'
import {
  createWorkplaceEnvironment,
  WORKPLACE,
  WORKPLACE_MAX_ROUNDS,
} from '../../src/core/tasks/workplace/environment'
import { TOWN_ENDS, TOWN_STARTS, WORKPLACE_KINDS } from '../../src/core/tasks/workplace/kinds'
import { USUAL_HANDS } from '../../src/core/tasks/workplace/phrasings'
import { handbookOf } from '../../src/core/tasks/workplace/prose'
import type { Level } from '../../src/core/tasks/workplace/room'
import { drawTask } from '../../src/core/tasks/workplace/tasks'
import { createWorkplace } from '../../src/core/tasks/workplace/world'
import type { Trajectory } from '../../src/shared/domain/trajectory'
import { ASSISTANT, END, USER, type Piece, type Sample } from './samples'
import { words } from './tokenizer'
import {
  lessonOf,
  play,
  repliesOf,
  taskOf,
  tellsOf,
  townOf,
  type Opening,
  type Played,
} from './workplace-expert'

const BRANCHES = 6
const SAMPLES_PER_WORLD = 8
/** Characters of attempts that are recalled at the most. */
const LONGEST = 7000

/** The prompts that workplaces add to what the demo model answers. */
export const WORKPLACE_PROMPTS = [WORKPLACE, 'evosc-error-workplace', 'evosc-success-workplace'] as const
export type WorkplacePrompts = Readonly<Record<(typeof WORKPLACE_PROMPTS)[number], string>>

/** A workplace that some samples are drawn at, with attempts there, and another one with attempts of its own. */
interface Ground {
  readonly prompt: string
  readonly rounds: number
  readonly world: string
  readonly other: string
  /** Towns that its tasks are about. */
  readonly towns: readonly string[]
  readonly pool: Played[]
  readonly elsewhere: readonly Played[]
}

const draw = (rng: Rng, seed: string, town: string, isOpen: boolean): WorkplaceEntry => ({
  ...drawTask(rng, seed, `t${rng.int(1e9)}`, { town }),
  level: 0,
  ...(isOpen && { open: true }),
})

const OPENINGS: readonly Opening[] = ['knows', 'knows', 'knows', 'tries', 'tries', 'wrong-way', 'wrong-town']

/** A past attempt, good or bad. */
function tryOut(
  rng: Rng,
  where: Pick<Ground, 'prompt' | 'rounds'>,
  seed: string,
  town: string,
): Promise<Played> {
  const entry = draw(rng, seed, town, rng.chance(0.4))
  return play(entry, repliesOf(rng, entry, 0, rng.pick(OPENINGS)), { ...where, level: 0 })
}

/** Another workplace, mostly of the same kind: there only the name of the place tells whose tags are right. */
function otherThan(rng: Rng, seed: string): string {
  const { kind, name } = createWorkplace(seed)
  for (let i = 0; ; i++) {
    const other = createWorkplace(`${seed}/${i}`)
    if (other.name !== name && (other.kind === kind || rng.chance(0.2))) return `${seed}/${i}`
  }
}

async function openGround(rng: Rng, prompt: string, world: string): Promise<Ground> {
  const other = otherThan(rng, world)
  const where = { prompt, rounds: rng.chance(0.5) ? 1 : WORKPLACE_MAX_ROUNDS }
  const towns = rng.sample([...createWorkplace(world).ways.keys()], 8 + rng.int(8))
  const pool: Played[] = []
  for (let i = 0; i < 14; i++) pool.push(await tryOut(rng, where, world, rng.pick(towns)))
  const theirs = [...createWorkplace(other).ways.keys()]
  const shared = theirs.filter((town) => towns.includes(town))
  const elsewhere: Played[] = []
  for (let i = 0; i < 8; i++) {
    const town = rng.pick(rng.chance(0.7) && shared.length > 0 ? shared : theirs)
    elsewhere.push(await tryOut(rng, where, other, town))
  }
  return { ...where, world, other, towns, pool, elsewhere }
}

function drawCount(rng: Rng): number {
  const roll = rng.next()
  if (roll < 0.15) return 0
  if (roll < 0.3) return 1
  if (roll < 0.42) return 2
  if (roll < 0.5) return 3
  return roll < 0.85 ? 4 : 5 + rng.int(4)
}

/** Attempts as some method would recall them: at the same towns and at others, at another workplace now and then. */
function chooseCases(rng: Rng, { pool, elsewhere }: Ground, focus: readonly string[]): Played[] {
  const most = drawCount(rng)
  const near = pool.filter(({ entry }) => focus.includes(townOf(entry)))
  const wrong = rng.chance(0.25) ? rng.int(Math.ceil(most / 2) + 1) : 0
  const own = rng.sample(near, Math.min(near.length, rng.int(most - wrong + 1)))
  const others = pool.filter((one) => !own.includes(one))
  const chosen = [
    ...own,
    ...rng.sample(others, Math.max(0, most - wrong - own.length)),
    ...rng.sample(elsewhere, wrong),
  ]
  return rng.sample(chosen, chosen.length)
}

const lessonPart = (text: string): RecalledPart => ({
  text,
  item: { kind: 'lesson', id: text, trajectoryId: null, title: '', score: null, scoreKind: '', reward: null },
})

/** What is shown with tasks, and the attempts of it that stand as turns. */
interface Memory {
  readonly parts: PromptParts
  readonly turns?: readonly Trajectory[]
}

/** What a method would show of these attempts: themselves, retold or as turns, lessons drawn from them, or what tools refuse beside them. */
async function remember(
  rng: Rng,
  { rounds, world, pool, elsewhere }: Ground,
  chosen: readonly Played[],
  present: WorkplaceEntry,
): Promise<Memory> {
  if (chosen.length === 0) return { parts: NOTHING_RECALLED }
  const trajectories = chosen.map(({ trajectory }) => trajectory)
  const cases = await caseParts(
    trajectories.map((one) => ({ record: caseOf(one), why: { score: 0.5, scoreKind: 'cosine' } })),
    { context: createWorkplaceEnvironment({ systemPrompt: '', rounds }).open(taskOf(present)).context },
    { trajectory: (id) => Promise.resolve(trajectories.find((one) => one.id === id) ?? null) },
  )
  let retrieved = cases
  while (retrieved.reduce((sum, { text }) => sum + text.length, 0) > LONGEST) retrieved = retrieved.slice(1)
  const plain: PromptParts = { ...NOTHING_RECALLED, retrieved }
  const roll = rng.next()
  if (roll < 0.62) return { parts: plain }
  // As turns, failed ones are left out.
  if (roll < 0.72)
    return {
      parts: { ...plain, retrieved: retrieved.filter(({ item }) => item.reward === 1) },
      turns: trajectories,
    }
  if (roll < 0.86) {
    const lessons = (most: number): RecalledPart[] =>
      Array.from({ length: rng.int(most + 1) }, () =>
        lessonPart(lessonOf(rng.sample(rng.chance(0.85) ? pool : elsewhere, 1 + rng.int(2)))),
      )
    const own = chosen.filter(({ entry }) => entry.workplace === world).slice(0, 2)
    return {
      parts: {
        errorLessons: lessons(4),
        successLessons: [...(own.length > 0 ? [lessonPart(lessonOf(own))] : []), ...lessons(4)],
        retrieved: rng.chance(0.5) ? [] : retrieved,
      },
    }
  }
  const beliefs = createBeliefs()
  for (const { trajectory } of rng.sample(pool, 12)) beliefs.take(livedOf(trajectory))
  const errorLessons = refusalParts({ task: taskOf(present) }, { settings: {} }, beliefs, 300)
  return { parts: { ...plain, errorLessons, retrieved: retrieved.slice(0, 3) } }
}

/** The pieces of a branch: the task, then replies and what came of them. `at`: where in the messages the task stands. */
function branchOf({ messages, trajectory }: Played, at: number): Piece[] {
  const { instruction, context } = trajectory.task
  const later = messages
    .slice(at + 1)
    .map(({ role, content }): Piece =>
      role === 'assistant'
        ? { text: content, learn: true, after: [END, USER] }
        : { text: content, learn: false, after: [END, ASSISTANT] },
    )
  const last = trajectory.rounds.at(-1)?.completion ?? ''
  return [
    { text: taskText(instruction, context), learn: false, after: [END, ASSISTANT] },
    ...later,
    { text: last, learn: true, after: [END] },
  ]
}

/** Lessons as EvoSC has them written. */
function lessons(rng: Rng, prompts: WorkplacePrompts, { pool }: Ground): Sample | null {
  const solved = pool.filter(({ trajectory }) => trajectory.reward === 1)
  const failed = pool.filter(({ trajectory }) => trajectory.reward === 0)
  const isError = rng.chance(0.5) && failed.length > 0
  if (solved.length < 2) return null
  const made = Array.from({ length: BRANCHES }, () => {
    const successes = rng.sample(solved, isError ? 1 + rng.int(2) : 2)
    const failure = isError ? rng.pick(failed) : null
    const [first, second] = successes.map(({ trajectory }) => retellingOf(trajectory))
    const messages = failure
      ? errorLessonMessages(
          prompts['evosc-error-workplace'],
          successes.map(({ trajectory }) => retellingOf(trajectory)),
          { ...retellingOf(failure.trajectory), finish: failure.trajectory.finish },
        )
      : first && second
        ? successLessonMessages(prompts['evosc-success-workplace'], first, second)
        : []
    return { messages, lesson: lessonOf([...(failure ? [failure] : []), ...successes]) }
  })
  return {
    system: made[0]?.messages[0]?.content ?? '',
    recalled: '',
    branches: made.map(({ messages, lesson }): Piece[] => [
      { text: messages[1]?.content ?? '', learn: false, after: [END, ASSISTANT] },
      { text: JSON.stringify({ lesson }), learn: true, after: [END] },
    ]),
    groups: [],
  }
}

/** Tasks that share what is recalled. */
async function acting(rng: Rng, ground: Ground, level: Level): Promise<Sample> {
  const { prompt, rounds, world, other, towns, pool } = ground
  const focus = rng.sample(towns, 1 + rng.int(3))
  const chosen = level === 1 ? [] : chooseCases(rng, ground, focus)
  const { parts, turns } = await remember(rng, ground, chosen, draw(rng, world, rng.pick(focus), false))
  const shown = [...parts.errorLessons, ...parts.successLessons, ...parts.retrieved].map(({ text }) => text)
  const own = shown.filter((text) => !text.includes(createWorkplace(other).name)).join('\n')
  const told = towns.filter((town) => tellsOf(own, world, town))
  const made: Played[] = []
  const groups: (readonly [number, number, number])[] = []
  for (let i = 0; i < BRANCHES; i++) {
    const town = rng.pick(told.length > 0 && rng.chance(rounds === 1 ? 0.75 : 0.6) ? told : towns)
    const entry = draw(rng, world, town, rng.chance(0.2))
    const isKnown = entry.open === true || level === 1 || told.includes(town)
    const replies = repliesOf(rng, entry, level, isKnown ? 'knows' : 'tries')
    made.push(await play(entry, replies, { prompt, rounds, level, parts, turns }))
    groups.push([shown.length, isKnown ? 0 : 1, 1])
  }
  if (level === 0)
    pool.push(...rng.sample(made, 2), await tryOut(rng, { prompt, rounds }, world, rng.pick(towns)))
  const { messages = [], trajectory } = made[0] ?? {}
  const task = trajectory ? taskText(trajectory.task.instruction, trajectory.task.context) : ''
  const at = messages.findIndex(({ role, content }) => role === 'user' && content.endsWith(task))
  return {
    system: messages[0]?.content ?? '',
    earlier: messages.slice(1, at),
    recalled: messages[at]?.content.slice(0, -task.length) ?? '',
    branches: made.map((each) => branchOf(each, at)),
    groups,
  }
}

/** How often samples write lessons, and how often the handbook lies open (level 1). */
export interface WorkplaceShares {
  readonly writing: number
  readonly pages: number
}

/** Draws samples at workplaces of its own, one after the other. */
export function createWorkplaceGenerator(prompts: WorkplacePrompts, seed: string, shares: WorkplaceShares) {
  const rng = createRng(`training/workplaces/${seed}`)
  let index = 0
  let ground: Ground | null = null
  return {
    async next(): Promise<Sample> {
      if (ground === null || index % SAMPLES_PER_WORLD === 0)
        ground = await openGround(rng, prompts[WORKPLACE], `train:${seed}/${index}`)
      index++
      const written = rng.chance(shares.writing) ? lessons(rng, prompts, ground) : null
      return written ?? acting(rng, ground, rng.chance(shares.pages) ? 1 : 0)
    },
  }
}

/** Words and lines of workplaces that become pieces of their own, so that what is copied is one token and what is always the same is few. */
export function workplaceForms(prompts: WorkplacePrompts): string[] {
  const seeds = Array.from({ length: 12 }, (_, i) => `train:forms/${i}`)
  const places = WORKPLACE_KINDS.flatMap(
    (kind) => seeds.find((seed) => createWorkplace(seed).kind === kind) ?? [],
  )
  const rng = createRng('training/forms')
  // What stands with every task, whatever it is.
  const lines = places.flatMap((seed) =>
    [1, 2].flatMap((rounds) => {
      const task = taskOf({ ...drawTask(rng, seed, 'form'), level: 0 })
      const { context } = createWorkplaceEnvironment({ systemPrompt: '', rounds }).open(task)
      return context.split('\n').slice(1)
    }),
  )
  const towns = TOWN_STARTS.flatMap((start) => TOWN_ENDS.map((end) => `${start}${end}`))
  const text = [
    ...Object.values(prompts),
    ...USUAL_HANDS.flatMap(({ names, sentences }) => [...names, ...sentences]),
    ...WORKPLACE_KINDS.flatMap(({ title, item, materials, objects, steps, leave }) => [
      ` ${title} ${item} ${materials.join(' ')} ${objects.join(' ')}`,
      ...[...steps, leave].map(
        ({ name, past, order, argument, values }) =>
          `${name} ${name} ${past} ${order} ${argument} ${values.join(' ')}`,
      ),
    ]),
    ...places.flatMap((seed) =>
      [...handbookOf(createWorkplace(seed)).values()].slice(-12).map((page) => page.text),
    ),
    'Ready to leave: On the wall: Shown with it: In the room: From the handbook: Page: kg refuses is ready',
  ].join('\n')
  const forms = words(text).filter((word) => /[A-Za-z]{2}/.test(word))
  return [
    ...towns.flatMap((town) => [` ${town}`, town]),
    ...[...new Set(forms.map((word) => word.replaceAll('\u2581', ' ')))].filter(
      (word) => !towns.includes(word.trim()),
    ),
    ...WORKPLACE_KINDS.flatMap(({ materials }) => materials),
    ...WORKPLACE_KINDS[0].leave.values.map((way) => ` ${way}`),
    'Shown with it:',
    ...lines,
  ]
}
