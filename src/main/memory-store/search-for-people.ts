import { fuse, UTILITY_WEIGHT, withPlacesForMeaning } from '../../core/retrieval/fuse'
import type { Embedder, ExperienceBase } from '../../core/ground/ports'
import type { ItemHit, ItemSearch } from '../../core/memory/items/kind'
import type { CaseIndex } from '../adapters/lancedb/case-index'

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
