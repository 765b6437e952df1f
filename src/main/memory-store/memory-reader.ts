import { isHidden } from '../../core/memory/items/curated'
import { editedMemory } from '../../core/memory/learned-texts'
import { currentMemory } from '../../core/memory/current-memory'
import type { SpaceEvent } from '../../core/memory/events'
import type { MemoryEntry, SpaceState } from '../../core/memory/entries'
import type { Memories } from '../../core/ground/ports'
import type { MemoryOf } from '../../core/memory'
import type { LearnedText } from '../../shared/domain/memory'

/** Learned texts (lessons, notes, ...) held ready, since methods rank them at every task. */
const KEPT_TEXTS = 20_000

export interface MemoryReader<At> extends Memories {
  /** A memory as it is now, whatever its standing. */
  read(entry: MemoryEntry<At>): Promise<LearnedText>
  /** Null when there is none of that id. */
  byId(id: string): Promise<LearnedText | null>
  /** As it was written first. Null when there is none of that id. */
  asWritten(id: string): Promise<LearnedText | null>
}

/** Reads lessons, workflows, notes and summaries where the fold of the journal says they are. */
export function memoryReader<At>(
  state: SpaceState<At>,
  journal: { readOne(at: At, part: number): Promise<SpaceEvent | null> },
): MemoryReader<At> {
  const texts = new Map<string, LearnedText>()

  async function firstText(entry: MemoryEntry<At>): Promise<LearnedText> {
    let written = texts.get(entry.id)
    if (!written) {
      const event = await journal.readOne(entry.at, entry.part)
      if (event?.kind !== 'memory-added')
        throw new Error(`Memory ${entry.id} is not where the journal had it`)
      written = event.memory
      if (texts.size >= KEPT_TEXTS) texts.clear()
      texts.set(entry.id, written)
    }
    return written
  }

  async function read(entry: MemoryEntry<At>): Promise<LearnedText> {
    const written = await firstText(entry)
    const curated = state.curated.get(entry.kind)?.get(entry.id)
    const current = currentMemory(written, entry.changes)
    const edited = curated?.editedAt ? editedMemory(current, curated.values) : current
    return curated?.mark === 'pinned' ? { ...edited, pinned: true } : edited
  }

  return {
    read,
    async byId(id) {
      const entry = state.memories.get(id)
      return entry ? read(entry) : null
    },
    async asWritten(id) {
      const entry = state.memories.get(id)
      return entry ? firstText(entry) : null
    },
    async memories<K extends string>(kind: K, filter: Parameters<Memories['memories']>[1] = {}) {
      const found = [...state.memories.values()].filter(
        (entry) =>
          entry.kind === kind &&
          entry.droppedAt === null &&
          !isHidden(state.curated.get(kind)?.get(entry.id)) &&
          (filter.environment === undefined || entry.environment === filter.environment),
      )
      const wanted = found.slice(Math.max(0, found.length - (filter.newest ?? found.length)))
      const memories = await Promise.all(wanted.map(read))
      return memories as unknown as MemoryOf<K>[]
    },
  }
}
