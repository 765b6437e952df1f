import type { MemoryStore, MemoryEvent } from '../ground/ports'
import type { Trajectory } from '../../shared/domain/trajectory'
import { MEMORY_KINDS } from '../memory'
import type { MemoryKindModule, MemorySource } from '../memory/items/kind'
import { CASE_KIND } from '../memory/cases/kind'
import type { Beliefs } from './beliefs'
import { NO_SOFT_PROMPTS, stillOf } from './candidates'
import { itemKey, type RecallPolicy } from './policy'

/** What is believed less than this is taken for wrong. */
const WRONG = 0.35
/** Uses before an item's own effect is judged, and how many of its deviations it has to be below zero (P > .9). */
const LEAST_USES = 4
const DEVIATIONS = 1.28

/**
 * What is put into quarantine after an attempt: items it was shown that keep failing (their effect is below zero with a probability above .9), and
 * past attempts that went by what has since proved wrong. What a person wrote, edited, pinned or restored stays.
 */
export async function quarantineEvents(
  { recalled, finishedAt }: Pick<Trajectory, 'recalled' | 'finishedAt'>,
  { model }: Pick<RecallPolicy, 'model'>,
  beliefs: Beliefs,
  bank: Pick<MemoryStore, 'memorySource'>,
): Promise<MemoryEvent[]> {
  if (!bank.memorySource) return []
  const source: MemorySource = { ...bank.memorySource, softPrompts: NO_SOFT_PROMPTS }
  const shownKeys = new Set(recalled.map(({ kind, id }) => itemKey(kind, id)))
  const isFailing = (key: string): boolean => {
    const { mean, deviation, uses } = model.effect(key)
    return shownKeys.has(key) && uses >= LEAST_USES && mean + DEVIATIONS * deviation < 0
  }
  const isWrong = (trajectoryId: string | null): boolean =>
    trajectoryId !== null &&
    beliefs.provenOf(trajectoryId).some(({ sayings }) => sayings.some(({ p }) => p < WRONG))
  const events: MemoryEvent[] = []
  for (const kind of MEMORY_KINDS as readonly MemoryKindModule[]) {
    const of = kind.info.id
    if (kind.shownAs === 'apart') continue
    for (const { id, gone, mark, editedAt } of await kind.heads(source)) {
      if (gone !== null || mark === 'pinned' || source.state.curated.get(of)?.get(id)?.restoredAt) continue
      const key = itemKey(of, id)
      if (of !== CASE_KIND && !shownKeys.has(key)) continue
      const item = await stillOf(kind, source, id, editedAt ?? '')
      if (!item || item.byPerson) continue
      const isContradicted = of === CASE_KIND && isWrong(item.trajectoryId)
      if (isContradicted || isFailing(key))
        events.push({
          kind: 'item-quarantined',
          ...{ of, itemId: id, at: finishedAt },
          why: isContradicted ? 'contradicted' : 'failing',
        })
    }
  }
  return events
}
