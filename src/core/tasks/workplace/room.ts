import type { Item, WorkplaceEntry } from './entry'
import { handbookOf } from './prose'
import { createWorkplace, stepsFor, type Procedure, type Step, type Workplace } from './world'

/**
 * How much of the work is the agent's: 0 the last step by the one tool for it, which quotes the page where it refuses; 1 the last step, with the
 * pages shown; 2 every step, with the pages shown; 3 every step, and the pages have to be read.
 */
export type Level = 0 | 1 | 2 | 3

/** A call of a tool. */
export interface Call {
  readonly name: string
  readonly args: Readonly<Record<string, string>>
}

/** What a call came to. */
export interface Answer {
  readonly text: string
  readonly failed: boolean
}

/** What was done with an item so far, step by step: `wrapped in felt`. */
interface Work {
  readonly item: Item
  readonly notes: string[]
  hasLeft: boolean
}

/** What is written on a thing at level 0: `Gorley E1`. */
export const tagOf = (town: string, value: string): string => `${town} ${value}`

/** The room of an attempt: items, and what was done with them. */
export interface Room {
  /** The items as people read them, a line each, and at levels 1 and 2 the pages about those that are to leave. At level 0 what is ready, and where they lie open the tags of the towns in the room. */
  readonly context: string
  /** Does one thing. Whatever is asked for, it is answered; what is refused changes nothing. */
  call(name: string, args: Readonly<Record<string, unknown>>): Answer
  /** Whether all that is to leave has left. */
  isEmpty(): boolean
  /** Whether everything is as the handbook wants it, the items that were not spoken of included. */
  isRight(): boolean
  /** What solves the task from here on, at its shortest; pages are not read. */
  plan(): Call[]
}

const refuse = (text: string): Answer => ({ text, failed: true })
const note = ({ kind, value }: Step): string => `${kind.past} ${value}`

const procedureOf = (workplace: Workplace, { sort }: Item): Procedure => {
  const procedure = workplace.procedures.find((one) => one.sort === sort)
  if (!procedure) throw new Error(`There is no procedure for ${sort}.`)
  return procedure
}

/** All that is done with an item, the leaving included. */
function wholeWork(workplace: Workplace, item: Item): Step[] {
  const way = workplace.ways.get(item.town)
  if (way === undefined) throw new Error(`There is no way to ${item.town}.`)
  const last: Step = { kind: workplace.kind.leave, value: way }
  return [...stepsFor(procedureOf(workplace, item), item.kilograms), last]
}

const line = ({ id, sort, kilograms, town }: Item): string => `${id}: ${sort}, ${kilograms} kg, for ${town}`

const describe = ({ item, notes }: Work): string =>
  `${line(item)}; ${notes.length === 0 ? 'nothing is done yet' : notes.join(', ')}`

/** Has leave what is ready for a town, or says what the page of the town says. */
function leaveOnly(
  {
    workplace,
    works,
    needsOf,
  }: { readonly workplace: Workplace; readonly works: readonly Work[]; needsOf(id: string): readonly Step[] },
  name: string,
  args: Readonly<Record<string, unknown>>,
): Answer {
  const { item: noun, leave } = workplace.kind
  if (name !== leave.name) return refuse(`There is no tool "${name.slice(0, 60)}" here.`)
  const [town = '', value = ''] = String(args['tag'] ?? '').split(' ')
  const work = works.find(({ item, notes, hasLeft }) => item.town === town && notes.length > 0 && !hasLeft)
  if (!work) return refuse(`${name} refuses: no ${noun} for "${town.slice(0, 60)}" is ready.`)
  const needs = needsOf(work.item.id)
  if (needs.at(-1)?.value === value) return doStep(workplace, work, needs, name, value)
  return refuse(`${name} refuses. ${readPage(workplace, town).text}`)
}

function readPage(workplace: Workplace, title: string): Answer {
  const handbook = handbookOf(workplace)
  const page = handbook.get(title.trim().toLowerCase())
  if (page) return { text: `${page.title}\n${page.text}`, failed: false }
  const words = title.toLowerCase().split(/\s+/)
  const near = [...handbook.values()].filter(({ title: name }) =>
    name
      .toLowerCase()
      .split(' ')
      .some((word) => words.includes(word)),
  )
  const hint = near.length === 0 ? 'There is one for every sort and one for every town.' : ''
  const names = near.slice(0, 6).map(({ title: name }) => name)
  return refuse(
    `The handbook has no page "${title.slice(0, 60)}". ${hint || `There is: ${names.join(', ')}.`}`,
  )
}

