import type { ItemVersion } from '../../../shared/domain/item'
import { learnedKind } from '../items/learned-kind'
import { day, line, text, textOf } from '../items/field'
import { endedAt } from '../items/last-day'
import type { Change, MemoryKindModule, MemorySource } from '../items/kind'
import { FACT_KIND, factSchema, replacedEvent, type Fact, type FactNotes } from './fact'
import { endsBefore, keepFact, rememberedFact } from './new-fact'

const base = learnedKind<Fact>({
  info: {
    id: FACT_KIND,
    title: 'Fact',
    titleMany: 'Facts',
    help: 'One sentence about you, a person, a project or a thing.',
    fields: [
      text('statement', 'Fact'),
      line('about', 'About', { optional: true }),
      day('until', 'Holds until', { optional: true }),
    ],
    adds: true,
  },
  schema: factSchema,
  view: ({ statement, about, question, source, words, by, replaces, until, notes = {} }) => ({
    title: statement,
    text: statement,
    values: { statement, about, until: until ?? '' },
    facts: [
      { label: 'Said', value: SAID[source] },
      ...(words === undefined ? [] : [{ label: 'In your words', value: words }]),
      ...(by === null ? [] : [{ label: 'Told by', value: by }]),
      ...(until === undefined ? [] : [{ label: 'Holds until', value: until }]),
      ...Object.entries(notes).map(([name, note]) => ({ label: `Noted: ${name}`, value: noteWords(note) })),
      ...(question === null ? [] : [{ label: 'Answers', value: question }]),
      ...(replaces.length === 0
        ? []
        : [{ label: 'Took the place of', value: earlierWords(replaces.length) }]),
    ],
  }),
  keys: ({ statement, question }) => [statement, question ?? ''],
  edited: ({ until: lastDay = '', ...fact }, values) => {
    const until = textOf(values, 'until', lastDay)
    const statement = textOf(values, 'statement', fact.statement)
    return {
      ...fact,
      statement,
      about: textOf(values, 'about', fact.about),
      ...(until !== '' && { until }),
      // What a person wrote anew is no longer the answer that was given then.
      ...(statement !== fact.statement && { answer: null }),
    }
  },
})

const SAID = {
  remember: 'to be remembered',
  correction: 'as a correction',
  program: 'by a program',
  chat: 'in a chat with another program',
} as const

const noteWords = (note: FactNotes[string]): string =>
  typeof note === 'string' ? note : JSON.stringify(note)

const earlierWords = (count: number): string => (count === 1 ? 'an earlier fact' : `${count} earlier facts`)

/** The facts that a fact took the place of. */
const replacedBy = async (source: MemorySource, id: string): Promise<readonly string[]> =>
  ((await source.memory(id)) as Fact | null)?.replaces ?? []

/** What people told: one sentence each. A later one takes the place of an earlier one on the same; taken out, it gives that place back. */
export const facts: typeof base = {
  ...base,
  async add(memory, values, { at, newId, environment }) {
    const origin = { id: `fact-${newId}`, runId: 'written', trajectoryId: 'written', environment, at }
    const until = textOf(values, 'until', '')
    if (endedAt(until === '' ? null : until, new Date(at)) !== null) throw endsBefore(until)
    const fact = rememberedFact(textOf(values, 'statement', ''), origin)
    const { id, events } = keepFact(
      {
        ...fact,
        about: textOf(values, 'about', '') || fact.about,
        ...(until !== '' && { until }),
      },
      (await memory.items(FACT_KIND)) as readonly Fact[],
    )
    if (events.length > 0) await memory.commit(events)
    return { id, isNew: events.length > 0 }
  },
  async history(source, id) {
    const earlier: ItemVersion[] = []
    for (const old of await replacedBy(source, id))
      earlier.push(...((await facts.history?.(source, old)) ?? []))
    const own = (await base.history?.(source, id)) ?? []
    return [...earlier.map((version) => ({ ...version, current: false })), ...own]
  },
  async teller(source, id) {
    const fact = (await source.memory(id)) as Fact | null
    if (fact === null) return null
    return fact.source === 'program' ? { origin: 'program', by: fact.by } : { origin: 'person', by: null }
  },
  madeFrom: replacedBy,
  async remove(source: MemorySource, itemId: string, { at }: Change) {
    const earlier = await replacedBy(source, itemId)
    await source.commit([
      { kind: 'item-deleted', of: FACT_KIND, itemId, at },
      ...earlier.map((old) => ({ kind: 'item-restored' as const, of: FACT_KIND, itemId: old, at })),
    ])
  },
  async restore(source: MemorySource, itemId: string, change: Change) {
    const earlier = await replacedBy(source, itemId)
    if (earlier.length > 0) await source.commit(earlier.map((old) => replacedEvent(old, change.at)))
    await base.restore(source, itemId, change)
  },
} satisfies MemoryKindModule
