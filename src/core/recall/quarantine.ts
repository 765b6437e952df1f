import type { MemoryStore, MemoryEvent } from '../ground/ports'
import type { Trajectory } from '../../shared/domain/trajectory'
import { MEMORY_KINDS } from '../memory'
import type { MemoryKindModule, MemorySource } from '../memory/items/kind'
import { NO_SOFT_PROMPTS, stillOf } from './candidates'
import { itemKey, type RecallPolicy } from './policy'

/** Uses before an item's own effect is judged, and how many of its deviations it has to be below zero (P > .9). */
const LEAST_USES = 4
const DEVIATIONS = 1.28

/**
 * What an attempt puts into quarantine: items it was shown that keep failing (their effect is below zero with a probability above .9). What a
 * person wrote, edited, pinned or restored stays.
 */
export async function quarantineEvents(
  { recalled, finishedAt }: Pick<Trajectory, 'recalled' | 'finishedAt'>,
  { model }: Pick<RecallPolicy, 'model'>,
  bank: Pick<MemoryStore, 'memorySource'>,
): Promise<MemoryEvent[]> {
  if (!bank.memorySource) return []
  const source: MemorySource = { ...bank.memorySource, softPrompts: NO_SOFT_PROMPTS }
  const events: MemoryEvent[] = []
  for (const kind of MEMORY_KINDS as readonly MemoryKindModule[]) {
    const of = kind.info.id
    if (kind.shownAs === 'apart') continue
    for (const { id } of recalled.filter((item) => item.kind === of)) {
      const { mean, deviation, uses } = model.effect(itemKey(of, id))
      if (uses < LEAST_USES || mean + DEVIATIONS * deviation >= 0) continue
      const head = await kind.head(source, id)
      if (!head || head.gone !== null || head.mark === 'pinned') continue
      if (source.state.curated.get(of)?.get(id)?.restoredAt) continue
      if ((await stillOf(kind, source, id, head.editedAt ?? ''))?.byPerson === false)
        events.push({ kind: 'item-quarantined', of, itemId: id, at: finishedAt, why: 'failing' })
    }
  }
  return events
}
