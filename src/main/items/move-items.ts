import { tagsOf } from '../../core/memory/items/curated'
import { sourceAlong } from '../../core/memory/items/trust'
import type { Change, MemorySource } from '../../core/memory/items/kind'
import type { ItemRef, ItemStep } from '../../shared/domain/item'
import { LoamError } from '../../shared/errors'
import { requireKind } from './apply-step'

/**
 * Copies a live item into another memory, with its mark, tags and origin; the attempts behind it stay where they are. Answers how to take that
 * back there: nothing where the same one was live there already.
 *
 * @throws LoamError `NOT_FOUND`, or `CONFLICT` for one that is not in use, that stays where it is, or whose id holds something else there
 */
export async function copyItem(
  from: MemorySource,
  to: MemorySource,
  ref: ItemRef,
  change: () => Change,
): Promise<ItemStep[]> {
  const kind = requireKind(ref.kind)
  const refuse = (cause: string, suggestion: string): LoamError =>
    new LoamError('CONFLICT', cause, { suggestion })
  if (kind.stays !== undefined)
    throw refuse(`A ${kind.info.title.toLowerCase()} cannot go to another memory.`, kind.stays)
  const head = await kind.head(from, ref.id)
  const line = head && (await kind.toLine(from, ref.id))
  if (!line)
    throw new LoamError(
      'NOT_FOUND',
      `There is no ${kind.info.title.toLowerCase()} ${ref.id} in this memory.`,
      {
        suggestion: 'Reload the list.',
      },
    )
  if (head.gone) throw refuse('It is not in use.', 'Restore it first.')
  const before = await kind.head(to, ref.id)
  await kind.fromLine(to, line, change())
  const after = await kind.head(to, ref.id)
  if (before && before.gone === null) return []
  if (after?.gone) await kind.restore(to, ref.id, change())
  const along = await sourceAlong(kind, from, ref.id, change().at)
  if (along.length > 0) await to.commit(along)
  const tags = [...tagsOf(from.state.curated, ref.kind, ref.id)]
  if (tags.length > 0)
    await to.commit([{ kind: 'item-tagged', of: ref.kind, itemId: ref.id, at: change().at, tags }])
  return [{ do: 'delete', ref }]
}
