import { cases } from './cases/kind'
import type { MemoryState } from './entries'
import { experiences } from './experiences/kind'
import { DOCUMENT_KIND } from './guides/fold'
import type { Curated } from './items/curated'

const isKept = (item: Curated | undefined): boolean =>
  item === undefined || (item.deletedAt === null && item.quarantined === null)

/**
 * How many items of each kind a memory holds, by the kind's id, as its journal says: neither deleted, nor dropped, nor in quarantine, whatever day it is.
 * Kinds without any are not named; beliefs, which are computed, and soft prompts, which are files, are not counted.
 */
export function keptItems(state: MemoryState): Record<string, number> {
  const counts = new Map<string, number>()
  const add = (kind: string, n = 1): void => void counts.set(kind, (counts.get(kind) ?? 0) + n)
  const keeps = (kind: string, id: string): boolean => isKept(state.curated.get(kind)?.get(id))
  if (state.live > 0) add(cases.info.id, state.live)
  for (const { id, kind, droppedAt } of state.items.values())
    if (droppedAt === null && keeps(kind, id)) add(kind)
  for (const { id, gone } of state.experiences.values())
    if (gone === null && keeps(experiences.info.id, id)) add(experiences.info.id)
  for (const [id, { accepted }] of state.concepts.standings)
    if (accepted.length > 0 && keeps(DOCUMENT_KIND, id)) add(DOCUMENT_KIND)
  return Object.fromEntries(counts)
}
