import { bootstrapInterval } from './bootstrap'
import { mean } from './mean'

/** A mean over seeds with its 95 % interval. Always show `n` beside it, and `distinct` where it is less. */
export interface Estimate {
  /** Values it is taken over. */
  readonly n: number
  /** How many of them are samples of their own, in [0, n]: see `distinctSamples`. */
  readonly distinct: number
  /** Null when n is 0. */
  readonly mean: number | null
  /**
   * [low, high]; null when fewer than two samples differ, for one sample says nothing about its spread. With few seeds it
   * is known to be too narrow: with 3 values it is exactly [lowest, highest].
   */
  readonly ci95: readonly [number, number] | null
}

/** One seed's value, and what tells its run from the runs of other seeds. */
export interface Sample {
  readonly value: number | null
  /** Equal for runs that went the same way, step for step (`runSignature`). */
  readonly signature: string
}

/** A run as far as it tells whether it went like another one. */
export interface RunTrace {
  readonly rewards: readonly number[]
  /** Prompt and completion tokens per attempt; empty when not known. */
  readonly tokens: readonly number[]
}

/** What a run did, step for step: equal only for runs with the same rewards and the same tokens at every attempt. */
export const runSignature = ({ rewards, tokens }: RunTrace): string =>
  `${rewards.join('')}/${tokens.join(',')}`

/**
 * How many of several runs are samples of their own. Seeds that change nothing (temperature 0, or a method that draws no lots) give the
 * same run again and again: then all of them together are one sample, and an interval over them would claim
 * certainty that nobody has.
 */
export const distinctSamples = (signatures: readonly string[]): number => new Set(signatures).size

/**
 * Mean and 95 % percentile bootstrap interval of one value per seed; values that are null are left out. Plain numbers count as
 * samples of their own; give `Sample`s wherever runs are at hand.
 */
export function estimate(values: readonly (number | null | Sample)[]): Estimate {
  const samples = values.map((value, i): Sample =>
    typeof value === 'number' || value === null ? { value, signature: String(i) } : value,
  )
  const counts = samples.flatMap(({ value, signature }) => (value === null ? [] : [{ value, signature }]))
  const numbers = counts.map(({ value }) => value)
  const distinct = distinctSamples(counts.map(({ signature }) => signature))
  return {
    n: numbers.length,
    distinct,
    mean: mean(numbers),
    ci95: distinct < 2 ? null : bootstrapInterval(numbers),
  }
}

/**
 * The difference to a baseline, paired by seed: for each seed known to both, value minus baseline; then mean and interval of
 * these differences. Pairing removes what a seed does to both alike. `n` counts the pairs; pairs of which both runs went alike are
 * one sample.
 */
export function pairedDifference(
  samples: ReadonlyMap<number, Sample>,
  baseline: ReadonlyMap<number, Sample>,
): Estimate {
  const differences = [...samples].flatMap(([seed, { value, signature }]) => {
    const other = baseline.get(seed)
    if (value === null || other === undefined || other.value === null) return []
    return [{ value: value - other.value, signature: `${signature} - ${other.signature}` }]
  })
  return estimate(differences)
}

type Counted = Pick<Estimate, 'n' | 'distinct'>

/** `3`, or `3 alike` where the seeds changed nothing, or `5 (4 different)`. */
export const countWords = ({ n, distinct }: Counted): string =>
  distinct >= n ? String(n) : distinct === 1 ? `${n} alike` : `${n} (${distinct} different)`

/** `n = 3`, `n = 3 alike`, `n = 5 (4 different)`. */
export const sampleWords = (over: Counted): string => `n = ${countWords(over)}`

/** What has to be said below figures of which some are over seeds that changed nothing; null where there are none. */
export const alikeNote = (figures: readonly Counted[]): string | null =>
  figures.some(({ n, distinct }) => distinct < n)
    ? 'Seeds whose runs went alike, step for step, are one sample: without another one there is no interval.'
    : null
