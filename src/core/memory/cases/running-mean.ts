import type { PooledCase } from './pool'
import { similarityOf, type Traits } from './relations'
import type { Saved } from './saved'
import type { Estimate } from './selector'

/**
 * The mean of all values learned so far. Learners that know some cases and not others need it: a case that was tried and did as well as
 * cases do must rank by its similarity, like one that was never tried, or whatever was recalled first would be recalled for ever.
 */
export function runningMean(saved: Saved | undefined) {
  let sum = saved?.['usual']?.[0] ?? 0
  let count = saved?.['usual']?.[1] ?? 0
  return {
    add(value: number) {
      sum += value
      count++
    },
    /** An estimate on the scale of similarities: similarity plus how much better than usual the case did. */
    estimate(state: Traits, knownCase: PooledCase, q: number, weight: number): Estimate {
      const usual = count > 0 ? sum / count : 0
      return { value: (similarityOf(state, knownCase) ?? 0) + q - usual, weight }
    },
    save: (): Saved => ({ usual: Float64Array.of(sum, count) }),
  }
}
