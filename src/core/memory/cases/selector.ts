import type { Rng } from '../../ground/random'
import type { Traits } from './relations'
import type { CasePool, PooledCase } from './pool'
import type { Transition } from './replay'
import type { Saved } from './saved'

/** What a selector makes of a case. */
export interface Estimate {
  /** Its learned worth on the scale of similarities, about 0 to 1. */
  readonly value: number
  /** How far that is to be trusted, 0 to 1: the rest of the score comes from similarity. */
  readonly weight: number
}

/**
 * One of the memory mechanisms of Memento's table 7: how cases are chosen (Read) and what a new one changes (Write).
 * Everything random comes from the generators handed in, so that the same journal always gives the same selector.
 */
export interface CaseSelector {
  /** alpha of the policy mu (eq. 7) that cases are drawn from; 0 takes the K best (eq. 16). */
  readonly alpha: number
  /**
   * How many cases of M', the nearest to s', stand for all of it in a TD target. Above 0 it learns from what comes after a step: the
   * next plan of the same task. 0 looks at each task alone.
   */
  readonly nextCases: number
  /** Whether the next task is what comes after the last plan of a task; else a task ends with it. */
  readonly acrossTasks: boolean
  /** Whether Q(s, c) reads what was done in a case, so that plans have to be embedded. */
  readonly readsPlans: boolean
  /** What it makes of cases for a state: what is read of the state is read once for all of them. Not to be used again after `learn`. */
  estimator(state: Traits): (knownCase: PooledCase) => Estimate
  /** Called once per write, with the transitions that it completed; there may be none. */
  learn(transitions: readonly Transition[], rng: Rng): void
  save(): Saved
}

/** What every selector is made with. */
export interface SelectorInput {
  readonly pool: CasePool
  /** Numbers per embedding. */
  readonly dimension: number
  /** Draws the first weights. */
  readonly rng: Rng
  /** What an earlier one saved; default: a new one. */
  readonly saved?: Saved
}

/** How far a value is trusted after `known` of what counts as knowing: half of it at `coldStart`. 0 while nothing is known, also where nothing has to be. */
export const trustIn = (knownCount: number, coldStart: number): number =>
  knownCount > 0 ? knownCount / (knownCount + coldStart) : 0

/** The score cases are ranked by: (1 - w) similarity + w value. */
export const blended = (similarity: number, { value, weight }: Estimate): number =>
  (1 - weight) * similarity + weight * value
