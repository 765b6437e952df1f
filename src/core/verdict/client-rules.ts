import type { EvidenceKind } from '../../shared/domain/verdict'
import { logit, sigmoid } from './verdict'
import { SETTLES_FAILED, SETTLES_SOLVED, WEIGHTS } from './weights'

/** What the rules go by where one program, or one person, asks. */
export interface ClientRules {
  /** Log-odds that an attempt was solved, per kind of evidence. */
  readonly weights: Readonly<Record<EvidenceKind, number>>
  /** The part of its attempts that are solved, in [0, 1]. */
  readonly prior: number
  /** The person's verdicts that this was learned from; 0 for what was fitted on other people's attempts. */
  readonly verdicts: number
}

/** A person's own verdict on an attempt, and the signs that the rules saw in it. */
export interface JudgedSigns {
  readonly kinds: readonly EvidenceKind[]
  readonly solved: boolean
}

/** What holds where a person has said too little. */
export const FITTED: ClientRules = { weights: WEIGHTS, prior: 0.5, verdicts: 0 }

/** A person's verdicts from which on rules are theirs. */
export const ENOUGH = 30
/** Attempts that the fitted weight of a kind counts as, and attempts of either end that the prior begins with. */
const START = 8
const EITHER = 2
/** What kinds that may settle a verdict are held below, and the others: as they were fitted. */
const MOST_SETTLING = 3.15
const MOST_OTHER = 0.75

/**
 * What the rules go by for one client: its person's own verdicts, mixed with the fitted weights, each of which counts as eight attempts. Fewer than thirty
 * verdicts change nothing. What may settle a verdict stays the same: a sign that a person gives another meaning loses its weight and settles nothing.
 */
export function rulesOf(verdicts: readonly JudgedSigns[]): ClientRules {
  if (verdicts.length < ENOUGH) return FITTED
  const solvedCount = verdicts.filter(({ solved }) => solved).length
  const prior = (solvedCount + EITHER) / (verdicts.length + 2 * EITHER)
  const weights = Object.fromEntries(
    (Object.entries(WEIGHTS) as [EvidenceKind, number][]).map(([kind, start]) => {
      const own = verdicts.filter(({ kinds }) => kinds.includes(kind))
      if (own.length === 0) return [kind, start]
      const begin = START * sigmoid(logit(prior) + start)
      const p = (begin + own.filter(({ solved }) => solved).length) / (START + own.length)
      const most = SETTLES_SOLVED.has(kind) || SETTLES_FAILED.has(kind) ? MOST_SETTLING : MOST_OTHER
      return [kind, Math.max(-most, Math.min(most, logit(p) - logit(prior)))]
    }),
  ) as Record<EvidenceKind, number>
  return { weights, prior, verdicts: verdicts.length }
}
