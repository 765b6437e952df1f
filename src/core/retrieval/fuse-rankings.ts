import type { ScoredCase } from '../../shared/domain/case'

/** Reciprocal rank fusion's constant (Cormack, Clarke, Buettcher 2009). */
const RRF_K = 60

/** Fuses rankings: the score of a case is the sum of 1 / (60 + rank) over the rankings that found it. Ties: first ranking first. */
export function fuseRankings(rankings: readonly (readonly ScoredCase[])[]): ScoredCase[] {
  const fused = new Map<string, ScoredCase>()
  for (const ranking of rankings) {
    ranking.forEach((hit, i) => {
      const before = fused.get(hit.case.id)?.score ?? 0
      fused.set(hit.case.id, { case: hit.case, score: before + 1 / (RRF_K + i + 1) })
    })
  }
  return [...fused.values()].sort((a, b) => b.score - a.score)
}
