import { isHidden, type Curated } from '../../core/memory/items/curated'
import { endedAt, lastDayOf } from '../../core/memory/items/last-day'
import { editedItem } from '../../core/memory/learned-texts'
import { currentMemory } from '../../core/memory/current-memory'
import type { MemoryEvent } from '../../core/memory/events'
import type { LearnedEntry, MemoryState } from '../../core/memory/entries'
import type { LearnedItems } from '../../core/ground/ports'
import type { LearnedItemOf } from '../../core/memory'
import type { LearnedText } from '../../shared/domain/memory'

/** Learned texts (lessons, notes, ...) held ready, since methods rank them at every task. */
const KEPT_TEXTS = 20_000

export interface MemoryReader extends LearnedItems {
  /** A memory as it is now, whatever its standing. */
  read(entry: LearnedEntry): Promise<LearnedText>
  /** Null when there is none of that id. */
  byId(id: string): Promise<LearnedText | null>
  /** As it was written first. Null when there is none of that id. */
  asWritten(id: string): Promise<LearnedText | null>
}

/** Whether a text can be recalled: neither dropped nor hidden, and not past its last day. */
const isInUse = (entry: LearnedEntry, curated: Curated | undefined, now: Date): boolean =>
  entry.droppedAt === null && !isHidden(curated) && endedAt(lastDayOf(entry, curated), now) === null

/** All texts, or those of a kind that are among some or pinned; oldest first. */
function entriesAmong(
  { items, curated }: MemoryState,
  kind: string,
  among: ReadonlySet<string> | undefined,
): LearnedEntry[] {
  if (!among) return [...items.values()]
  const pinnedIds = [...(curated.get(kind) ?? [])].flatMap(([id, { mark }]) =>
    mark === 'pinned' ? [id] : [],
  )
  const ids = [...new Set([...among, ...pinnedIds])]
  return ids.flatMap((id) => items.get(id) ?? []).sort((a, b) => a.at - b.at)
}

/** Reads lessons, workflows, notes and summaries where the fold of the journal says they are. */
export function memoryReader(
  state: MemoryState,
  journal: { readOne(at: number): Promise<MemoryEvent | null>; now(): Date },
): MemoryReader {
  const texts = new Map<string, LearnedText>()

  async function firstText(entry: LearnedEntry): Promise<LearnedText> {
    let text = texts.get(entry.id)
    if (!text) {
      const event = await journal.readOne(entry.at)
      if (event?.kind !== 'memory-added')
        throw new Error(`Memory ${entry.id} is not where the journal had it`)
      text = event.memory
      if (texts.size >= KEPT_TEXTS) texts.clear()
      texts.set(entry.id, text)
    }
    return text
  }

  async function read(entry: LearnedEntry): Promise<LearnedText> {
    const text = await firstText(entry)
    const curated = state.curated.get(entry.kind)?.get(entry.id)
    const current = currentMemory(text, entry.changes)
    const edited = curated?.editedAt ? editedItem(current, curated.values) : current
    return curated?.mark === 'pinned' ? { ...edited, pinned: true } : edited
  }

  return {
    read,
    async byId(id) {
      const entry = state.items.get(id)
      return entry ? read(entry) : null
    },
    async asWritten(id) {
      const entry = state.items.get(id)
      return entry ? firstText(entry) : null
    },
    async items<K extends string>(kind: K, filter: Parameters<LearnedItems['items']>[1] = {}) {
      const now = journal.now()
      const learnedEntries = entriesAmong(state, kind, filter.among).filter(
        (entry) =>
          entry.kind === kind &&
          isInUse(entry, state.curated.get(kind)?.get(entry.id), now) &&
          (filter.environment === undefined || entry.environment === filter.environment),
      )
      const wantedLearnedEntries = learnedEntries.slice(
        Math.max(0, learnedEntries.length - (filter.newest ?? learnedEntries.length)),
      )
      const items = await Promise.all(wantedLearnedEntries.map(read))
      return items as unknown as LearnedItemOf<K>[]
    },
  }
}
