import type { Evidence, RuledVerdict } from '../../shared/domain/verdict'
import { CONTRADICTS_FAILED, SETTLES_FAILED, SETTLES_SOLVED } from './weights'

/** The version of signs and weights; verdicts of another version are worked out anew. */
export const RULES = '2'

/** Confidence from which on a settled verdict is shown, and from which on it teaches. */
const SHOWN = 0.7
const TEACHES = 0.9
/** How far a base rate may lean: it never settles anything. */
const LEAST_PRIOR = 0.2
const MOST_PRIOR = 0.8

/** How far a success that rules tell counts until somebody confirms it, in [0, 1]; null for a failure, which needs no confirming. */
export const probationOf = ({
  value,
  confidence,
}: Pick<RuledVerdict, 'value' | 'confidence'>): number | null =>
  value === 'solved' ? 2 * confidence - 1 : null

export const logit = (p: number): number => Math.log(p / (1 - p))
export const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x))

/**
 * How an attempt ended: P(solved) = sigmoid(logit(prior) + sum of weights). Without a settling sign, or with one against it, the value is unknown:
 * success is settled by a person alone, never by the agent's own work or words.
 * @param prior the part of such attempts that are solved, in [0, 1]; held between .2 and .8. Default .5
 */
export function verdictOf(evidence: readonly Evidence[], prior = 0.5): RuledVerdict {
  const base = Math.min(MOST_PRIOR, Math.max(LEAST_PRIOR, prior))
  const p = sigmoid(logit(base) + evidence.reduce((total, { weight }) => total + weight, 0))
  const isSolved = p >= 0.5
  const [settling, against] = isSolved
    ? [SETTLES_SOLVED, SETTLES_FAILED]
    : [SETTLES_FAILED, CONTRADICTS_FAILED]
  const isSettled =
    evidence.some(({ kind }) => settling.has(kind)) && !evidence.some(({ kind }) => against.has(kind))
  const confidence = Math.max(p, 1 - p)
  const state = !isSettled || confidence < SHOWN ? 'open' : confidence >= TEACHES ? 'teaches' : 'shown'
  return {
    value: state === 'open' ? 'unknown' : isSolved ? 'solved' : 'failed',
    confidence,
    state,
    evidence: [...evidence],
    rules: RULES,
  }
}
