import { hash32 } from '../../ground/random'
import type { Procedure, Workplace } from './world'

/** One page of a handbook. */
export interface Page {
  readonly title: string
  readonly text: string
}

/** How one of the people writes who wrote the handbook. */
interface Writer {
  procedure(procedure: Procedure, workplace: Workplace): string
  town(town: string, way: string, workplace: Workplace): string
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Says what comes in which order, in whole sentences. */
const plain: Writer = {
  procedure({ sort, steps, heavy }, { kind }) {
    const ways = steps.map(({ kind: { past }, value }) => `${past} ${value}`)
    const { step, over, at } = heavy
    return `${capital(sort)} are first ${ways.join(', then ')}. A ${kind.item} over ${over} kg is also ${step.kind.past} ${step.value}, and that before it is ${steps[at]?.kind.past.split(' ')[0] ?? 'ready'}.`
  },
  town: (town, way, { kind }) => `Whatever goes to ${town} is ${kind.leave.past} ${way}.`,
}

/** Talks to a colleague, with asides. */
const chatty: Writer = {
  procedure({ sort, steps, heavy }, { kind }) {
    const [first, ...rest] = steps
    const later = rest.map(({ kind: { order }, value }) => `When that is done, ${order} ${value}.`)
    const { step, over, at } = heavy
    return `I have seen more ${sort} than I can count, so take my word for it. To begin with, ${first?.kind.order} ${first?.value}. ${later.join(' ')} Mind the big ones, though: with more than ${over} kg on it, a ${kind.item} comes back to us unless you ${step.kind.order} ${step.value} just ahead of the moment when you ${steps[at]?.kind.name ?? 'end'} it.`
  },
  town: (town, way, { kind }) =>
    `My cousin lives in ${town}, a rainy place. If something is meant for there, ${kind.leave.order} ${way}; the others never arrive.`,
}

/** Writes rules as a clerk does, the last thing first. */
const formal: Writer = {
  procedure({ sort, steps, heavy }, { kind }) {
    const rules = steps
      .map(({ kind: { past }, value }, i) => {
        const before = steps[i - 1]
        return before
          ? `It shall be ${past} ${value}, yet not until it has been ${before.kind.past} ${before.value}.`
          : `Nothing shall happen to it before it has been ${past} ${value}.`
      })
      .reverse()
    const { step, over, at } = heavy
    return `This concerns every ${kind.item} of ${sort}. ${rules.join(' ')} Where its weight exceeds ${over} kg, it shall further be ${step.kind.past} ${step.value}; the turn of this is immediately before it is ${steps[at]?.kind.past.split(' ')[0] ?? 'ready'}.`
  },
  town: (town, way, { kind }) =>
    `As to ${town}: by agreement with the carrier, every ${kind.item} addressed to it shall be ${kind.leave.past} ${way}.`,
}

const WRITERS: readonly [Writer, ...Writer[]] = [plain, chatty, formal]

const writerOf = (workplace: Workplace, title: string): Writer =>
  WRITERS[hash32(`${workplace.name}/${title}`) % WRITERS.length] ?? plain

const handbooks = new WeakMap<Workplace, ReadonlyMap<string, Page>>()

/** The pages of a workplace's handbook by their titles in small letters: one for each sort and each town. */
export function handbookOf(workplace: Workplace): ReadonlyMap<string, Page> {
  const cache = handbooks.get(workplace)
  if (cache) return cache
  const pages: Page[] = [
    ...workplace.procedures.map((procedure) => ({
      title: procedure.sort,
      text: writerOf(workplace, procedure.sort).procedure(procedure, workplace),
    })),
    ...[...workplace.ways].map(([town, way]) => ({
      title: town,
      text: writerOf(workplace, town).town(town, way, workplace),
    })),
  ]
  const handbook = new Map(pages.map((page) => [page.title.toLowerCase(), page]))
  handbooks.set(workplace, handbook)
  return handbook
}
