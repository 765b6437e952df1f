import { z } from 'zod'
import { itemMarkSchema, type MemoryKindInfo, type ItemValues } from '../../../shared/domain/item'
import type { LearnedText } from '../../../shared/domain/memory'
import { canonicalJson } from '../../ground/canonical-json'
import type { LearnedEntry } from '../entries'
import type { NoteEvolved } from '../notes/events'
import { quarantineOf } from './curated'
import { featuresOf, originOfAttempt } from './features'
import { headsFrom } from './heads-of'
import { endedAt, lastDayOf } from './last-day'
import type { LearnedPart, ItemHead, MemoryKindModule, MemorySource, ItemText, RecallPlace } from './kind'

/** What is special about a kind of learned text. */
export interface LearnedKind<T extends LearnedText> {
  readonly info: MemoryKindInfo
  /** Its shape; `kind` is the kind's id. */
  readonly schema: z.ZodObject & z.ZodType<T>
  /** Its title, text, and the values of its fields. */
  view(memory: T): Pick<ItemText, 'title' | 'text' | 'values'> & Partial<Pick<ItemText, 'facts'>>
  /** The text with other values of its fields. */
  edited(memory: T, values: ItemValues): T
  /** The text after a change that a method made. Default: methods change nothing. */
  changed?(memory: T, change: Readonly<Record<string, unknown>>): T
  /** The text after what a later one of its kind brought to it. Default: nothing does. */
  evolved?(memory: T, change: NoteEvolved): T
  /** What it is searched by, and what besides. Default: its title and the beginning of its text, and nothing. */
  keys?(memory: T): readonly [key: string, other: string]
  /** What of it is compared with a task. Default: its title. */
  key?(text: ItemText): string
  /** Where one stands in a prompt. Default: `advice`. */
  place?(memory: T): RecallPlace
  readonly shownAs?: MemoryKindModule['shownAs']
  /** Why its items cannot go to another memory. Default: they can. */
  readonly stays?: string
}

/** Characters of a text that it is searched by. */
const SEARCHED = 400

/** The texts of a kind, or the one of an id. */
function entriesOfKind({ state }: MemorySource, kind: string, id?: string): LearnedEntry[] {
  const entry = id === undefined ? undefined : state.items.get(id)
  const entries = id === undefined ? [...state.items.values()] : entry ? [entry] : []
  return entries.filter((each) => each.kind === kind)
}

/** How the texts of a kind stand. */
function headsOfKind(kind: string) {
  const endOf = ({ state, now }: MemorySource, entry: LearnedEntry): string | null =>
    endedAt(lastDayOf(entry, state.curated.get(kind)?.get(entry.id)), now())
  /** As the journal has it, whatever day it is. */
  const writtenHead = ({ state }: MemorySource, entry: LearnedEntry): ItemHead => {
    const curated = state.curated.get(kind)?.get(entry.id)
    const deletedAt = curated?.deletedAt ?? null
    return {
      id: entry.id,
      environment: entry.environment,
      createdAt: entry.createdAt,
      reward: state.trajectories.get(entry.trajectoryId)?.reward ?? null,
      mark: curated?.mark ?? null,
      gone:
        deletedAt !== null
          ? { why: 'deleted', at: deletedAt, by: null }
          : entry.droppedAt !== null
            ? { why: 'dropped', at: entry.droppedAt, by: null }
            : quarantineOf(curated),
      editedAt: curated?.editedAt ?? null,
    }
  }

  const headOf = (source: MemorySource, entry: LearnedEntry): ItemHead => {
    const head = writtenHead(source, entry)
    const at = endOf(source, entry)
    return head.gone === null && at !== null ? { ...head, gone: { why: 'ended', at, by: null } } : head
  }
  return { endOf, writtenHead, headOf }
}