/** Does a step with an item, or says why its tool refuses. */
function doStep(
  { kind }: Workplace,
  work: Work,
  needs: readonly Step[],
  name: string,
  value: string,
): Answer {
  const { item, notes } = work
  const tool = [...kind.steps, kind.leave].find((one) => one.name === name)
  if (!tool) return refuse(`There is no tool "${name.slice(0, 60)}" here.`)
  if (work.hasLeft) return refuse(`${item.id} has left already.`)
  if (!tool.values.includes(value))
    return refuse(
      `There is no ${tool.argument} "${value.slice(0, 60)}". It has to be one of: ${tool.values.join(', ')}.`,
    )
  const next = needs[notes.length]
  const at = needs.findIndex((step) => step.kind === tool)
  if (at < 0)
    return refuse(`${name} refuses ${item.id}: ${item.sort} of ${item.kilograms} kg do not need it.`)
  if (at < notes.length) return refuse(`${name} refuses ${item.id}: that is done already.`)
  if (at > notes.length)
    return refuse(
      `${name} refuses ${item.id}: it has to be ${next?.kind.past.split(' ')[0]} before it is ${tool.past.split(' ')[0]}.`,
    )
  if (tool.strict && needs[at]?.value !== value)
    return refuse(`${name} refuses ${item.id}: ${tool.argument} ${value} is wrong for ${item.sort}.`)
  notes.push(`${tool.past} ${value}`)
  if (tool === kind.leave) work.hasLeft = true
  return { text: `${item.id} is ${tool.past} ${value}.`, failed: false }
}

/** Opens the room of a task. @throws Error when its items are none of its workplace */
export function openRoom(entry: WorkplaceEntry, level: Level): Room {
  const workplace = createWorkplace(entry.workplace)
  const works = new Map<string, Work>(
    entry.items.map((item) => [item.id, { item, notes: [], hasLeft: false }]),
  )
  const needs = new Map(entry.items.map((item) => [item.id, wholeWork(workplace, item)]))
  const needsOf = (id: string): readonly Step[] => needs.get(id) ?? []
  const wantedWorks = entry.wanted.map((id) => {
    const work = works.get(id)
    if (!work) throw new Error(`There is no ${id}.`)
    return work
  })
  if (level <= 1)
    wantedWorks.forEach((work, i) => {
      const isLast = i === wantedWorks.length - 1
      const steps = needsOf(work.item.id)
      work.notes.push(...(isLast ? steps.slice(0, -1) : steps).map(note))
      work.hasLeft = !isLast
    })
  const page = (title: string): string => `Page: ${readPage(workplace, title).text}`
  const pages = [...new Set(wantedWorks.flatMap(({ item }) => [item.sort, item.town]))]
  const last = wantedWorks.at(-1)
  const openPages = level === 1 || level === 2 ? pages.map(page) : []
  const towns = [...new Set(entry.items.map(({ town }) => town))]
  const tags = towns.map((town) => tagOf(town, workplace.ways.get(town) ?? '')).join(', ')
  return {
    context: [
      ...(level === 0 && last ? [`Ready to leave: ${line(last.item)}`] : ['In the room:']),
      ...[...works.values()].filter(({ hasLeft }) => level > 0 && !hasLeft).map(describe),
      ...(level === 0 && entry.open ? [`On the wall: ${tags}.`] : []),
      ...(openPages.length === 0 ? [] : ['', 'From the handbook:', ...openPages]),
    ].join('\n'),
    call(name, args) {
      if (level === 0) return leaveOnly({ workplace, works: [...works.values()], needsOf }, name, args)
      if (name === 'read_page') return readPage(workplace, String(args['title'] ?? ''))
      const id = String(args['item'] ?? '')
      const work = works.get(id)
      if (!work) return refuse(`There is no ${workplace.kind.item} "${id.slice(0, 60)}" in the room.`)
      if (name === 'look') return { text: describe(work), failed: false }
      const { argument } = [...workplace.kind.steps, workplace.kind.leave].find(
        (one) => one.name === name,
      ) ?? { argument: '' }
      const value = String(args[argument] ?? '')
      return doStep(workplace, work, needsOf(id), name, value)
    },
    isEmpty: () => wantedWorks.every(({ hasLeft }) => hasLeft),
    isRight: () =>
      [...works].every(([id, { notes }]) => {
        const aims = entry.wanted.includes(id) ? needsOf(id).map(note) : []
        return notes.length === aims.length && notes.every((text, i) => text === aims[i])
      }),
    plan: () =>
      wantedWorks.flatMap(({ item, notes }) =>
        needsOf(item.id)
          .slice(notes.length)
          .map(({ kind, value }): Call => ({
            name: kind.name,
            args: level === 0 ? { tag: tagOf(item.town, value) } : { item: item.id, [kind.argument]: value },
          })),
      ),
  }
}
