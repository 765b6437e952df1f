import { onScaleOf } from '../../core/retrieval/calibration'
import { cosine } from '../../core/retrieval/cosine'
import { fuse, withPlacesForMeaning, type FoundRow } from '../../core/retrieval/fuse'
import { vectorsOf } from '../../core/retrieval/rank'
import { termsOf } from '../../core/retrieval/terms'
import { WordSearch } from '../../core/retrieval/word-search'
import { matchingTerms } from '../../core/memory/experiences/why'
import type { Embedder } from '../../core/ground/ports'
import type {
  ItemHit,
  ItemSearch,
  ItemHead,
  MemoryKindModule,
  MemorySource,
} from '../../core/memory/items/kind'
import type { ItemMatch } from '../../shared/domain/item'

/** An item that a list may show. */
export interface Listed {
  readonly kind: MemoryKindModule
  readonly head: ItemHead
  /** Why a search found it; absent where nothing was searched for. */
  readonly match?: ItemMatch
}

/** Newest items of a kind without an index that are compared with a text by likeness, and characters of each. */
const MOST_COMPARED = 1000
const COMPARED = 400

/** How near in meaning an item without a shared word is at least that a search by both shows: on the scale where texts without relation are at 0, and as a share of the nearest. */
const LEAST_NEAR = 0.18
const LEAST_SHARE = 0.6

/** Whether a hit of a search by both is near in meaning. */
function nearIn(hits: readonly ItemHit[], embedder: Embedder): (hit: ItemHit) => boolean {
  const nearest = Math.max(...hits.map(({ cosine: near }) => near ?? 0))
  const least = Math.max(onScaleOf(embedder, LEAST_NEAR), LEAST_SHARE * nearest)
  return ({ cosine: near }) => (near ?? 1) >= least
}

/** Whether texts hold a word of a query that says something, or, of a query without one, any of its words. */
function sharesWord(query: string): (text: string) => boolean {
  const terms = termsOf(query)
  const telling = terms.filter(({ kind }) => kind !== 'stop')
  const sought = new Set((telling.length > 0 ? telling : terms).map(({ term }) => term))
  return (text) => termsOf(text).some(({ term }) => sought.has(term))
}

const wordsOf = (text: string): string[] => [...new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])]

const newestFirst = (a: Listed, b: Listed): number =>
  a.head.createdAt === b.head.createdAt ? 0 : a.head.createdAt < b.head.createdAt ? 1 : -1

/**
 * What of the listed items fits a text, best first, each with why. By words: all that hold one, those that hold more first, then newer ones;
 * an index that a kind has also finds other forms of a word. By likeness, or both: the best `k` of each kind; by both, none that is far in meaning
 * and shares no word.
 */
export async function searchItems(
  listed: readonly Listed[],
  source: MemorySource,
  embedder: Embedder,
  query: ItemSearch,
  signal?: AbortSignal,
): Promise<Listed[]> {
  const matches: Listed[] = []
  for (const kind of new Set(listed.map((one) => one.kind))) {
    const own = listed.filter((one) => one.kind === kind)
    const byIndex = kind.search ? await kind.search(source, query, signal) : null
    if (query.mode === 'text') {
      matches.push(...(await byWords(own, source, query.text, byIndex)))
      continue
    }
    const hits = byIndex ?? (await byLikeness(own, source, embedder, query, signal))
    const isNear = query.mode === 'hybrid' ? nearIn(hits, embedder) : () => true
    matches.push(...(await withHits(own, source, query.text, hits, isNear)))
  }
  const score = ({ match }: Listed): number => match?.score ?? 0
  return matches.sort((a, b) => score(b) - score(a) || newestFirst(a, b))
}

async function byWords(
  listed: readonly Listed[],
  source: MemorySource,
  text: string,
  byIndex: readonly ItemHit[] | null,
): Promise<Listed[]> {
  const words = wordsOf(text)
  const hits = byIndex && new Map(byIndex.map((hit) => [hit.id, hit]))
  const matches: Listed[] = []
  for (const one of listed) {
    const hit = hits?.get(one.head.id)
    // What is gone has left the index.
    if (hits && !hit && one.head.gone === null) continue
    const own = await one.kind.read(source, one.head.id)
    if (!own) continue
    const heldCount = words.filter((word) => `${own.title}\n${own.text}`.toLowerCase().includes(word)).length
    if (heldCount === 0 && !hit) continue
    const score = heldCount / words.length
    const why = hit ?? { textScore: score, semanticScore: null, bm25: null, cosine: null, utilityPart: 0 }
    matches.push({ ...one, match: { ...reasons(why), score, terms: matchingTerms(text, own.title) } })
  }
  return matches
}

async function withHits(
  listed: readonly Listed[],
  source: MemorySource,
  text: string,
  hits: readonly ItemHit[],
  isNear: (hit: ItemHit) => boolean,
): Promise<Listed[]> {
  const shares = sharesWord(text)
  const byId = new Map(listed.map((one) => [one.head.id, one]))
  const matches: Listed[] = []
  for (const hit of hits) {
    const one = byId.get(hit.id)
    const own = one && (await one.kind.read(source, hit.id))
    if (own && (isNear(hit) || ((hit.bm25 ?? 0) > 0 && shares(`${own.title}\n${own.text}`))))
      matches.push({
        ...one,
        match: { ...reasons(hit), score: hit.score, terms: matchingTerms(text, own.title) },
      })
  }
  return matches
}

const reasons = ({
  textScore,
  semanticScore,
  bm25,
  cosine: near,
  utilityPart,
}: Omit<ItemHit, 'id' | 'score'>) => ({ ...{ textScore, semanticScore, bm25, cosine: near, utilityPart } })

/** The newest items of a kind that has no index, by their words and vectors. */
async function byLikeness(
  listed: readonly Listed[],
  source: MemorySource,
  embedder: Embedder,
  { text, mode, alpha, k }: ItemSearch,
  signal?: AbortSignal,
): Promise<ItemHit[]> {
  const newest = listed.toSorted(newestFirst).slice(0, MOST_COMPARED)
  const search = new WordSearch()
  const texts: string[] = []
  for (const { kind, head } of newest) {
    const own = await kind.read(source, head.id)
    const excerpt = own ? `${own.title}\n${own.text}`.slice(0, COMPARED) : ''
    search.add(excerpt)
    texts.push(excerpt)
  }
  const [vector = new Float32Array(), ...vectors] = await vectorsOf(embedder, [text, ...texts], signal)
  const vectorMap = new Map(newest.map(({ head: { id } }, i) => [id, vectors[i] ?? new Float32Array()]))
  const row = (id: string, score: number) => ({ id, score, vector: vectorMap.get(id) ?? new Float32Array() })
  const bestFirst = (rows: readonly FoundRow[]): FoundRow[] => rows.toSorted((a, b) => b.score - a.score)
  const hits = fuse({
    mode,
    byWords: bestFirst(
      search.match(text, newest.length).map(({ row: at, score }) => row(newest[at]?.head.id ?? '', score)),
    ),
    byMeaning: bestFirst([...vectorMap].map(([id, own]) => row(id, cosine(own, vector) ?? -1))),
    fullBm25: search.full(text),
    vector,
    alpha,
  })
  return (mode === 'hybrid' ? withPlacesForMeaning(hits, k) : hits)
    .slice(0, k)
    .map(({ vector: _, ...hit }) => ({ ...hit, utilityPart: 0 }))
}
