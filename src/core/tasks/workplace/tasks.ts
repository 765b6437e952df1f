import { createRng, type Rng } from '../../ground/random'
import type { Item, WorkplaceEntry } from './entry'
import { HELD_OUT_HANDS, instructionFor, USUAL_HANDS } from './phrasings'
import { createWorkplace, stepsFor, type Workplace } from './world'

/** The seed text of a workplace that a person asks for by number. */
export const openWorkplaceSeed = (world: number): string => `open:${world}`

export interface DrawOptions {
  /** Default `usual`: without the phrasings that are held out. */
  readonly phrasing?: WorkplaceEntry['phrasing']
  /** The town of the one thing that is to leave. Default: one or two things leave, for any town. */
  readonly town?: string
}

/** A sort or a town; the first ones are drawn more often, so that parts come again. */
const drawOften = <T>(rng: Rng, items: readonly T[]): T => {
  const item = items[Math.floor(rng.next() * rng.next() * items.length)]
  if (item === undefined) throw new RangeError('draw from an empty list')
  return item
}

function drawItem(rng: Rng, { kind, procedures, ways }: Workplace, number: number): Item {
  const { sort, heavy } = drawOften(rng, procedures)
  return {
    id: `${kind.prefix}${number}`,
    sort,
    kilograms: rng.chance(0.4) ? heavy.over + 1 + rng.int(6) : 1 + rng.int(heavy.over),
    town: drawOften(rng, [...ways.keys()]),
  }
}

/** Draws a task of a workplace: three to five items lie there, and one or (three in ten) two of them are to leave. */
export function drawTask(
  rng: Rng,
  seed: string,
  id: string,
  { phrasing = 'usual', town }: DrawOptions = {},
): WorkplaceEntry {
  const workplace = createWorkplace(seed)
  const numbers = rng.sample(
    Array.from({ length: 90 }, (_, i) => i + 10),
    3 + rng.int(3),
  )
  const allItems = numbers.map((number) => drawItem(rng, workplace, number))
  const items =
    town === undefined ? allItems : allItems.map((item, i) => (i === 0 ? { ...item, town } : item))
  const wantedItems = items.slice(0, town === undefined && rng.chance(0.3) ? 2 : 1)
  const hands = phrasing === 'held-out' ? HELD_OUT_HANDS : USUAL_HANDS
  const words = instructionFor(rng, hands, wantedItems, workplace.kind.item)
  const skills = wantedItems.flatMap(({ sort, kilograms }) => {
    const procedure = workplace.procedures.find((one) => one.sort === sort)
    return procedure ? stepsFor(procedure, kilograms).map(({ kind }) => kind.name) : []
  })
  return {
    id,
    workplace: seed,
    instruction: `${workplace.name}: ${words}`,
    items: rng.sample(items, items.length),
    wanted: wantedItems.map(({ id: name }) => name),
    phrasing,
    skill_list: [...new Set([...skills, workplace.kind.leave.name])],
  }
}

/** Of which tasks the tags are shown at level 0: of each that is the first about its fact, so that what is told once is asked again. */
export function openFirst(facts: readonly string[]): boolean[] {
  return facts.map((fact, i) => facts.indexOf(fact) === i)
}

const townOf = ({ wanted, items }: WorkplaceEntry): string =>
  items.find(({ id }) => id === wanted.at(-1))?.town ?? ''

/** A stream at one workplace; every fifth task is worded in a way that is held out. The same number always gives the same tasks. */
export function generateWorkplaceStream(world: number, count: number): WorkplaceEntry[] {
  const seed = openWorkplaceSeed(world)
  const rng = createRng(`tasks/${seed}`)
  const tasks = Array.from({ length: count }, (_, i) =>
    drawTask(rng, seed, `t${i}`, { phrasing: i % 5 === 4 ? 'held-out' : 'usual' }),
  )
  const isFirst = openFirst(tasks.map(townOf))
  return tasks.map((task, i) => ({ ...task, ...(isFirst[i] && { open: true }) }))
}
