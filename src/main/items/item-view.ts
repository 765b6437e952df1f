import type { ItemHead, MemoryKindModule, MemorySource, ItemText } from '../../core/memory/items/kind'
import { tagsOf } from '../../core/memory/items/curated'
import { projectOf } from '../../core/memory/items/projects'
import { recallsOf } from '../../core/memory/items/recalls'
import type { ItemDetails, ItemRecalls, ItemRow, ItemVersion } from '../../shared/domain/item'
import { LoamError } from '../../shared/errors'

/** How often an item was shown, and how those attempts went. */
export const recallsOfItem = (kind: MemoryKindModule, source: MemorySource, id: string): ItemRecalls =>
  recallsOf(source.state.recalls, kind.info.id, kind.recallIds?.(source, id) ?? [id])

const TITLE_SHOWN = 300

/** An item as a row of a list. */
export const rowOf = (
  kind: MemoryKindModule,
  source: MemorySource,
  head: ItemHead,
  { title }: Pick<ItemText, 'title'>,
): ItemRow => {
  const { id, environment, createdAt, reward, mark, gone, editedAt, labels } = head
  return {
    kind: kind.info.id,
    id,
    title: title.length > TITLE_SHOWN ? `${title.slice(0, TITLE_SHOWN - 1)}…` : title,
    environment,
    createdAt,
    reward,
    mark,
    gone,
    editedAt,
    tags: [...tagsOf(source.state.curated, kind.info.id, id)],
    project: projectOf(source.state.curated, kind.info.id, id),
    recalls: recallsOfItem(kind, source, id),
    ...(labels && {
      labels: Object.fromEntries(Object.entries(labels).map(([key, all]) => [key, [...all]])),
    }),
  }
}

/** How an item read, oldest first; of kinds that keep no versions as it reads now. @throws LoamError `NOT_FOUND` */
export async function historyOf(
  kind: MemoryKindModule,
  source: MemorySource,
  id: string,
): Promise<ItemVersion[]> {
  const { title, values, editedAt, createdAt } = await itemOf(kind, source, id)
  if (kind.history) return [...(await kind.history(source, id))]
  const ref = { kind: kind.info.id, id }
  return [{ ref, at: editedAt ?? createdAt, title, values, current: true, note: '', ranking: null }]
}

/** An item in full. @throws LoamError `NOT_FOUND` */
export async function itemOf(kind: MemoryKindModule, source: MemorySource, id: string): Promise<ItemDetails> {
  const head = await kind.head(source, id)
  const text = head && (await kind.read(source, id))
  if (!text)
    throw new LoamError('NOT_FOUND', `There is no ${kind.info.title.toLowerCase()} ${id} in this memory.`, {
      suggestion: 'Reload the list.',
    })
  return { ...rowOf(kind, source, head, text), ...text }
}
