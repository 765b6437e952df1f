import { kindOf, MEMORY_KINDS } from '../../core/memory'
import { ALPHA } from '../../core/retrieval/fuse'
import type { Embedder } from '../../core/ground/ports'
import type { ItemHead, MemorySource } from '../../core/memory/items/kind'
import { tagsOf } from '../../core/memory/items/curated'
import { isWaiting } from '../../core/memory/items/trust'
import type { ItemQuery, ItemPage, ItemRef, ItemRow } from '../../shared/domain/item'
import { recallsOfItem, rowOf } from './item-view'
import { searchItems, type Listed } from './search-items'

/** A list query; what came to it later may be left out and then asks for nothing. */
export type LearnedQuery = Omit<ItemQuery, Later> & Partial<Pick<ItemQuery, Later>>
type Later = 'tag' | 'items' | 'at' | 'mode' | 'alpha' | 'k' | 'where'

/** A page of what a memory remembers. Texts are read for the rows of the page, and for a search in kinds that have no index. */
export async function listItems(
  source: MemorySource,
  query: LearnedQuery,
  {
    now,
    embedder,
    signal,
  }: { readonly now: Date; readonly embedder: Embedder; readonly signal?: AbortSignal | undefined },
): Promise<ItemPage> {
  const startTime = performance.now()
  const { kinds, text, offset, limit, tag = null, items = null, at = null } = query
  const { mode = 'text', alpha = ALPHA, k = MOST_FOUND, where = {} } = query
  const facets = facetsOf(kinds)
  const all: Listed[] = []
  const counts: ItemPage['counts'] = []
  const environments = new Set<string>()
  const tags = new Map<string, number>()
  const chosenSet = items && new Set(items.map(refKey))
  let span: ItemPage['span'] = null
  for (const kind of MEMORY_KINDS) {
    let live = 0
    let knownCount = 0
    for (const today of await kind.heads(source)) {
      span = widened(span, today)
      const head = at === null ? today : headAt(today, at)
      if (!head || isBeyond(head, now)) continue
      knownCount++
      const own = tagsOf(source.state.curated, kind.info.id, head.id)
      for (const one of own) tags.set(one, (tags.get(one) ?? 0) + 1)
      if (head.gone === null) live++
      environments.add(head.environment)
      const isAsked =
        (kinds?.includes(kind.info.id) ?? true) &&
        (chosenSet?.has(refKey({ kind: kind.info.id, id: head.id })) ?? true) &&
        (tag === null || own.includes(tag))
      if (!isAsked || !fits(head, query)) continue
      facets.count(head)
      if (Object.entries(where).every(([key, labels]) => hasLabel(head, key, labels)))
        all.push({ kind, head })
    }
    counts.push({ kind: kind.info.id, live, gone: knownCount - live })
  }
  const targets: readonly Listed[] =
    text.trim() === ''
      ? getRankings(all, source, query.sort)
      : await searchItems(all, source, embedder, { text, mode, alpha, k }, signal)
  const rows = await Promise.all(
    targets.slice(offset, offset + limit).map(async ({ kind, head, match }): Promise<ItemRow> => {
      const text = (await kind.read(source, head.id)) ?? { title: '' }
      return { ...(await rowOf(kind, source, head, text)), ...(match && { match }) }
    }),
  )
  return {
    rows,
    total: targets.length,
    counts,
    environments: [...environments].filter((one) => one !== '').sort(),
    tags: [...tags]
      .map(([name, count]) => ({ tag: name, items: count }))
      .sort((a, b) => b.items - a.items || (a.tag < b.tag ? -1 : 1)),
    span,
    facets: facets.all(),
    ms: performance.now() - startTime,
  }
}

/** Most items of a kind that a search in its index finds where nobody says. */
const MOST_FOUND = 500

/** Whether an item can no longer be restored: then it is as good as erased. */
const isBeyond = ({ gone }: ItemHead, now: Date): boolean =>
  gone?.until !== undefined && Date.parse(gone.until) < now.getTime()

const hasLabel = ({ labels }: ItemHead, key: string, targets: readonly string[]): boolean =>
  targets.length === 0 || (labels?.[key] ?? []).some((label) => targets.includes(label))

/** Counts what items of a kind can be told apart by, where one kind is asked for. */
function facetsOf(kinds: readonly string[] | null) {
  const info = kinds?.length === 1 ? kindOf(kinds[0] ?? '')?.info : undefined
  const counts = (info?.facets ?? []).map((facet) => ({ ...facet, values: new Map<string, number>() }))
  return {
    count({ labels }: ItemHead): void {
      for (const { key, values } of counts)
        for (const label of labels?.[key] ?? []) values.set(label, (values.get(label) ?? 0) + 1)
    },
    all: (): ItemPage['facets'] =>
      counts.map(({ key, label, values }) => ({
        key,
        label,
        values: [...values].map(([value, items]) => ({ value, items })).sort((a, b) => b.items - a.items),
      })),
  }
}

const refKey = ({ kind, id }: ItemRef): string => `${kind} ${id}`

/** An item as it stood at a time; null when it was not there yet. What it says is what it says now. */
function headAt(head: ItemHead, at: string): ItemHead | null {
  if (head.createdAt > at) return null
  return head.gone !== null && head.gone.at > at ? { ...head, gone: null } : head
}

function widened(span: ItemPage['span'], { createdAt, editedAt, gone }: ItemHead): ItemPage['span'] {
  const last = [createdAt, editedAt ?? '', gone?.at ?? ''].reduce((a, b) => (a > b ? a : b))
  if (span === null) return { from: createdAt, to: last }
  return { from: createdAt < span.from ? createdAt : span.from, to: last > span.to ? last : span.to }
}

function fits({ environment, gone, mark }: ItemHead, query: LearnedQuery): boolean {
  return (
    (query.environment === null || environment === query.environment) &&
    isInState(gone, query.state) &&
    (query.mark === null || (mark ?? 'none') === query.mark)
  )
}

const isInState = (retirement: ItemHead['gone'], state: ItemQuery['state']): boolean =>
  state === 'all' ||
  (state === 'waiting' ? isWaiting(retirement) : (retirement === null) === (state === 'live'))

const newestFirst = (a: Listed, b: Listed): number =>
  a.head.createdAt === b.head.createdAt ? 0 : a.head.createdAt < b.head.createdAt ? 1 : -1

function getRankings(all: readonly Listed[], source: MemorySource, by: ItemQuery['sort']): Listed[] {
  if (by === 'newest') return all.toReversed().sort(newestFirst)
  if (by === 'oldest') return all.toSorted((a, b) => newestFirst(b, a))
  const scored = all.toReversed().map((one) => {
    const { recalled, judged, helped } = recallsOfItem(one.kind, source, one.head.id)
    return { one, first: by === 'recalled' ? recalled : judged === 0 ? -1 : helped / judged, second: helped }
  })
  return scored
    .sort((a, b) => b.first - a.first || b.second - a.second || newestFirst(a.one, b.one))
    .map(({ one }) => one)
}
