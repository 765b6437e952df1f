import { createRng, type Rng } from '../../ground/random'
import { TOWN_ENDS, TOWN_STARTS, WORKPLACE_KINDS, type StepKind, type WorkplaceKind } from './kinds'

/** A step with its value. */
export interface Step {
  readonly kind: StepKind
  readonly value: string
}

/** What is done with items of one sort, in this order, before they leave. */
export interface Procedure {
  /** `glass jars`. */
  readonly sort: string
  readonly steps: readonly Step[]
  /** Items over so many kilograms need one step more, before the step at `at`. */
  readonly heavy: { readonly over: number; readonly step: Step; readonly at: number }
}

export interface Workplace {
  readonly name: string
  readonly kind: WorkplaceKind
  readonly procedures: readonly Procedure[]
  /** By town: where items for it leave. */
  readonly ways: ReadonlyMap<string, string>
}

/** Sorts and towns of a workplace. */
export const SORTS = 40
export const TOWNS = 30

function drawWorkplace(seed: string): Workplace {
  const rng = createRng(`workplace/${seed}`)
  const kind = rng.pick(WORKPLACE_KINDS)
  const all = kind.materials.flatMap((material) => kind.objects.map((object) => `${material} ${object}`))
  const drawStep = (stepKind: StepKind): Step => ({ kind: stepKind, value: rng.pick(stepKind.values) })
  const procedures = rng.sample(all, SORTS).map((sort): Procedure => {
    const count = 2 + rng.int(2)
    const [extra, ...usual] = rng.sample(kind.steps, count + 1).map(drawStep)
    if (!extra) throw new Error('A workplace has no steps.')
    const heavy = { over: 4 + rng.int(12), step: extra, at: rng.int(count) }
    return { sort, steps: usual, heavy }
  })
  const towns = TOWN_STARTS.flatMap((start) => TOWN_ENDS.map((end) => `${start}${end}`))
  const [place, ...names] = rng.sample(towns, TOWNS + 1)
  return {
    name: `${place} ${kind.title}`,
    kind,
    procedures,
    ways: new Map(names.map((town) => [town, rng.pick(kind.leave.values)])),
  }
}

/** Towns that lifelong streams ask about; the first ones that a workplace has. */
export const BUSY_TOWNS = 12

const other = <T>(rng: Rng, items: readonly T[], not: T): T => rng.pick(items.filter((item) => item !== not))

/** The same workplace, with `share` of its ways (of the busy towns and of the others) and of its procedures' values other than they were. */
function drift(workplace: Workplace, rng: Rng, share: number): Workplace {
  const { kind, procedures, ways } = workplace
  const towns = [...ways.keys()]
  const driftTowns = new Set(
    [towns.slice(0, BUSY_TOWNS), towns.slice(BUSY_TOWNS)].flatMap((part) =>
      rng.sample(part, Math.round(part.length * share)),
    ),
  )
  const sorts = new Set(rng.sample(procedures, Math.round(procedures.length * share)))
  return {
    ...workplace,
    ways: new Map(
      [...ways].map(([town, way]) => [town, driftTowns.has(town) ? other(rng, kind.leave.values, way) : way]),
    ),
    procedures: procedures.map((procedure) =>
      sorts.has(procedure)
        ? {
            ...procedure,
            steps: procedure.steps.map((step) => ({
              ...step,
              value: other(rng, step.kind.values, step.value),
            })),
          }
        : procedure,
    ),
  }
}

/** Seed text of the same workplace, in which a share of what it goes by has changed: `open:7~0.25:123`. */
export const driftSeed = (seed: string, rng: Rng, share: number): string =>
  `${seed}~${share}:${rng.int(1_000_000_000)}`

const draw = (seed: string): Workplace => {
  const [base = '', ...changes] = seed.split('~')
  return changes.reduce((workplace, change, i) => {
    const share = Number(change.split(':')[0])
    if (!(share >= 0 && share <= 1)) throw new Error(`No workplace has the seed ${seed}.`)
    return drift(workplace, createRng(`workplace/${base}/${i}/${change}`), share)
  }, drawWorkplace(base))
}

const workplaces = new Map<string, Workplace>()

/** The workplace of a seed text; the same text always gives the same one. The latest 32 are kept. */
export function createWorkplace(seed: string): Workplace {
  const cache = workplaces.get(seed)
  if (cache) return cache
  const fresh = draw(seed)
  const [oldest] = workplaces.keys()
  if (workplaces.size >= 32 && oldest !== undefined) workplaces.delete(oldest)
  workplaces.set(seed, fresh)
  return fresh
}

/**
 * What there is to know: of each step its value and what comes before it, of each sort from which weight on it needs which further step,
 * where and with what value, and of each town where things leave.
 */
export const countFacts = ({ procedures, ways }: Workplace): number =>
  procedures.reduce((sum, { steps }) => sum + steps.length + (steps.length - 1) + 4, 0) + ways.size

/** What an item of a weight needs, in order, without leaving. */
export function stepsFor({ steps, heavy }: Procedure, kilograms: number): readonly Step[] {
  if (kilograms <= heavy.over) return steps
  return [...steps.slice(0, heavy.at), heavy.step, ...steps.slice(heavy.at)]
}
