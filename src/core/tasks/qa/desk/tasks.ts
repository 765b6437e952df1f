import { createRng, type Rng } from '../../../ground/random'
import { createDesk, openDeskSeed, type Desk } from './world'

export const DESK_KINDS = ['cost', 'sum', 'rest', 'key'] as const
export type DeskKind = (typeof DESK_KINDS)[number]

/** A question that needs two to four calls of tools, each with what the one before gave. */
export interface DeskTask {
  readonly id: string
  readonly desk: string
  readonly kind: DeskKind
  /** Whom it is about; a sum is about two. */
  readonly people: readonly string[]
  /** What was paid already, where something is to be left. */
  readonly paid: number
  readonly question: string
  readonly answer: string
  readonly files: readonly string[]
}

/** How each kind is asked: `{a}` and `{b}` are people, `{n}` what was paid. */
const USUAL: Readonly<Record<DeskKind, readonly string[]>> = {
  cost: ['What does the order of {a} cost?', 'How much is the order of {a}?'],
  sum: ['How much do {a} and {b} owe together?', 'What is the sum of what {a} and {b} owe?'],
  rest: ['{a} pays {n}. What does {a} still owe?', 'What is left to pay for {a} after {n}?'],
  key: ['Who has the key to the room of {a}?', 'Whom does {a} ask for the key to the room?'],
}
/** Wordings that no training text has. */
export const HELD_OUT_WORDINGS: Readonly<Record<DeskKind, string>> = {
  cost: 'Work out the price of all that {a} wants.',
  sum: 'Add up the debts of {a} and {b}.',
  rest: 'Having paid {n}, how much has {a} yet to pay?',
  key: 'The room of {a} is locked: who can open it?',
}

const must = <T>(value: T | undefined): T => {
  if (value === undefined) throw new RangeError('nobody of that name sits at the desk')
  return value
}

function answerTo(kind: DeskKind, desk: Desk, people: readonly string[], paid: number): string {
  const [first = ''] = people
  if (kind === 'key') return must(desk.rooms.get(first)).key
  if (kind === 'cost') {
    const { count, thing } = must(desk.orders.get(first))
    return String(count * must(desk.prices.get(thing)))
  }
  return String(people.reduce((sum, name) => sum + must(desk.bills.get(name)), -paid))
}

/** The files that lie with a task: those that it needs and two that it does not. */
function filesFor(
  rng: Rng,
  kind: DeskKind,
  { names, rooms }: Desk,
  [first = '']: readonly string[],
): string[] {
  const room = must(rooms.get(first)).file
  const others = rng.sample(
    [...rooms.values()].map(({ file }) => file).filter((file) => file !== room),
    2,
  )
  const lists = Object.values(names)
  const needed =
    kind === 'key'
      ? [names.rooms, room, ...others]
      : kind === 'cost'
        ? [names.orders, names.prices]
        : [names.bills, names.late]
  const rest = lists.filter((name) => !needed.includes(name))
  return [...needed, ...rng.sample(rest, kind === 'key' ? 1 : 2)].toSorted()
}

export interface DeskDraw {
  readonly kind?: DeskKind
  /** Default: worded as in training. */
  readonly heldOut?: boolean
}

/** Draws a question at a desk. */
export function drawDeskTask(
  rng: Rng,
  desk: Desk,
  id: string,
  { kind, heldOut = false }: DeskDraw = {},
): DeskTask {
  const own = kind ?? rng.pick(DESK_KINDS)
  // A sum is of two whose bills stand in one file.
  const onTime = desk.people.filter((name) => !desk.isLate.has(name))
  const people = own === 'sum' ? rng.sample(onTime, 2) : [rng.pick(desk.people)]
  const paid = own === 'rest' ? 11 + rng.int(19) : 0
  const wording = heldOut ? HELD_OUT_WORDINGS[own] : rng.pick(USUAL[own])
  const [a = '', b = ''] = people
  return {
    id,
    desk: desk.seed,
    kind: own,
    people,
    paid,
    question: wording.replaceAll('{a}', a).replaceAll('{b}', b).replaceAll('{n}', String(paid)),
    answer: answerTo(own, desk, people, paid),
    files: filesFor(rng, own, desk, people),
  }
}

/** Questions at one desk. The same numbers always give the same ones. */
export function drawDeskTasks(world: number, count: number, draw: DeskDraw = {}): DeskTask[] {
  const desk = createDesk(openDeskSeed(world))
  const rng = createRng(`tasks/${desk.seed}`)
  return Array.from({ length: count }, (_, i) => drawDeskTask(rng, desk, `desk-${world}-${i}`, draw))
}

/** A question as a stream of questions holds it. */
export const rowOf = ({ id, kind, question, answer, files }: DeskTask) => ({
  id,
  question,
  answer,
  check: { kind: 'exact' as const },
  files,
  dataset: `desk ${kind}`,
})
