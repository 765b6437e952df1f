import { CASE_KIND } from '../../core/memory/cases/kind'
import { curatedOf } from '../../core/memory/items/curated'
import { cosine } from '../../core/retrieval/cosine'
import { ALPHA, fuse, type FusedHit } from '../../core/retrieval/fuse'
import type { MemoryState } from '../../core/memory/entries'
import type { CaseFilter } from '../../core/ground/ports'
import type { CaseIndex, ScoredId } from '../adapters/lancedb/case-index'

/** Searches as methods are to see them: pinned cases first whatever their score, muted ones never. */
export function curatedSearch(
  { cases, curation, curated }: Pick<MemoryState, 'cases' | 'curation' | 'curated'>,
  index: () => Promise<CaseIndex>,
) {
  const getHeldMap = () => curatedOf(curated, CASE_KIND)
  /** How many of the nearest may have to be left out. */
  const getHiddenCount = (): number =>
    curation.marks.size + [...getHeldMap().values()].filter(({ quarantined }) => quarantined !== null).length

  /** The live pinned cases a filter lets through. */
  function pinned(filter: CaseFilter): string[] {
    return [...curation.marks].flatMap(([id, mark]) => {
      const entry = cases.get(id)
      if (mark !== 'pinned' || !entry || entry.deletedAt !== null || getHeldMap().get(id)?.quarantined)
        return []
      const fits =
        (filter.environment ?? entry.environment) === entry.environment &&
        (filter.reward ?? entry.reward) === entry.reward &&
        (filter.accepts?.(id) ?? true)
      return fits ? [id] : []
    })
  }

  function assemble<Hit extends ScoredId>(first: readonly Hit[], ids: readonly Hit[], k: number): Hit[] {
    const best = first.toSorted((a, b) => b.score - a.score)
    const isKept = ({ id }: Hit): boolean => !curation.marks.has(id) && !getHeldMap().get(id)?.quarantined
    return [...best, ...ids.filter(isKept)].slice(0, k)
  }

  return {
    async nearest(vector: Float32Array, k: number, filter: CaseFilter = {}): Promise<ScoredId[]> {
      const target = await index()
      const ids = pinned(filter)
      const vectors = ids.length > 0 ? await target.vectorsOf(ids) : new Map<string, Float32Array>()
      const first = ids.map((id) => ({ id, score: cosine(vectors.get(id) ?? vector, vector) ?? 0 }))
      return assemble(first, await target.nearest(vector, k + getHiddenCount(), filter), k)
    },
    /** A pinned case that is not among the best by its words has a score of 0. */
    async match(text: string, k: number, filter: CaseFilter = {}): Promise<ScoredId[]> {
      const ids = await (await index()).match(text, k + getHiddenCount(), filter)
      const scores = new Map(ids.map(({ id, score }) => [id, score]))
      const first = pinned(filter).map((id) => ({ id, score: scores.get(id) ?? 0 }))
      return assemble(first, ids, k)
    },
    /** By words and meaning together. A pinned case that neither found has a score of 0. */
    async find(text: string, vector: Float32Array, k: number, filter: CaseFilter = {}) {
      const depth = k + getHiddenCount()
      const candidates = await (await index()).candidates({ text, vector, depth, filter })
      const hits = fuse({ mode: 'hybrid', ...candidates, vector, alpha: ALPHA })
      const hitMap = new Map(hits.map((hit) => [hit.id, hit]))
      const first = pinned(filter).map((id) => hitMap.get(id) ?? { id, score: 0, cosine: null })
      return assemble<ScoredId & Pick<FusedHit, 'cosine'>>(first, hits, k)
    },
  }
}
