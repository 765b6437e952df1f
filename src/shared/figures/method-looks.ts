import type { MethodComparison } from '../domain/method-choice'

/** How often a method may be called better that is not, over all looks and all methods compared. */
const ERROR_BUDGET = 0.05
/** Judged asks at which is looked, and the share of the budget that each look may spend: repeated looks share one. */
const LOOKS = [
  { asks: 20, spends: 0.35 },
  { asks: 40, spends: 0.3 },
  { asks: 80, spends: 0.2 },
  { asks: 160, spends: 0.15 },
] as const
/** Asks fewer right at which a method is replayed no more. */
const FAR_BEHIND = 10

/** Asks that are replayed at most: there is no look behind. */
export const MOST_REPLAYED = LOOKS[LOOKS.length - 1]?.asks ?? 0

/** The next number of asks at which methods are told apart; null after the last look. */
export const nextLook = (replayed: number): number | null =>
  LOOKS.find(({ asks }) => asks > replayed)?.asks ?? null

/** Chance of at least `more` heads of `more + less` fair coins: the exact sign test, one-sided, in [0, 1]. */
export function oneSided(more: number, less: number): number {
  const n = more + less
  let log = -n * Math.LN2
  let tail = less >= 0 ? Math.exp(log) : 0
  for (let k = 1; k <= less; k++) {
    log += Math.log((n - k + 1) / k)
    tail += Math.exp(log)
  }
  return Math.min(1, tail)
}

/** Whether each of the same asks was right, with a method and with the one in use, in order. */
export interface Replayed {
  readonly method: string
  readonly right: readonly boolean[]
  readonly rightNow: readonly boolean[]
}

/**
 * Compares a method with the one in use. It is looked only at fixed numbers of asks, each time with a part of the error budget, divided by the number
 * of methods that are compared; what was `better` at a look stays so until a later look. Between looks nothing is told apart.
 */
export function compareReplays({ method, right, rightNow }: Replayed, methods: number): MethodComparison {
  const n = Math.min(right.length, rightNow.length)
  const countsAt = (size: number) => {
    let [onlyThis, onlyNow] = [0, 0]
    for (let i = 0; i < size; i++) {
      if (right[i] && !rightNow[i]) onlyThis++
      if (!right[i] && rightNow[i]) onlyNow++
    }
    return { onlyThis, onlyNow }
  }
  const { onlyThis, onlyNow } = countsAt(n)
  const look = LOOKS.findLast(({ asks }) => asks <= n)
  const there = look && countsAt(look.asks)
  const chance = there ? oneSided(there.onlyThis, there.onlyNow) : null
  const isBetter = look && chance !== null && chance <= (ERROR_BUDGET * look.spends) / Math.max(1, methods)
  return {
    ...{ method, n, onlyThis, onlyNow, chance },
    right: right.slice(0, n).filter(Boolean).length,
    rightNow: rightNow.slice(0, n).filter(Boolean).length,
    look: look?.asks ?? null,
    // More asks since then may have taken the lead away.
    standing:
      isBetter && onlyThis > onlyNow ? 'better' : onlyNow - onlyThis >= FAR_BEHIND ? 'behind' : 'open',
  }
}

/** The method that is most ahead of those that are better by more than luck; null for none. */
export const bestOf = (comparisons: readonly MethodComparison[]): MethodComparison | null =>
  comparisons
    .filter(({ standing }) => standing === 'better')
    .reduce<MethodComparison | null>(
      (best, one) =>
        best === null || one.onlyThis - one.onlyNow > best.onlyThis - best.onlyNow ? one : best,
      null,
    )

/** What is said of a comparison. `titleOf`: names of methods as people know them. */
export function comparisonSentence(
  { method, n, right, rightNow, onlyThis, onlyNow, standing }: MethodComparison,
  current: string,
  titleOf: (method: string) => string,
): string {
  const [name, now] = [titleOf(method), titleOf(current)]
  const gain = right - rightNow
  const asks = n === 1 ? '1 ask' : `${n} asks`
  const split = `${onlyThis} only with it, ${onlyNow} only with ${now}`
  if (n === 0) return `${name} was not replayed yet.`
  if (gain === 0)
    return onlyThis === 0
      ? `In a replay of ${asks}, ${name} and ${now} were right on the same ${right}.`
      : `In a replay of ${asks}, ${name} was right on as many as ${now} (${split}).`
  const size = Math.abs(gain)
  const words = `In a replay of ${asks}, ${name} would have solved ${size} ${gain > 0 ? 'more' : 'fewer'} than ${now} (${split})`
  if (standing === 'better') return `${words}: more than luck makes.`
  return gain > 0 ? `${words}. That may be luck.` : `${words}.`
}
