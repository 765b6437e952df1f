import type { RetrievalMode } from '../../shared/domain/experience'
import { cosine } from './cosine'

/** alpha of the hybrid score: the weight of words against meaning. */
export const ALPHA = 0.5
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
  /** BM25 of a row that has every asked word once. Default: the best of `byWords`. */
  readonly fullBm25?: number
  /** The embedded query; null in text mode. */
  readonly vector: Float32Array | null
  readonly alpha: number
  /** u_j of an experience. Default: .5 for each. */
  readonly utility?: (id: string) => number
  /** Whether an experience fits where it is to be used. Default: none does. */
  readonly fits?: (id: string) => boolean
}

/**
 * sigma_hyb = alpha * ~sigma_text + (1 - alpha) * ~sigma_sem (Agent KB, section 3.3), best first; equal scores keep the order
 * in which they were found.
 *
 * Calibration ~sigma: BM25 as the share of what a row with every asked word once would have, at most 1, so that one word of many in common counts
 * little even where no row has more; the cosine from 0 to the best this query reached. A row that only one search found gets what it has in the
 * other: its cosine is worked out from its vector, its BM25 counts as 0. Reranking adds `UTILITY_WEIGHT` * (u - 0.5), and
 * `COMPATIBILITY_WEIGHT` to those that fit.
 */
export function fuse(input: FuseInput): FusedHit[] {
  const { mode, byWords, byMeaning, vector, alpha, utility = () => 0.5, fits = () => false } = input
  const rows = new Map<string, { bm25: number | null; near: number | null; vector: Float32Array }>()
  for (const { id, score, vector: own } of mode === 'semantic' ? [] : byWords)
    rows.set(id, { bm25: score, near: vector === null ? null : cosine(own, vector), vector: own })
  for (const { id, score, vector: own } of mode === 'text' ? [] : byMeaning)
    rows.set(id, { bm25: rows.get(id)?.bm25 ?? null, near: score, vector: own })

  const fullBm25 = input.fullBm25 ?? byWords[0]?.score ?? 0
  const nearest = Math.max(0, ...[...rows.values()].map(({ near }) => near ?? 0))
  const hits = [...rows].map(([id, { bm25, near, vector: own }]): FusedHit => {
    const textScore = mode === 'semantic' ? null : part(bm25 ?? 0, fullBm25)
    const semanticScore = mode === 'text' ? null : part(near ?? 0, nearest)
    const relevance =
      textScore === null || semanticScore === null
        ? (textScore ?? semanticScore ?? 0)
        : alpha * textScore + (1 - alpha) * semanticScore
    const score = relevance + UTILITY_WEIGHT * (utility(id) - 0.5) + (fits(id) ? COMPATIBILITY_WEIGHT : 0)
    return { id, score, textScore, semanticScore, bm25, cosine: near, vector: own }
  })
  return hits.sort((a, b) => b.score - a.score)
}

const part = (score: number, whole: number): number =>
  whole > 0 ? Math.min(1, Math.max(0, score / whole)) : 0

/** Places of k that are kept for what is nearest in meaning: one of three to seven, two of more. */
const keptPlaces = (k: number): number => (k >= 8 ? 2 : k >= 3 ? 1 : 0)

/**
 * Of k places, the last one or two go to the nearest in meaning that are not among the others: many rows with one word in common would take them all.
 * The rest follow as they stood.
 */
export function withPlacesForMeaning<Hit extends Pick<FusedHit, 'cosine'>>(
  bestFirst: readonly Hit[],
  k: number,
): Hit[] {
  const first = bestFirst.slice(0, Math.max(0, k - keptPlaces(k)))
  const rest = bestFirst.slice(first.length)
  const near = rest.toSorted((a, b) => (b.cosine ?? -1) - (a.cosine ?? -1)).slice(0, k - first.length)
  return [...first, ...near, ...rest.filter((hit) => !near.includes(hit))]
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
