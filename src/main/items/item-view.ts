import type { ItemHead, MemoryKindModule, MemorySource, ItemText } from '../../core/memory/items/kind'
import { tagsOf } from '../../core/memory/items/curated'
import { homeOf } from '../../core/memory/items/projects'
import { recallsOf } from '../../core/memory/items/recalls'
import { trustOf } from '../../core/memory/items/trust'
import type { ItemDetails, ItemRecalls, ItemRow, ItemVersion } from '../../shared/domain/item'
import { trustFacts } from '../../shared/domain/trust'
import { LoamError } from '../../shared/errors'

/** How often an item was shown, and how those attempts went. */
export const recallsOfItem = (kind: MemoryKindModule, source: MemorySource, id: string): ItemRecalls =>
  recallsOf(source.state.recalls, kind.info.id, kind.recallIds?.(source, id) ?? [id])

const TITLE_SHOWN = 300
const ANSWER_SHOWN = 48

const cut = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most - 1)}…` : text

/** An item as a row of a list. */
export const rowOf = async (
  kind: MemoryKindModule,
  source: MemorySource,
  head: ItemHead,
  { title, answer = '' }: Pick<ItemText, 'title' | 'answer'>,
): Promise<ItemRow> => {
  const trust = await trustOf(kind, source, head.id)
  const { id, environment, createdAt, reward, mark, gone, editedAt, labels } = head
  return {
    kind: kind.info.id,
    id,
    title: cut(title, TITLE_SHOWN),
    ...(answer !== '' && { answer: cut(answer, ANSWER_SHOWN) }),
    environment,
    createdAt,
    reward,
    mark,
    gone,
    editedAt,
    tags: [...tagsOf(source.state.curated, kind.info.id, id)],
    project: await homeOf(kind, source, id),
    recalls: recallsOfItem(kind, source, id),
    ...(trust && { trust }),
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
  const row = await rowOf(kind, source, head, text)
  return { ...row, ...text, facts: [...text.facts, ...(row.trust ? trustFacts(row.trust) : [])] }
}
