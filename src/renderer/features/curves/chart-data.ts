import type uPlot from 'uplot'
import { hasInterval } from '../../../shared/figures/seed-band'
import type { Figure, FigureLine } from './figure'

/** Where the columns of a line are in uPlot's data. */
export interface Columns {
  readonly mean: number
  /** Upper and lower edge of the band; null for a line without one. */
  readonly band: readonly [high: number, low: number] | null
}

const hasBand = (line: FigureLine) => line.low.some((_, at) => hasInterval(line, at))

/** One column per line, and two more for the band where a line has one. */
export function columnsOf(lines: readonly FigureLine[]): Columns[] {
  let next = 1
  return lines.map((line) => {
    const mean = next++
    return { mean, band: hasBand(line) ? [next++, next++] : null }
  })
}

export function dataOf({ grid, lines }: Figure): uPlot.AlignedData {
  return [
    [...grid],
    ...lines.flatMap((line) =>
      (hasBand(line) ? [line.mean, line.high, line.low] : [line.mean]).map((column) => withGaps(column)),
    ),
  ]
}

/** uPlot knows gaps as null. Most lines have none and are handed over as they are. */
const withGaps = (column: number[]) =>
  column.includes(Number.NaN) ? column.map((value) => (Number.isNaN(value) ? null : value)) : column

/** What makes another chart necessary: which lines there are, how they look and what they measure. Values do not count. */
export function shapeOf({ lines, measure, axis, difference }: Figure): string {
  const each = lines.map(
    (line) => `${line.series.key}:${line.look.colour}:${line.look.dash.join('.')}:${hasBand(line)}`,
  )
  return [measure, axis, difference, ...each].join('|')
}

/** Bottom and top of the value axis for what lies between `min` and `max`. */
export function valueRange(
  figure: Pick<Figure, 'measure' | 'difference'>,
  min: number | null,
  max: number | null,
): [number, number] {
  const share = figure.measure === 'success' || figure.measure === 'window'
  if (!figure.difference) return share ? [0, 1] : [0, Math.max(1, (max ?? 1) * 1.05)]
  const reach = Math.max(Math.abs(min ?? 0), Math.abs(max ?? 0), share ? 0.1 : 1) * 1.1
  return [-reach, reach]
}

/** The line nearest to a height among those that have a value there; -1 when none has. */
export function nearestLine(heights: readonly number[], top: number): number {
  let best = -1
  heights.forEach((height, index) => {
    if (Number.isNaN(height)) return
    if (best < 0 || Math.abs(height - top) < Math.abs((heights[best] ?? 0) - top)) best = index
  })
  return best
}

/** The stretch `factor` times as long (below 1 is nearer) that keeps `at` where it is; null when that is everything. */
export function zoomed(
  [from, to]: readonly [number, number],
  [start, end]: readonly [number, number],
  factor: number,
  at: number,
): readonly [number, number] | null {
  const length = (to - from) * factor
  if (length >= end - start) return null
  const smallest = (end - start) / 1000
  const keptCount = Math.max(length, smallest)
  const share = to === from ? 0.5 : (at - from) / (to - from)
  const remainingCount = Math.min(Math.max(start, at - keptCount * share), end - keptCount)
  return [remainingCount, remainingCount + keptCount]
}
