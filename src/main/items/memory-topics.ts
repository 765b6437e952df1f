import { topicsOf } from '../../core/lab/topics'
import { MEMORY_KINDS } from '../../core/memory'
import { CASE_KIND } from '../../core/memory/cases/kind'
import type { MemorySource } from '../../core/memory/items/kind'
import type { Embedder } from '../../core/ground/ports'
import type { ItemRef, ItemTopic } from '../../shared/domain/item'
import { recallsOfItem } from './item-view'

/** Items that are looked at, the newest in use. */
const MOST_ITEMS = 1000
/** Characters of an item that say what it is about. Of a case its task does: how attempts are told is alike in all of them. */
const ABOUT = 400

interface Fact {
  readonly ref: ItemRef
  readonly title: string
  readonly text: string
  readonly reward: number | null
  readonly createdAt: string
  readonly judged: number
  readonly helped: number
}

/** What is in use by what it is about, with how it did and what in it contradicts. */
export async function topicsOfItems(
  source: MemorySource,
  embedder: Embedder,
  signal?: AbortSignal,
): Promise<ItemTopic[]> {
  const facts: Fact[] = []
  for (const kind of MEMORY_KINDS) {
    const live = [...(await kind.heads(source))].filter(({ gone }) => gone === null)
    for (const { id, reward, createdAt } of live.slice(-MOST_ITEMS)) {
      const text = await kind.read(source, id)
      if (!text) continue
      const { judged, helped } = recallsOfItem(kind, source, id)
      const ref = { kind: kind.info.id, id }
      facts.push({ ref, title: text.title, text: text.text, reward, createdAt, judged, helped })
    }
  }
  const newest = facts.sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1)).slice(0, MOST_ITEMS)
  const topics = await topicsOf(
    newest.map(({ ref, title, text }) =>
      ref.kind === CASE_KIND ? title : `${title}\n${text.slice(0, ABOUT)}`,
    ),
    embedder,
    signal,
  )
  return topics.map(({ title, members }) => {
    const own = members.flatMap((i) => newest[i] ?? [])
    return {
      title,
      items: own.map(({ ref }) => ref),
      judged: own.reduce((sum, { judged }) => sum + judged, 0),
      helped: own.reduce((sum, { helped }) => sum + helped, 0),
      contradictions: contradictionsIn(own),
    }
  })
}

const tidy = (text: string): string => text.toLowerCase().replace(/\s+/g, ' ').trim()

/** Pairs that say of the same task that it was solved and that it failed, a pair per task. */
function contradictionsIn(facts: readonly Fact[]): ItemTopic['contradictions'] {
  const seenMap = new Map<string, { solved?: Fact; failed?: Fact }>()
  for (const fact of facts) {
    if (fact.reward === null) continue
    const key = `${fact.ref.kind} ${tidy(fact.title)}`
    const pair = seenMap.get(key) ?? {}
    seenMap.set(key, fact.reward > 0 ? { ...pair, solved: fact } : { ...pair, failed: fact })
  }
  return [...seenMap.values()].flatMap(({ solved, failed }) =>
    solved && failed ? [{ title: solved.title, solved: solved.ref, failed: failed.ref }] : [],
  )
}
