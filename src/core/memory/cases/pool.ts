import type { CaseRecord } from '../../../shared/domain/case'
import { relate, RELATIONS, similarityOf, type Traits } from './relations'
import { planMiddle, type PlanFeatures, type PlanVector } from './plan-vectors'

/** A case as it is compared; its state is that of the attempt it was made from. */
export interface PooledCase extends Traits, Pick<CaseRecord, 'id' | 'environment' | 'reward'> {
  /** Number in order of arrival, from 0. */
  readonly index: number
  /** Place of its state among all states. */
  readonly place: number
  /** What was done, as the encoder reads it; null where the learner does not read plans. */
  readonly plan: PlanVector | null
}

export interface Candidate {
  readonly case: PooledCase
  /** Cosine of the states (Memento eq. 13). */
  readonly similarity: number
}

/** All cases of a memory, in order of arrival, as a selector sees them. */
export type CasePool = ReturnType<typeof createPool>

export function createPool() {
  const cases: PooledCase[] = []
  const states: Traits[] = []
  const places = new Map<string, PooledCase>()
  const middle = planMiddle()
  return {
    get size(): number {
      return cases.length
    },
    at(index: number): PooledCase {
      const foundCase = cases[index]
      if (!foundCase) throw new RangeError(`There is no case number ${index}.`)
      return foundCase
    },
    find: (id: string): PooledCase | null => places.get(id) ?? null,
    add(record: Omit<PooledCase, 'index' | 'place'>): PooledCase {
      const addition = { ...record, index: cases.length, place: states.length }
      cases.push(addition)
      states.push(addition)
      places.set(addition.id, addition)
      return addition
    },
    /** Counts a plan among those that have the middle of all. */
    centre: (plan: PlanVector) => middle.add(plan),
    /** The middle of the plans that were counted, as it is now; empty while there are none. */
    get middle(): Float64Array {
      return middle.at
    },
    /** What is read of what was done in a case, as things are now; null where it was not embedded. */
    planOf: ({ plan }: PooledCase): PlanFeatures | null => plan && middle.featuresOf(plan),
    /** How many states there are: of every case, and those on the way through an attempt. */
    get states(): number {
      return states.length
    },
    state(place: number): Traits {
      const traits = states[place]
      if (!traits) throw new RangeError(`There is no state at place ${place}.`)
      return traits
    },
    /** A state on the way through an attempt, of which no case is made; answers its place. */
    addState: (state: Traits): number => states.push(state) - 1,
    /** The cases of an environment nearest to a state, best first; ties newest first. Those in `always` come on top of the limit. */
    nearest(state: Traits, environment: string, limit: number, always?: ReadonlySet<string>): Candidate[] {
      const scores = new Float64Array(cases.length).fill(-Infinity)
      for (const knownCase of cases)
        if (knownCase.environment === environment)
          scores[knownCase.index] = similarityOf(state, knownCase) ?? -Infinity
      const candidates = (accepted: (knownCase: PooledCase, score: number) => boolean): Candidate[] =>
        cases.flatMap((knownCase) => {
          const similarity = scores[knownCase.index] as number
          return similarity > -Infinity && accepted(knownCase, similarity)
            ? [{ case: knownCase, similarity }]
            : []
        })
      // Sorting plain numbers is quick, so only what can be among the first is sorted in full.
      const least = scores.slice().sort()[Math.max(0, scores.length - limit)] ?? 0
      const best = candidates((_, score) => score >= least)
        .sort((a, b) => b.similarity - a.similarity || b.case.index - a.case.index)
        .slice(0, limit)
      if (!always || always.size === 0) return best
      const near = new Set(best.map((each) => each.case))
      return [...best, ...candidates((knownCase) => always.has(knownCase.id) && !near.has(knownCase))]
    },
  }
}

/** Words of a state that count as one unit of length. */
const LENGTH_UNIT = 12

/** Length of what `relationFeatures` answers. */
export const RELATION_FEATURES = RELATIONS.length + 2

/** The relations between both states, the case's reward, and the length of the state (long tasks are harder whatever is recalled). */
export function relationFeatures(state: Traits, knownCase: PooledCase): Float64Array {
  const x = new Float64Array(RELATION_FEATURES)
  x.set(relate(state, knownCase))
  x[RELATIONS.length] = knownCase.reward
  x[RELATIONS.length + 1] = state.words.length / LENGTH_UNIT
  return x
}

/** Length of the state's vector in `pairFeatures`: what was done is learned from quickly, what it was done for less so. */
const STATE_LENGTH = 2

/** The first half of `pairFeatures`: the encoder's vector of the state; with room for `more` numbers behind it. */
export function stateFeatures({ vector, square }: Traits, more = 0): Float64Array {
  const x = new Float64Array(vector.length + more)
  const scale = square > 0 ? STATE_LENGTH / Math.sqrt(square) : 0
  for (let i = 0; i < vector.length; i++) x[i] = scale * (vector[i] as number)
  return x
}

/**
 * The encoder's vectors of the state and of what was done in the case, side by side: the query and the case as Memento's parametric memory
 * reads them together. 2 x `dimension` numbers; a plan that was not embedded is all 0.
 */
export function pairFeatures(state: Traits, knownCase: PooledCase, pool: CasePool): Float64Array {
  const dimension = state.vector.length
  const x = stateFeatures(state, dimension)
  const plan = pool.planOf(knownCase)
  if (!plan) return x
  const { codes, scale, shift } = plan
  const { middle } = pool
  for (let i = 0; i < dimension; i++) x[dimension + i] = scale * (codes[i] ?? 0) - shift * (middle[i] ?? 0)
  return x
}
