import { resampledMeans, resamples, TAIL, type Resamples } from './bootstrap'

/** A mean over seeds along a curve, with its interval; as long as the grid. NaN where there is nothing to say. */
export interface SeedBand {
  readonly mean: number[]
  /** 95 % bootstrap interval over seeds; NaN below two seeds, and where all seeds went the same way. */
  readonly low: number[]
  readonly high: number[]
  /** Seeds the mean is over. */
  readonly n: number[]
}

/** Whether there is an interval at a place. */
export const hasInterval = ({ low }: Pick<SeedBand, 'low'>, at: number): boolean =>
  !Number.isNaN(low[at] ?? Number.NaN)

const BINS = 128
/** Places of one series at which intervals are computed: about one in two px of a chart. Up to as many tasks all are. */
const MOST_PLACES = 400
const FEWEST_PLACES = 128
/** Multiplications worth spending on the intervals of one series; with many seeds there are fewer places. */
const BUDGET = 6_000_000
const NOTHING = [Number.NaN, Number.NaN] as const

/**
 * Mean and interval over seeds at every place. `columns` holds one line per seed, NaN where it has not got to. The mean goes as far as
 * half of the seeds got. The interval is the same bootstrap as everywhere else; on long curves it is computed at
 * some places and straight in between. `distinct` of the seeds are samples of their own (`distinctSamples`); with fewer than two there is
 * no interval. Default: as many as there are different lines.
 */
export function seedBand(
  columns: readonly (readonly number[])[],
  distinct = new Set(columns.map(String)).size,
): SeedBand {
  const [only] = columns
  const length = only?.length ?? 0
  const band: SeedBand = { mean: [], low: [], high: [], n: [] }
  const intervalOf = new Map<number, (values: readonly number[]) => Interval>()
  const stride = distinct > 1 ? strideFor(columns.length, length) : 1
  const enough = columns.length / 2
  const values: number[] = []
  for (let at = 0; at < length; at += 1) {
    values.length = 0
    let sum = 0
    for (const column of columns) {
      const value = column[at] ?? Number.NaN
      if (Number.isNaN(value)) continue
      values.push(value)
      sum += value
    }
    const isShown = values.length > 0 && values.length >= enough
    band.n.push(isShown ? values.length : 0)
    band.mean.push(isShown ? sum / values.length : Number.NaN)
    const due = at % stride === 0 || at === length - 1 || band.n[at] !== band.n[at - 1]
    let interval: Interval = NOTHING
    if (distinct > 1 && isShown && values.length > 1 && due) {
      let compute = intervalOf.get(values.length)
      if (!compute) intervalOf.set(values.length, (compute = intervals(waysFor(values.length))))
      interval = compute(values)
    }
    band.low.push(interval[0])
    band.high.push(interval[1])
  }
  if (stride > 1) for (const edge of [band.low, band.high]) fillBetween(edge, band.n)
  return band
}

/** By number of seeds; the same ones serve every series and every redrawing. */
const resamplesMap = new Map<number, Resamples>()

function waysFor(seeds: number): Resamples {
  let ways = resamplesMap.get(seeds)
  if (!ways) resamplesMap.set(seeds, (ways = resamples(seeds)))
  return ways
}

function strideFor(seeds: number, length: number): number {
  const { counts } = waysFor(seeds)
  const places = Math.min(MOST_PLACES, Math.max(FEWEST_PLACES, Math.floor(BUDGET / (counts.length * seeds))))
  return Math.max(1, Math.ceil(length / places))
}

type Interval = readonly [low: number, high: number]

/**
 * The two tail points of the resampled means, for many places in a row: without sorting all means, by bin first and then exactly within
 * the bin, and without making an array per place.
 */
function intervals(ways: Resamples): (values: readonly number[]) => Interval {
  const means = new Float64Array(ways.counts.length)
  const mass = new Float64Array(BINS)
  const wantedNumbers = [TAIL * ways.total, (1 - TAIL) * ways.total] as const
  return (values) => {
    const lowest = Math.min(...values)
    const highest = Math.max(...values)
    if (lowest === highest) return [lowest, highest]
    resampledMeans(ways, values, means)
    mass.fill(0)
    const scale = (BINS - 1) / (highest - lowest)
    const binOf = (mean: number) => Math.min(BINS - 1, Math.max(0, Math.floor((mean - lowest) * scale)))
    for (let row = 0; row < means.length; row += 1) {
      const bin = binOf(means[row] ?? 0)
      mass[bin] = (mass[bin] ?? 0) + (ways.counts[row] ?? 0)
    }
    const at = (share: number) => {
      let passedCount = 0
      let bin = 0
      while (bin < BINS - 1 && passedCount + (mass[bin] ?? 0) < share) passedCount += mass[bin++] ?? 0
      const inside: number[] = []
      for (let row = 0; row < means.length; row += 1) if (binOf(means[row] ?? 0) === bin) inside.push(row)
      if (inside.length > 1) inside.sort((a, b) => (means[a] ?? 0) - (means[b] ?? 0))
      const foundCount =
        inside.find((row) => (passedCount += ways.counts[row] ?? 0) >= share) ?? inside.at(-1)
      return foundCount === undefined ? lowest : (means[foundCount] ?? lowest)
    }
    return [at(wantedNumbers[0]), at(wantedNumbers[1])]
  }
}

/** Straight lines over the places that were left out; level ones up to where the number of seeds changes. */
function fillBetween(edge: number[], n: readonly number[]): void {
  let remainingCount = 0
  for (let at = 1; at < edge.length; at += 1) {
    const same = n[at] === n[remainingCount]
    if (same && Number.isNaN(edge[at])) continue
    const from = edge[remainingCount] ?? Number.NaN
    const step = same ? ((edge[at] ?? 0) - from) / (at - remainingCount) : 0
    for (let place = remainingCount + 1; place < at; place += 1)
      edge[place] = from + step * (place - remainingCount)
    remainingCount = at
  }
}
