import type { Rewards } from './rates'

/** Two runs over the same tasks, task by task. */
export interface Paired {
  /** Tasks that both tried. */
  readonly n: number
  /** Solved by one of them alone. */
  readonly onlyThis: number
  readonly onlyOther: number
  /** Chance of a difference at least as large if neither were better (exact sign test, two-sided), in [0, 1]. */
  readonly chance: number
}

/** Compares rewards of the same tasks in the same order; what only one of them has is left out. McNemar's exact test. */
export function paired(rewards: Rewards, other: Rewards): Paired {
  const n = Math.min(rewards.length, other.length)
  let onlyThis = 0
  let onlyOther = 0
  for (let i = 0; i < n; i++) {
    if (rewards[i] === 1 && other[i] !== 1) onlyThis++
    if (rewards[i] !== 1 && other[i] === 1) onlyOther++
  }
  return { n, onlyThis, onlyOther, chance: signTest(onlyThis, onlyOther) }
}

/** Two-sided exact sign test: how likely a split this uneven is when each side is equally likely, in [0, 1]. */
export function signTest(a: number, b: number): number {
  const n = a + b
  if (n === 0) return 1
  // Binomial terms by their logarithms: they are too small and too large for themselves beyond a thousand.
  let log = -n * Math.LN2
  let tail = Math.exp(log)
  for (let k = 1; k <= Math.min(a, b); k++) {
    log += Math.log((n - k + 1) / k)
    tail += Math.exp(log)
  }
  return Math.min(1, 2 * tail)
}
