import type { RetrievalMode } from '../../../shared/domain/experience'
import { cosine } from '../../retrieval/cosine'

/** alpha of the hybrid score: the weight of words against meaning. */
export const ALPHA = 0.5
/** Experiences handed to refinement (the paper's top-k). */
export const TOP_K = 3
/** How many times k each search looks ahead, before reranking and deduplication. */
export const SEARCH_DEPTH = 10
/** Least rows each search looks ahead. */
export const LEAST_DEPTH = 50
/** Cosine of two hits above which the lower one says nothing new. */
const SAME_ABOVE = 0.98
/** How much a utility of 1 instead of 0 adds to a score when hits are reranked. */
export const UTILITY_WEIGHT = 0.1

/** How much is added to the score of an experience that fits where it is to be used: it decides between hits that are about as near. */
const COMPATIBILITY_WEIGHT = 0.1

/** A row found by one of the searches. */
export interface FoundRow {
  readonly id: string
  /** BM25 (at least 0) or cosine in [-1, 1]. */
  readonly score: number
  readonly vector: Float32Array
}

export interface FusedHit {
  readonly id: string
  /** What hits are ordered by: the mode's calibrated score plus the parts of utility and compatibility. */
  readonly score: number
  /** Calibrated scores in [0, 1]; null when that search was not made. */
  readonly textScore: number | null
  readonly semanticScore: number | null
  /** As the searches gave them; null when a search did not find it or was not made. */
  readonly bm25: number | null
  readonly cosine: number | null
  readonly vector: Float32Array
}

export interface FuseInput {
  readonly mode: RetrievalMode
  readonly byWords: readonly FoundRow[]
  readonly byMeaning: readonly FoundRow[]
  /** The embedded query; null in text mode. */
  readonly vector: Float32Array | null
  readonly alpha: number
  /** u_j of an experience. */
  readonly utility: (id: string) => number
  /** Whether an experience fits where it is to be used. Default: none does. */
  readonly fits?: (id: string) => boolean
}

/**
 * sigma_hyb = alpha * ~sigma_text + (1 - alpha) * ~sigma_sem (paper, section 3.3), best first; equal scores keep the order
 * in which they were found.
 *
 * Calibration ~sigma: each score is put between the least it can be and the best this query reached (Bruch, Gai and Ingber
 * 2023, arXiv 2210.11934): BM25 from 0, the cosine from -1. A row that only one search found gets what it has in the other:
 * its cosine is worked out from its vector, its BM25 counts as 0. Reranking adds `UTILITY_WEIGHT` * (u - 0.5), and
 * `COMPATIBILITY_WEIGHT` to those that fit.
 */
export function fuse(input: FuseInput): FusedHit[] {
  const { mode, byWords, byMeaning, vector, alpha, utility, fits = () => false } = input
  const rows = new Map<string, { bm25: number | null; near: number | null; vector: Float32Array }>()
  for (const { id, score, vector: own } of mode === 'semantic' ? [] : byWords)
    rows.set(id, { bm25: score, near: vector === null ? null : cosine(own, vector), vector: own })
  for (const { id, score, vector: own } of mode === 'text' ? [] : byMeaning)
    rows.set(id, { bm25: rows.get(id)?.bm25 ?? null, near: score, vector: own })

  const words = scale(0, byWords)
  const meaning = scale(-1, byMeaning)
  const hits = [...rows].map(([id, { bm25, near, vector: own }]): FusedHit => {
    const textScore = mode === 'semantic' ? null : words(bm25 ?? 0)
    const semanticScore = mode === 'text' ? null : meaning(near ?? -1)
    const relevance =
      textScore === null || semanticScore === null
        ? (textScore ?? semanticScore ?? 0)
        : alpha * textScore + (1 - alpha) * semanticScore
    const score = relevance + UTILITY_WEIGHT * (utility(id) - 0.5) + (fits(id) ? COMPATIBILITY_WEIGHT : 0)
    return { id, score, textScore, semanticScore, bm25, cosine: near, vector: own }
  })
  return hits.sort((a, b) => b.score - a.score)
}

/** Maps [least, best] to [0, 1]. */
function scale(least: number, bestFirst: readonly FoundRow[]): (score: number) => number {
  const best = bestFirst[0]?.score ?? least
  return (score) => (best > least ? Math.min(1, Math.max(0, (score - least) / (best - least))) : 0)
}

/** The best k hits that each say something the better ones do not (cosine at most `SAME_ABOVE`). */
export function withoutRepeats<Hit extends FusedHit>(bestFirst: readonly Hit[], k: number): Hit[] {
  const selection: Hit[] = []
  for (const hit of bestFirst) {
    if (selection.length === k) break
    if (selection.every((better) => (cosine(better.vector, hit.vector) ?? 0) <= SAME_ABOVE))
      selection.push(hit)
  }
  return selection
}

/** Which experiences fit where they are to be used. Left out: everything fits. */
export interface Compatibility {
  /** Domains that fit; `general` always does. */
  readonly domains?: readonly string[]
  /** Tools at hand. An experience fits when it used none, or at least one of them or of the same kind. */
  readonly tools?: readonly string[]
}

/** Whether an experience can be used there. `kindOf` puts tools of different frameworks under one verb. */
export function isCompatible(
  experience: { readonly domain: string; readonly tools: readonly string[] },
  compatibility: Compatibility,
  kindOf: (tool: string) => string,
): boolean {
  const { domains, tools } = compatibility
  if (domains && experience.domain !== 'general' && !domains.includes(experience.domain)) return false
  if (!tools || experience.tools.length === 0) return true
  const kinds = new Set(tools.flatMap((tool) => [tool, kindOf(tool)]))
  kinds.delete('other')
  return experience.tools.some((tool) => kinds.has(tool) || kinds.has(kindOf(tool)))
}
