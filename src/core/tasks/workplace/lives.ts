import type { Rng } from '../../ground/random'
import type { LifelongFamily, LifelongKind } from '../lifelong/family'
import { livesOf } from '../lifelong/lives'
import type { WorkplaceEntry } from './entry'
import { WORKPLACE, writeAction } from './environment'
import { openRoom, tagOf } from './room'
import { drawTask, openFirst, openWorkplaceSeed } from './tasks'
import { BUSY_TOWNS, createWorkplace, driftSeed, type Workplace } from './world'

const one = (stages: number): number[][] => Array.from({ length: stages }, () => [0])
/** Small enough that a model of some hundred million weights lives one through in minutes. */
const USUAL = { stages: one(3), perStage: 24, probes: 6 } as const
const GIVEN = 40
const STEADY = 'workplace-steady'
/** The skill of a task in a wording that is held out, so that protocols can hold such tasks out and reports count them. */
const OTHER_WORDS = 'other-words'

const KINDS: readonly LifelongKind[] = [
  { id: STEADY, title: 'Workplace, steady', about: 'One workplace that stays as it is.', ...USUAL },
  {
    id: 'workplace-mixed',
    title: 'Workplace, mixed',
    about: 'Three workplaces interleaved: what is right at one is wrong at the next.',
    ...USUAL,
    perStage: 36,
    stages: [
      [0, 1, 2],
      [0, 1, 2],
      [0, 1, 2],
    ],
  },
  {
    id: 'workplace-drift',
    title: 'Workplace, drift',
    about: 'A quarter of what the workplace goes by changes twice, unannounced.',
    ...USUAL,
    drift: 0.25,
  },
  {
    id: 'workplace-return',
    title: 'Workplace, return',
    about: 'One workplace, then another, then the first again: what was forgotten?',
    ...USUAL,
    stages: [[0], [1], [0]],
  },
  {
    id: 'workplace-noisy',
    title: 'Workplace, noisy',
    about: 'One reward of ten is told as its opposite.',
    ...USUAL,
    feedback: 'noisy',
    tasksOf: STEADY,
    clean: STEADY,
  },
  {
    id: 'workplace-poisoned',
    title: 'Workplace, poisoned',
    about: 'The memory starts with attempts of another agent, a tenth of them wrong.',
    ...USUAL,
    given: { attempts: GIVEN, wrong: 0.1 },
    tasksOf: STEADY,
    clean: 'workplace-given',
  },
  {
    id: 'workplace-sparse',
    title: 'Workplace, sparse',
    about: 'Only every fifth reward is told.',
    ...USUAL,
    feedback: 'sparse',
  },
  {
    id: 'workplace-given',
    title: 'Workplace, given',
    about: 'As poisoned, with nothing wrong in what it starts with: what the damage is counted from.',
    ...USUAL,
    given: { attempts: GIVEN, wrong: 0 },
    tasksOf: STEADY,
    companion: true,
  },
]

/** A workplace with the seed text that it follows from. */
interface Place {
  readonly seed: string
  readonly workplace: Workplace
}

interface LivedTask {
  readonly place: Place
  readonly town: string
  readonly entry: WorkplaceEntry
}

const placeOf = (seed: string): Place => ({ seed, workplace: createWorkplace(seed) })

function drawAt(rng: Rng, place: Place, town: string, phrasing: WorkplaceEntry['phrasing']): LivedTask {
  const entry = drawTask(rng, place.seed, '', { town, phrasing })
  const skill_list = [...entry.skill_list, ...(phrasing === 'held-out' ? [OTHER_WORDS] : [])]
  return { place, town, entry: { ...entry, skill_list, level: 0 } }
}

/** Towns in turn, shuffled anew each time around; every fifth task is worded in a way that is held out. */
function draw(rng: Rng, place: Place, count: number): LivedTask[] {
  const busy = [...place.workplace.ways.keys()].slice(0, BUSY_TOWNS)
  const rounds = Array.from({ length: Math.ceil(count / busy.length) }, () => rng.sample(busy, busy.length))
  return rounds
    .flat()
    .slice(0, count)
    .map((town, i) => drawAt(rng, place, town, i % 5 === 4 ? 'held-out' : 'usual'))
}

const wayOf = ({ place: { workplace }, town }: LivedTask): string => workplace.ways.get(town) ?? ''

const solved = ({ entry }: LivedTask): string[] =>
  openRoom(entry, 0)
    .plan()
    .map(({ name, args }) => writeAction(name, args))

const FAMILY: LifelongFamily<Place, LivedTask> = {
  environment: WORKPLACE,
  demo: false,
  kinds: KINDS,
  createWorld: placeOf,
  seedOf: openWorkplaceSeed,
  nameOf: ({ workplace }) => workplace.name,
  drift: ({ seed }, rng, share) => placeOf(driftSeed(seed, rng, share)),
  draw,
  twin: (rng, place, { town, entry }) => drawAt(rng, place, town, entry.phrasing),
  markOf: ({ entry }) => entry.instruction,
  known: (task, example) => ({
    rules: [{ key: `${task.place.workplace.name}/${task.town}`, name: task.town, value: wayOf(task) }],
    path: solved(task),
    place: task.place.workplace.name,
    example: {
      instruction: example.entry.instruction,
      rounds: solved(example).map((completion) => ({ completion, observation: null })),
    },
  }),
  rows(tasks) {
    const isFirst = openFirst(
      tasks.map(({ task }) => `${task.place.workplace.name}/${tagOf(task.town, wayOf(task))}`),
    )
    return tasks.map(({ task: { entry }, id }, i) => ({ ...entry, id, ...(isFirst[i] && { open: true }) }))
  },
  solved,
}

/** Whole lifetimes at workplaces, at level 0: what is told once is asked again. */
export const workplaceLives = livesOf(FAMILY)
