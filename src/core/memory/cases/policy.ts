import type { Rng } from '../../ground/random'

/** alpha log sum exp(Q / alpha), the soft value V(s) of Memento eq. 4 under mu* (eq. 7). For alpha = 0 it is the largest Q; 0 of nothing. */
export function softValue(values: readonly number[], alpha: number): number {
  if (values.length === 0) return 0
  const best = Math.max(...values)
  if (alpha === 0) return best
  return best + alpha * Math.log(values.reduce((sum, q) => sum + Math.exp((q - best) / alpha), 0))
}

/**
 * The TD target r + gamma V(s') of Memento eq. 8. Eq. 8 prints exp(Q) where eq. 4 and 7 give exp(Q / alpha); the latter is used,
 * so that alpha -> 0 is Q-learning as appendix A says. A last step has no next values.
 */
export const tdTarget = (reward: number, gamma: number, alpha: number, next: readonly number[]): number =>
  reward + gamma * softValue(next, alpha)

/**
 * The order in which cases drawn without replacement from mu*(c | s, M) = exp(Q_c / alpha) / sum exp(Q_c' / alpha) (Memento eq. 7) come (Gumbel top-k): places in `values`, first drawn first.
 * alpha = 0 orders by value; ties keep their order.
 */
export function drawOrder(values: readonly number[], alpha: number, rng: Rng): number[] {
  const keys = values.map((q) => (alpha === 0 ? q : q / alpha - Math.log(-Math.log(uniform(rng)))))
  return values.map((_, i) => i).sort((a, b) => (keys[b] as number) - (keys[a] as number) || a - b)
}

/** In (0, 1). */
const uniform = (rng: Rng): number => rng.next() || Number.MIN_VALUE
