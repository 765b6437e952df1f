import { MEMORY_KINDS } from '../../core/memory'
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
  for (const kind of MEMORY_KINDS as readonly MemoryKindModule[]) {
    const of = kind.info.id
    for (const { id, gone } of await kind.heads(source)) {
      const origin = source.state.curated.get(of)?.get(id)?.source ?? null
      if (!isWaiting(gone) || !isReleased(origin, from)) continue
      await kind.restore(source, id, change())
      items.push({ kind: of, id })
    }
  }
  return items
}
