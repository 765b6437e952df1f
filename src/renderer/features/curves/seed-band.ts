import { resampledMeans, resamples, TAIL, type Resamples } from '../../../shared/bootstrap'

/** A mean over seeds along a curve, with its interval; as long as the grid. NaN where there is nothing to say. */
export interface SeedBand {
  readonly mean: number[]
  /** 95 % bootstrap interval over seeds; NaN below two seeds. */
  readonly low: number[]
  readonly high: number[]
  /** Seeds the mean is over. */
  readonly n: number[]
}

const BINS = 512
/** Multiplications worth spending on the intervals of one series; beyond, they are computed at fewer places. */
const BUDGET = 6_000_000
const FEWEST_PLACES = 128

/**
 * Mean and interval over seeds at every place. `columns` holds one line per seed, NaN where it has not got to. The mean goes as far as
 * half of the seeds got. The interval is the same bootstrap as everywhere else; with many seeds it is computed at
 * some places and straight in between.
 */
export function seedBand(columns: readonly (readonly number[])[]): SeedBand {
  const length = columns[0]?.length ?? 0
  const band: SeedBand = { mean: [], low: [], high: [], n: [] }
  const waysOf = new Map<number, Resamples>()
  const stride = strideFor(columns.length, length)
  const enough = columns.length / 2
  const values: number[] = []
  for (let at = 0; at < length; at += 1) {
    values.length = 0
    for (const column of columns) {
      const value = column[at] ?? Number.NaN
      if (!Number.isNaN(value)) values.push(value)
    }
    const shown = values.length > 0 && values.length >= enough
    band.n.push(shown ? values.length : 0)
    band.mean.push(shown ? values.reduce((sum, value) => sum + value, 0) / values.length : Number.NaN)
    const due = at % stride === 0 || at === length - 1 || band.n[at] !== band.n[at - 1]
    let interval: readonly [number, number] = [Number.NaN, Number.NaN]
    if (shown && values.length > 1 && due) {
      let ways = waysOf.get(values.length)
      if (!ways) waysOf.set(values.length, (ways = resamples(values.length)))
      interval = quantiles(ways, values)
    }
    band.low.push(interval[0])
    band.high.push(interval[1])
  }
  if (stride > 1) for (const edge of [band.low, band.high]) fillBetween(edge, band.n)
  return band
}

function strideFor(seeds: number, length: number): number {
  if (seeds < 2) return 1
  const { counts } = resamples(seeds)
  const places = Math.max(FEWEST_PLACES, Math.floor(BUDGET / (counts.length * seeds)))
  return Math.max(1, Math.ceil(length / places))
}

/** The two tail points of the resampled means, without sorting them all: found by bin, then exactly within the bin. */
function quantiles(ways: Resamples, values: readonly number[]): readonly [number, number] {
  const lowest = Math.min(...values)
  const highest = Math.max(...values)
  if (lowest === highest) return [lowest, highest]
  const means = resampledMeans(ways, values)
  const scale = (BINS - 1) / (highest - lowest)
  const binOf = (mean: number) => Math.min(BINS - 1, Math.max(0, Math.floor((mean - lowest) * scale)))
  const mass = new Float64Array(BINS)
  means.forEach((mean, row) => {
    const bin = binOf(mean)
    mass[bin] = (mass[bin] ?? 0) + (ways.counts[row] ?? 0)
  })
  const at = (share: number) => {
    const wanted = share * ways.total
    let passed = 0
    let bin = 0
    while (bin < BINS - 1 && passed + (mass[bin] ?? 0) < wanted) passed += mass[bin++] ?? 0
    const inside = Array.from(means.keys())
      .filter((row) => binOf(means[row] ?? 0) === bin)
      .sort((a, b) => (means[a] ?? 0) - (means[b] ?? 0))
    const found = inside.find((row) => (passed += ways.counts[row] ?? 0) >= wanted) ?? inside.at(-1)
    return found === undefined ? lowest : (means[found] ?? lowest)
  }
  return [at(TAIL), at(1 - TAIL)]
}

/** Straight lines over the places that were left out, where the number of seeds stays the same. */
function fillBetween(edge: number[], n: readonly number[]): void {
  let left = -1
  for (let at = 0; at < edge.length; at += 1) {
    if (Number.isNaN(edge[at])) continue
    const from = edge[left] ?? Number.NaN
    const step = ((edge[at] ?? 0) - from) / (at - left)
    if (left >= 0 && n.slice(left, at).every((count) => count === n[left]))
      for (let place = left + 1; place < at; place += 1) edge[place] = from + step * (place - left)
    left = at
  }
}