/** A kind of memory that methods write down as texts (`memory-added`) and read with `bank.memories`. */
export function learnedKind<T extends LearnedText>({
  info,
  schema,
  view,
  edited,
  changed,
  evolved,
  keys,
  key,
  place,
  shownAs,
  stays,
}: LearnedKind<T>): MemoryKindModule & { readonly learned: LearnedPart<T> } {
  const entriesOf = (source: MemorySource): LearnedEntry[] => entriesOfKind(source, info.id)
  const entryOf = (source: MemorySource, id: string): LearnedEntry | null =>
    entriesOfKind(source, info.id, id)[0] ?? null
  const { endOf, writtenHead, headOf } = headsOfKind(info.id)

  const ofKind = async (source: MemorySource, id: string): Promise<T | null> => {
    if (!entryOf(source, id)) return null
    return (await source.memory(id)) as T | null
  }

  const keysOf = (memory: T): readonly [key: string, other: string] => {
    const { title, text } = view(memory)
    return keys?.(memory) ?? [`${title}\n${text}`.slice(0, SEARCHED), '']
  }

  const line = z.object({
    kind: z.literal(info.id),
    item: z.unknown(),
    mark: itemMarkSchema.optional(),
    deletedAt: z.string().optional(),
  })
  const of = info.id

  const kind: MemoryKindModule & { readonly learned: LearnedPart<T> } = {
    info,
    learned: {
      ...{ schema, edited, ...(changed && { changed }) },
      keys: keysOf,
    },
    search: (source, query, signal) => source.searchTexts(of, query, signal),
    heads: (source) => Promise.resolve(headsFrom(entriesOf(source), (entry) => headOf(source, entry))),
    head(source, id) {
      const entry = entryOf(source, id)
      return Promise.resolve(entry && headOf(source, entry))
    },
    async history(source, id) {
      const entry = entryOf(source, id)
      const first = entry && ((await source.memoryAsWritten(id)) as T | null)
      if (!entry || !first) return []
      const edits = [...(source.state.curated.get(of)?.get(id)?.edits.values() ?? [])]
      const steps = stepsOf(first, entry, edits, { edited, changed, evolved })
      return steps.map(({ at, note, text }, i) => {
        const { title, values } = view(text)
        const current = i === steps.length - 1
        return { ref: { kind: of, id }, at, title, values, current, note, ranking: null }
      })
    },
    async read(source, id) {
      const memory = await ofKind(source, id)
      return memory && { facts: [], trajectoryIds: memory.trajectoryIds, ...view(memory) }
    },
    features: (source, id) =>
      featuresOf(kind, source, id, {
        async origin() {
          const { runId = '', trajectoryIds: [first] = [] } = (await ofKind(source, id)) ?? {}
          return originOfAttempt(source, runId, first)
        },
        ...(key && { key }),
      }),
    ...(shownAs && { shownAs }),
    ...(stays !== undefined && { stays }),
    ...(place && {
      async place(source: MemorySource, id: string) {
        const memory = await ofKind(source, id)
        return memory ? place(memory) : 'advice'
      },
    }),
    mark: (source, itemId, mark, { at }) => source.commit([{ kind: 'item-marked', of, itemId, mark, at }]),
    async edit(source, itemId, values, { at, newId }) {
      await source.commit([{ kind: 'item-edited', id: newId, of, itemId, values, at }])
      return itemId
    },
    remove: (source, itemId, { at }) => source.commit([{ kind: 'item-deleted', of, itemId, at }]),
    restore(source, itemId, { at, newId: id }) {
      const entry = entryOf(source, itemId)
      // What is over holds again, without an end.
      const isOver = entry !== null && endOf(source, entry) !== null
      return source.commit([
        { kind: 'item-restored', of, itemId, at },
        ...(isOver ? [{ kind: 'item-edited', id, of, itemId, values: { until: '' }, at } as const] : []),
      ])
    },
    async toLine(source, id) {
      const entry = entryOf(source, id)
      const item = await ofKind(source, id)
      if (!entry || !item) return null
      const { mark, gone } = writtenHead(source, entry)
      return {
        kind: of,
        item: unpinned(item),
        ...(mark && { mark }),
        ...(gone && { deletedAt: gone.at }),
      }
    },
    async fromLine(source, value, { at }) {
      const { item, mark, deletedAt } = line.parse(value)
      const memory = schema.parse(item) as T
      const holding = await ofKind(source, memory.id)
      if (holding && canonicalJson(unpinned(holding)) === canonicalJson(memory)) return false
      await source.commit([
        { kind: 'memory-added', memory },
        ...(mark ? [{ kind: 'item-marked', of, itemId: memory.id, mark, at } as const] : []),
        ...(deletedAt === undefined
          ? []
          : [{ kind: 'item-deleted', of, itemId: memory.id, at: deletedAt } as const]),
      ])
      return true
    },
  }
  return kind
}

/** As it stands in the journal: a pin is kept apart. */
const unpinned = <T extends object>(memory: T): T => {
  const { pinned: _, ...rest } = memory as T & { pinned?: true }
  return rest as T
}

/** How a text read: as it was written, after each change that an attempt brought, and after each edit by hand. */
function stepsOf<T extends LearnedText>(
  first: T,
  entry: LearnedEntry,
  edits: readonly { readonly at: string; readonly values: ItemValues }[],
  { edited, changed, evolved }: Pick<LearnedKind<T>, 'edited' | 'changed' | 'evolved'>,
): { readonly at: string; readonly note: string; readonly text: T }[] {
  const steps = [{ at: first.createdAt, note: 'As it was written', text: first }]
  let last = first
  for (const change of entry.changes.values()) {
    last =
      change.kind === 'note-evolved'
        ? (evolved?.(last, change) ?? last)
        : (changed?.(last, change.change) ?? last)
    steps.push({ at: change.at, note: 'Changed by an attempt', text: last })
  }
  let values: ItemValues = {}
  for (const edit of edits) {
    values = { ...values, ...edit.values }
    steps.push({ at: edit.at, note: 'Edited', text: edited(last, values) })
  }
  return steps
}
