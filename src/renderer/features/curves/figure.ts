import type { CurveAxis, CurveMarker, CurveMeasure } from '../../../shared/domain/curve'
import { baselineOf, pairs } from './baseline'
import type { LineLook } from './line-looks'
import { seedBand, type SeedBand } from '../../../shared/figures/seed-band'
import type { Series } from './series'
import { onGrid } from '../../../shared/figures/smoothing'
import { axisValues, distinctTracks, lineValues, rawValues, type Track } from './track'

export interface FigureLine extends SeedBand {
  readonly series: Series
  readonly look: LineLook
  /** What the difference is to; null when the line shows its own values. */
  readonly baseline: Series | null
}

/** The single values behind the lines, faint: the mean over the seeds at each task. Empty when they are switched off. */
export interface RawPoints {
  readonly key: string
  readonly look: LineLook
  readonly xs: readonly number[]
  readonly ys: readonly number[]
}

export interface FigureMarker extends CurveMarker {
  /** Where it lies on the axis. */
  readonly x: number
}

/** Everything that is drawn, tabled and exported: one computation, so that all three show the same numbers. */
export interface Figure {
  readonly measure: CurveMeasure
  readonly axis: CurveAxis
  readonly difference: boolean
  /** Places on the axis that all lines share, rising. */
  readonly grid: readonly number[]
  readonly lines: readonly FigureLine[]
  readonly points: readonly RawPoints[]
  readonly markers: readonly FigureMarker[]
}

export interface FigureOptions {
  readonly measure: CurveMeasure
  readonly axis: CurveAxis
  readonly smoothing: number
  readonly points: boolean
  readonly baseline: string | null
  readonly difference: boolean
}

/** Points and bands of more lines than this only cover each other. */
export const MOST_BANDS = 12

/** Places on the axis when it counts tokens or time, where no two runs share theirs. */
const PLACES = 1000

/** Computes the figure of the `shown` series; `all` may hold a baseline that is switched off. */
export function buildFigure(
  serieses: readonly Series[],
  all: readonly Series[],
  looks: ReadonlyMap<string, LineLook>,
  options: FigureOptions,
): Figure {
  const { measure, axis, difference } = options
  const places = new Map<Track, number[]>()
  const xsOf = (track: Track) => {
    const knownNumbers = places.get(track)
    if (knownNumbers) return knownNumbers
    const xs = axisValues(track, axis)
    places.set(track, xs)
    return xs
  }
  const grid = gridOf(
    serieses.flatMap((series) => series.tracks.map(xsOf)),
    axis,
  )
  const drawnNumbersMap = new Map<Track, number[]>()
  const columnOf = (track: Track) => {
    const knownNumbers = drawnNumbersMap.get(track)
    if (knownNumbers) return knownNumbers
    const column = onGrid(xsOf(track), lineValues(track, measure, options.smoothing), grid)
    drawnNumbersMap.set(track, column)
    return column
  }
  const lines = serieses.flatMap((series): FigureLine[] => {
    const look = looks.get(series.key) ?? { colour: '--series-1', dash: [] }
    if (!difference) {
      const distinct = distinctTracks(series.tracks.map((track) => [track]))
      return [{ series, look, baseline: null, ...seedBand(series.tracks.map(columnOf), distinct) }]
    }
    const baseline = baselineOf(series, all, options.baseline)
    const both = baseline ? pairs(series, baseline) : []
    if (!baseline || both.length === 0) return []
    const columns = both.map(({ track, other }) => minus(columnOf(track), columnOf(other)))
    const distinct = distinctTracks(both.map(({ track, other }) => [track, other]))
    return [{ series, look, baseline, ...seedBand(columns, distinct) }]
  })
  const withPoints = lines.length <= MOST_BANDS && options.points && !difference && measure !== 'cumulative'
  return {
    measure,
    axis,
    difference,
    grid,
    lines,
    points: withPoints ? lines.map((line) => pointsOf(line, measure, xsOf)) : [],
    markers: markersOf(lines, grid.at(-1) ?? 0, xsOf),
  }
}

function gridOf(axes: readonly (readonly number[])[], axis: CurveAxis): number[] {
  const end = Math.max(0, ...axes.map((xs) => xs.at(-1) ?? 0))
  if (axis === 'task') return Array.from({ length: end }, (_, index) => index + 1)
  return end === 0 ? [] : Array.from({ length: PLACES }, (_, index) => ((index + 1) * end) / PLACES)
}

const minus = (values: readonly number[], others: readonly number[]) =>
  values.map((value, index) => value - (others[index] ?? Number.NaN))

/** On the task axis the mean over the seeds per task; on others each seed's own values where they happened. */
function pointsOf(line: FigureLine, measure: CurveMeasure, xsOf: (track: Track) => number[]): RawPoints {
  const { key, tracks } = line.series
  const raw = tracks.map((track) => rawValues(track, measure))
  const sameX = tracks.every(
    (track) => (xsOf(track)[0] ?? 1) === 1 && xsOf(track).at(-1) === track.rewards.length,
  )
  if (!sameX) {
    const points = tracks
      .flatMap((track, index) => xsOf(track).map((x, step) => [x, raw[index]?.[step] ?? Number.NaN] as const))
      .sort(([a], [b]) => a - b)
    return { key, look: line.look, xs: points.map(([x]) => x), ys: points.map(([, y]) => y) }
  }
  const [only = [], ...others] = raw
  if (others.length === 0) return { key, look: line.look, xs: only.map((_, index) => index + 1), ys: only }
  const length = Math.max(0, ...raw.map((values) => values.length))
  const ys = Array.from({ length }, (_, step) => {
    let sum = 0
    let n = 0
    for (const values of raw) {
      const value = values[step] ?? Number.NaN
      if (Number.isNaN(value)) continue
      sum += value
      n += 1
    }
    return n === 0 ? Number.NaN : sum / n
  })
  return { key, look: line.look, xs: ys.map((_, index) => index + 1), ys }
}

/** Markers nearer together than this share of the axis, and with the same words, are drawn as one. */
const SAME_PLACE = 1 / 100

/** Markers of all lines, each where it lies in the mean of the seeds; what several lines say of one place is said once. */
function markersOf(
  lines: readonly FigureLine[],
  end: number,
  xsOf: (track: Track) => number[],
): FigureMarker[] {
  const all = lines.flatMap(({ series }) => {
    const places = new Map<string, { marker: CurveMarker; xs: number[] }>()
    for (const track of series.tracks)
      for (const marker of track.markers) {
        // A marker stands between the step before it and its own.
        const xs = xsOf(track)
        const before = marker.at === 0 ? 0 : (xs[marker.at - 1] ?? 0)
        const x = (before + (xs[marker.at] ?? before)) / 2
        const key = `${marker.kind} ${marker.label} ${marker.at}`
        const match = places.get(key)
        if (match) match.xs.push(x)
        else places.set(key, { marker, xs: [x] })
      }
    return [...places.values()].map(({ marker, xs }) => ({
      ...marker,
      x: xs.reduce((sum, x) => sum + x, 0) / xs.length,
    }))
  })
  const markers: FigureMarker[] = []
  for (const marker of all.sort((a, b) => a.x - b.x)) {
    const near = markers.some(
      (other) =>
        other.kind === marker.kind && other.label === marker.label && marker.x - other.x <= end * SAME_PLACE,
    )
    if (!near) markers.push(marker)
  }
  return markers
}
