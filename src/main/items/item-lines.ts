import { headerOf } from '../../core/formats/loam/lines'
import { kindOf } from '../../core/memory'
import { leavingKinds } from '../../core/memory/kind-words'
import type { MemorySource } from '../../core/memory/items/kind'
import { lineOfItem } from '../../core/memory/items/projects'
import type { ItemRef } from '../../shared/domain/item'
import { LoamError } from '../../shared/errors'
import type { StoredMemory } from '../memory-store/memory'

/** Items of a memory as JSON lines behind the header of an export: those named, else the live ones of some kinds (null: all that `leavingKinds` lets leave). */
export async function exportItems(
  memory: Pick<StoredMemory, 'id' | 'name' | 'createdAt' | 'embedder'>,
  source: MemorySource,
  items: readonly ItemRef[] | null,
  kinds: readonly string[] | null,
  now: Date,
): Promise<{ text: string; count: number }> {
  const lines = [JSON.stringify(headerOf(memory, now))]
  for (const ref of items ?? (await liveItems(source, kinds))) {
    const kind = kindOf(ref.kind)
    const line = kind && (await lineOfItem(kind, source, ref.id))
    if (!line)
      throw new LoamError('NOT_FOUND', `There is no ${ref.kind} ${ref.id} in this memory.`, {
        suggestion: 'Reload the list.',
      })
    lines.push(JSON.stringify(line))
  }
  return { text: lines.join('\n') + '\n', count: lines.length - 1 }
}

async function liveItems(source: MemorySource, kinds: readonly string[] | null): Promise<ItemRef[]> {
  const refs: ItemRef[] = []
  for (const kind of leavingKinds(kinds)) {
    for (const { id, gone } of await kind.heads(source))
      if (gone === null) refs.push({ kind: kind.info.id, id })
  }
  return refs
}
