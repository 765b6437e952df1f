import { MEMORY_KINDS } from '../../core/memory'
import { ATTEMPT } from '../../core/memory/items/projects'
import type { Change, MemoryKindModule, MemorySource } from '../../core/memory/items/kind'
import { isReleased, isWaiting } from '../../core/memory/items/trust'
import type { ItemRef } from '../../shared/domain/item'
import type { ItemRelease } from '../../shared/domain/trust'

/** Takes out of quarantine all that waits there and came from somebody a person believes now; answers it. */
export async function releaseItems(
  source: MemorySource,
  from: ItemRelease,
  change: () => Change,
): Promise<ItemRef[]> {
  const items: ItemRef[] = []
  const isMeant = (of: string, id: string): boolean =>
    isReleased(source.state.curated.get(of)?.get(id)?.source ?? null, from)
  for (const kind of MEMORY_KINDS as readonly MemoryKindModule[]) {
    const of = kind.info.id
    for (const { id, gone } of await kind.heads(source)) {
      if (!isWaiting(gone) || !isMeant(of, id)) continue
      await kind.restore(source, id, change())
      items.push({ kind: of, id })
    }
  }
  // Attempts are no items, but teach beliefs.
  const attempts = [...(source.state.curated.get(ATTEMPT) ?? [])]
    .filter(([id, { quarantined }]) => isWaiting(quarantined) && isMeant(ATTEMPT, id))
    .map(([itemId]) => ({ kind: 'item-restored' as const, of: ATTEMPT, itemId, at: change().at }))
  if (attempts.length > 0) await source.commit(attempts)
  return items
}
