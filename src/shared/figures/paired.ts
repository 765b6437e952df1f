import { TAIL } from './bootstrap'
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

/** At most `k` of `n` when each is a hit with chance `p`. */
function atMost(k: number, n: number, p: number): number {
  if (p <= 0 || k >= n) return 1
  if (p >= 1) return 0
  let log = n * Math.log1p(-p)
  let sum = Math.exp(log)
  for (let i = 1; i <= k; i++) {
    log += Math.log(((n - i + 1) / i) * (p / (1 - p)))
    sum += Math.exp(log)
  }
  return Math.min(1, sum)
}

/** Halvings: finer than a double tells apart. */
const HALVINGS = 60

/** The least share at which so few as `k` of `n` are no longer likelier than 2.5 %: Clopper and Pearson's upper bound. */
function upperShare(k: number, n: number): number {
  let low = 0
  let high = 1
  for (let i = 0; i < HALVINGS; i++) {
    const middle = (low + high) / 2
    if (atMost(k, n, middle) > TAIL) low = middle
    else high = middle
  }
  return high
}

/**
 * Exact 95 % interval of (`onlyThis` - `onlyOther`) / `n`, given how many tasks went differently (Clopper and Pearson, 1934): it lies above 0 exactly
 * where the sign test's chance is below 5 %, so it takes at least six tasks more and none less. A bootstrap of so few tasks is too narrow: it would be sure
 * with four. Null where none went differently.
 */
export function pairedInterval({
  n,
  onlyThis,
  onlyOther,
}: Pick<Paired, 'n' | 'onlyThis' | 'onlyOther'>): readonly [number, number] | null {
  const differ = onlyThis + onlyOther
  if (differ === 0) return null
  const gain = (share: number) => (differ * (2 * share - 1)) / n
  return [gain(1 - upperShare(onlyOther, differ)), gain(upperShare(onlyThis, differ))]
}
