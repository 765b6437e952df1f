import type { CaseQuery } from '../../shared/domain/case'
import type { CaseEntry } from '../../core/memory/entries'
import { newestFirst } from '../../core/memory/memory-state'
import type { Embedder, ExperienceBase } from '../../core/ground/ports'
import type { CaseIndex, RowFilter } from '../adapters/lancedb/case-index'
import { fuse, UTILITY_WEIGHT, withPlacesForMeaning } from '../../core/retrieval/fuse'
import type { ItemHit, ItemSearch } from '../../core/memory/items/kind'

/** Live cases for people: by their words, by likeness, or both; marks decide nothing. Cases have no utility, so that adds nothing. */
export async function searchCases(
  index: CaseIndex,
  embedder: Embedder,
  { text, mode, alpha, k }: ItemSearch,
  signal?: AbortSignal,
): Promise<ItemHit[]> {
  const [vector = null] = mode === 'text' ? [] : await embedder.embed([text], { signal })
  const candidates = await index.candidates({
    text: mode === 'semantic' ? null : text,
    vector,
    depth: k,
    filter: {},
  })
  const hits = fuse({ mode, ...candidates, vector, alpha })
  return (mode === 'hybrid' ? withPlacesForMeaning(hits, k) : hits)
    .slice(0, k)
    .map(({ vector: _, ...hit }) => ({ ...hit, utilityPart: 0 }))
}

/** Live experiences for people: muted ones too, and pinned ones where they belong. */
export async function searchExperiences(
  experiences: Pick<ExperienceBase, 'search'>,
  query: ItemSearch,
  signal?: AbortSignal,
): Promise<ItemHit[]> {
  const hits = await experiences.search({ ...query, muted: true }, { signal })
  return hits.map(({ experience, standing, score, textScore, semanticScore, bm25, cosine }) => ({
    ...{ id: experience.id, score, textScore, semanticScore, bm25, cosine },
    utilityPart: UTILITY_WEIGHT * (standing.utility - 0.5),
  }))
}

/** A query for people, with the contract's defaults: text mode, no filter, the first 100. */
export type CasePageQuery = Partial<Omit<CaseQuery, 'memoryId'>>

export interface RankedCases {
  /** The page asked for. */
  readonly ids: readonly { readonly id: string; readonly score: number | null }[]
  /** How many there are on all pages. */
  readonly total: number
}

/** Ranks what a query finds: newest first without text (score null), best first with it. */
export async function rankCases(
  query: CasePageQuery,
  entries: readonly Omit<CaseEntry, 'at'>[],
  index: CaseIndex,
  embedder: Embedder,
): Promise<RankedCases> {
  const { text = '', mode = 'text', reward = null, includeDeleted = false, limit = 100, offset = 0 } = query
  const fitting = entries.filter(
    (entry) => (includeDeleted || entry.deletedAt === null) && (reward === null || entry.reward === reward),
  )
  const page = <T>(items: readonly T[]): T[] => items.slice(offset, offset + limit)
  if (text.trim() === '') {
    const newest = fitting.sort(newestFirst).map(({ id }) => ({ id, score: null }))
    return { ids: page(newest), total: fitting.length }
  }
  const filter: RowFilter = { includeDeleted, ...(reward === null ? {} : { reward }) }
  if (mode === 'text') {
    const ids = await index.match(text, entries.length, filter)
    return { ids: page(ids), total: ids.length }
  }
  const [vector = new Float32Array()] = await embedder.embed([text])
  return { ids: page(await index.nearest(vector, offset + limit, filter)), total: fitting.length }
}
