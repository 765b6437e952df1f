import { createRng } from '../random'

/** Share of the resampled means outside the interval, on each side. */
export const TAIL = 0.025
/** Up to this many values all resamples are counted (8^8 of them, in 6,435 kinds) instead of drawn. */
const EXACT_LIMIT = 8
/** Resamples drawn beyond that. */
const DRAWN = 10_000

/** Ways to draw n of n values with replacement. Row r takes value i `weights[r * n + i]` times and stands for `counts[r]` resamples. */
export interface Resamples {
  readonly n: number
  readonly weights: Uint16Array
  readonly counts: Float64Array
  /** Sum of `counts`. */
  readonly total: number
}

const factorial = (n: number): number => (n < 2 ? 1 : n * factorial(n - 1))

/** Every way without regard to order: n! / (c1! c2! ...) resamples each. */
function everyResample(n: number): Resamples {
  const weights: number[] = []
  const counts: number[] = []
  const row = new Array<number>(n).fill(0)
  const draw = (i: number, remainingCount: number, count: number): void => {
    if (i === n - 1) {
      row[i] = remainingCount
      weights.push(...row)
      counts.push(Math.round(count / factorial(remainingCount)))
      return
    }
    for (let takenCount = 0; takenCount <= remainingCount; takenCount++) {
      row[i] = takenCount
      draw(i + 1, remainingCount - takenCount, count / factorial(takenCount))
    }
  }
  draw(0, n, factorial(n))
  return { n, weights: Uint16Array.from(weights), counts: Float64Array.from(counts), total: n ** n }
}

function drawnResamples(n: number, seed: string): Resamples {
  const rng = createRng(seed)
  const weights = new Uint16Array(DRAWN * n)
  for (let r = 0; r < DRAWN; r++)
    for (let i = 0; i < n; i++) {
      const at = r * n + rng.int(n)
      weights[at] = (weights[at] ?? 0) + 1
    }
  return { n, weights, counts: new Float64Array(DRAWN).fill(1), total: DRAWN }
}

/**
 * The resamples of a bootstrap over `n` values (from 2): all of them up to 8 values, beyond that 10,000 drawn from a
 * fixed `seed` (default "bootstrap"), so that the same values always give the same interval.
 */
export const resamples = (n: number, seed = 'bootstrap'): Resamples =>
  n <= EXACT_LIMIT ? everyResample(n) : drawnResamples(n, seed)

/** The mean of each resample of `values`, which must be `n` long. `means` takes them; default: a new array. */
export function resampledMeans(
  { n, weights, counts }: Resamples,
  values: ArrayLike<number>,
  means = new Float64Array(counts.length),
): Float64Array {
  for (let r = 0, at = 0; r < means.length; r++) {
    let sum = 0
    for (let i = 0; i < n; i++) sum += (weights[at++] ?? 0) * (values[i] ?? 0)
    means[r] = sum / n
  }
  return means
}

/** Percentile bootstrap of the mean (Efron): the 2.5 % and 97.5 % points of the means of all resamples. Null below two values. */
export function bootstrapInterval(
  values: readonly number[],
  seed = 'bootstrap',
): readonly [number, number] | null {
  if (values.length < 2) return null
  const ways = resamples(values.length, seed)
  const means = resampledMeans(ways, values)
  const order = Array.from(means.keys()).sort((a, b) => (means[a] ?? 0) - (means[b] ?? 0))
  const at = (share: number): number => {
    let passedCount = 0
    const foundCount = order.find((r) => (passedCount += ways.counts[r] ?? 0) >= share * ways.total)
    return foundCount === undefined ? 0 : (means[foundCount] ?? 0)
  }
  return [at(TAIL), at(1 - TAIL)]
}
