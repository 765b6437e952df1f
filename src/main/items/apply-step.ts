import { kindOf, MEMORY_KINDS } from '../../core/memory'
import { checkedValues } from '../../core/memory/items/field'
import type { Change, MemoryKindModule, MemorySource } from '../../core/memory/items/kind'
import type { ItemRef, ItemStep, ItemValues } from '../../shared/domain/item'
import { LoamError } from '../../shared/errors'
import { itemOf } from './item-view'

/** Carries out one step and says how to take it back. */
export async function applyStep(
  source: MemorySource,
  step: ItemStep,
  change: () => Change,
): Promise<{ ref: ItemRef; undo: ItemStep[] }> {
  const { ref } = step
  const kind = requireKind(ref.kind)
  const before = await itemOf(kind, source, ref.id)
  switch (step.do) {
    case 'mark':
      if (before.mark === step.mark) return { ref, undo: [] }
      await kind.mark(source, ref.id, step.mark, change())
      return { ref, undo: [{ do: 'mark', ref, mark: before.mark }] }
    case 'tag': {
      const tags = [...new Set(step.tags)].sort()
      if (before.tags.join('\n') === tags.join('\n')) return { ref, undo: [] }
      const { at } = change()
      await source.commit([{ kind: 'item-tagged', of: ref.kind, itemId: ref.id, at, tags }])
      return { ref, undo: [{ do: 'tag', ref, tags: before.tags }] }
    }
    case 'delete':
      if (before.gone !== null) return { ref, undo: [] }
      await kind.remove(source, ref.id, change())
      return { ref, undo: [{ do: 'restore', ref }] }
    case 'restore':
      if (before.gone === null) return { ref, undo: [] }
      if (before.gone.until !== undefined && before.gone.until < change().at)
        throw new LoamError('NOT_FOUND', 'It was in the trash for longer than the trash is kept.', {
          suggestion: 'It cannot be restored any more.',
        })
      await kind.restore(source, ref.id, change())
      return {
        ref,
        undo: [
          before.gone.why === 'ended' ? { do: 'edit', ref, values: before.values } : { do: 'delete', ref },
        ],
      }
    case 'edit': {
      const values = changedOnly(before.values, checkedValues(kind.info.fields, step.values))
      if (Object.keys(values).length === 0) return { ref, undo: [] }
      const id = await kind.edit(source, ref.id, values, change())
      const next = { ...ref, id }
      if (id !== ref.id)
        return {
          ref: next,
          undo: [
            { do: 'delete', ref: next },
            { do: 'restore', ref },
          ],
        }
      const earlier = Object.fromEntries(
        Object.entries(before.values).filter(([key]) => values[key] !== undefined),
      )
      return { ref, undo: [{ do: 'edit', ref, values: earlier }] }
    }
  }
}

/** A kind by its id. @throws LoamError `NOT_FOUND` */
export function requireKind(id: string): MemoryKindModule {
  const kind = kindOf(id)
  if (kind) return kind
  throw new LoamError('NOT_FOUND', `There is no kind of memory called "${id}".`, {
    suggestion: `The kinds are ${MEMORY_KINDS.map(({ info }) => info.id).join(', ')}.`,
  })
}

/** The values that differ from what the item says. */
const changedOnly = (before: ItemValues, after: ItemValues): ItemValues =>
  Object.fromEntries(
    Object.entries(after).filter(([key, value]) => JSON.stringify(before[key]) !== JSON.stringify(value)),
  )
