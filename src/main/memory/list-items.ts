import { MEMORY_KINDS } from '../../core/memory'
import type { MemoryHead, MemoryKindModule, MemorySource } from '../../core/memory/items/kind'
import { tagsOf } from '../../core/memory/items/curated'
import type { MemoryListQuery, MemoryPage, MemoryRef, MemoryRow } from '../../shared/domain/memory-item'
import { recallsOfItem, rowOf } from './item-view'

/** A list query; what came to it later may be left out and then asks for nothing. */
export type MemoryQuery = Omit<MemoryListQuery, 'tag' | 'items' | 'at'> &
  Partial<Pick<MemoryListQuery, 'tag' | 'items' | 'at'>>

interface Listed {
  readonly kind: MemoryKindModule
  readonly head: MemoryHead
}

/** Most items of a kind that a search in its index finds. */
const MOST_FOUND = 500

/** A page of what a space remembers. Texts are read for the rows of the page, and for a search in kinds that have no index. */
export async function listItems(source: MemorySource, query: MemoryQuery): Promise<MemoryPage> {
  const begun = performance.now()
  const { kinds, text, offset, limit, tag = null, items = null, at = null } = query
  const all: Listed[] = []
  const counts: MemoryPage['counts'] = []
  const environments = new Set<string>()
  const tags = new Map<string, number>()
  const chosen = items && new Set(items.map(refKey))
  let span: MemoryPage['span'] = null
  for (const kind of MEMORY_KINDS) {
    let live = 0
    let known = 0
    for (const now of await kind.heads(source)) {
      span = widened(span, now)
      const head = at === null ? now : headAt(now, at)
      if (!head) continue
      known++
      const own = tagsOf(source.state.curated, kind.info.id, head.id)
      for (const one of own) tags.set(one, (tags.get(one) ?? 0) + 1)
      if (head.gone === null) live++
      environments.add(head.environment)
      const asked =
        (kinds?.includes(kind.info.id) ?? true) &&
        (chosen?.has(refKey({ kind: kind.info.id, id: head.id })) ?? true) &&
        (tag === null || own.includes(tag))
      if (asked && fits(head, query)) all.push({ kind, head })
    }
    counts.push({ kind: kind.info.id, live, gone: known - live })
  }
  const wanted = text.trim() === '' ? sorted(all, source, query.sort) : await found(all, source, text)
  const rows = await Promise.all(
    wanted.slice(offset, offset + limit).map(async ({ kind, head }): Promise<MemoryRow> => {
      const { title } = (await kind.read(source, head.id)) ?? { title: '' }
      return rowOf(kind, source, head, { title })
    }),
  )
  return {
    rows,
    total: wanted.length,
    counts,
    environments: [...environments].filter((one) => one !== '').sort(),
    tags: [...tags]
      .map(([name, count]) => ({ tag: name, items: count }))
      .sort((a, b) => b.items - a.items || (a.tag < b.tag ? -1 : 1)),
    span,
    ms: performance.now() - begun,
  }
}

const refKey = ({ kind, id }: MemoryRef): string => `${kind} ${id}`

/** An item as it stood at a time; null when it was not there yet. What it says is what it says now. */
function headAt(head: MemoryHead, at: string): MemoryHead | null {
  if (head.createdAt > at) return null
  return head.gone !== null && head.gone.at > at ? { ...head, gone: null } : head
}

function widened(span: MemoryPage['span'], { createdAt, editedAt, gone }: MemoryHead): MemoryPage['span'] {
  const last = [createdAt, editedAt ?? '', gone?.at ?? ''].reduce((a, b) => (a > b ? a : b))
  if (span === null) return { from: createdAt, to: last }
  return { from: createdAt < span.from ? createdAt : span.from, to: last > span.to ? last : span.to }
}

function fits({ environment, gone, mark }: MemoryHead, query: MemoryQuery): boolean {
  return (
    (query.environment === null || environment === query.environment) &&
    (query.state === 'all' || (gone === null) === (query.state === 'live')) &&
    (query.mark === null || (mark ?? 'none') === query.mark)
  )
}

const newestFirst = (a: Listed, b: Listed): number =>
  a.head.createdAt === b.head.createdAt ? 0 : a.head.createdAt < b.head.createdAt ? 1 : -1

function sorted(all: readonly Listed[], source: MemorySource, by: MemoryListQuery['sort']): Listed[] {
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

const wordsOf = (text: string): string[] => [...new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])]

/** Items that hold words of the text: more of its words first, then newer ones. */
async function found(all: readonly Listed[], source: MemorySource, text: string): Promise<Listed[]> {
  const words = wordsOf(text)
  const hits: { one: Listed; share: number }[] = []
  for (const kind of new Set(all.map((one) => one.kind))) {
    const listed = all.filter((one) => one.kind === kind)
    const ids = kind.match && new Set(await kind.match(source, text, MOST_FOUND))
    for (const one of listed) {
      // What is gone may have left the index.
      if (ids && one.head.gone === null && !ids.has(one.head.id)) continue
      const said = await kind.read(source, one.head.id)
      const own = said && `${said.title}\n${said.text}`.toLowerCase()
      const held = words.filter((word) => own?.includes(word)).length
      // An index also finds other forms of a word.
      if (held > 0 || ids?.has(one.head.id)) hits.push({ one, share: held / words.length })
    }
  }
  return hits.sort((a, b) => b.share - a.share || newestFirst(a.one, b.one)).map(({ one }) => one)
}
