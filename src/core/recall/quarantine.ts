import type { MemoryStore, MemoryEvent } from '../ground/ports'
import type { Trajectory } from '../../shared/domain/trajectory'
import { MEMORY_KINDS } from '../memory'
import type { MemoryKindModule, MemorySource } from '../memory/items/kind'
import { NO_SOFT_PROMPTS, stillOf, type Still } from './candidates'
import type { RecallPolicy } from './policy'
import type { Statement } from './statements'
import { itemKey, statementsFrom, placeOf } from './attempt-statements'

/** What is believed less than this is taken for wrong. */
const WRONG = 0.15
/** Uses before an item's own effect is judged, and how many of its deviations it has to be below zero (P > .9). */
const LEAST_USES = 4
const DEVIATIONS = 1.28

/**
 * What an attempt puts into quarantine: items that say otherwise than what it saw, and items it was shown that keep failing (their effect is below
 * zero with a probability above .9) or whose statements have all proved wrong. What a person wrote, edited, pinned or restored stays.
 */
export async function quarantineEvents(
  trajectory: Trajectory,
  policy: Pick<RecallPolicy, 'model' | 'beliefs' | 'worldOf'>,
  bank: Pick<MemoryStore, 'memorySource'>,
): Promise<MemoryEvent[]> {
  if (!bank.memorySource) return []
  const source: MemorySource = { ...bank.memorySource, softPrompts: NO_SOFT_PROMPTS }
  const place = placeOf(trajectory.task.world)
  const seenMap = new Map(statementsFrom(trajectory).seen.map(({ subject, value }) => [subject, value]))
  const shownSet = new Set(trajectory.recalled.map(({ kind, id }) => itemKey(kind, id)))
  const at = trajectory.finishedAt
  const isWrong = ({ subject, value }: Statement): boolean =>
    seenMap.has(subject)
      ? seenMap.get(subject) !== value
      : policy.beliefs.of(place, subject, value, 1) < WRONG
  const isHere = ({ trajectoryId, text }: Still): boolean =>
    place === '' ||
    ((trajectoryId !== null ? policy.worldOf(trajectoryId) : null) ?? (text.includes(place) ? place : '')) ===
      place
  const events: MemoryEvent[] = []
  for (const kind of MEMORY_KINDS as readonly MemoryKindModule[]) {
    if (kind.shownAs === 'apart') continue
    for (const { id, gone, mark, editedAt } of await kind.heads(source)) {
      const of = kind.info.id
      if (gone !== null || mark === 'pinned') continue
      if (source.state.curated.get(of)?.get(id)?.restoredAt) continue
      const key = itemKey(of, id)
      if (!shownSet.has(key) && seenMap.size === 0) continue
      const item = await stillOf(kind, source, id, editedAt ?? '')
      if (!item || item.byPerson) continue
      const { mean, deviation, uses } = policy.model.effect(key)
      const fails = uses >= LEAST_USES && mean + DEVIATIONS * deviation < 0
      const wrong = isHere(item) && item.statements.length > 0 && item.statements.every(isWrong)
      const contradicted = wrong && item.statements.some(({ subject }) => seenMap.has(subject))
      if (contradicted || (shownSet.has(key) && (fails || wrong)))
        events.push({
          kind: 'item-quarantined',
          ...{ of, itemId: id, at },
          why: contradicted ? 'contradicted' : 'failing',
        })
    }
  }
  return events
}
