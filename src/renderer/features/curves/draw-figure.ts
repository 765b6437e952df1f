import { valueRange } from './chart-data'
import type { Figure, FigureLine } from './figure'
import type { Pen, Place } from './pen'
import { AXES, axisTick, MEASURES, valueTick } from './words'

/** A picture of a figure, for a file. Sizes in px. */
export interface Picture {
  readonly width: number
  readonly height: number
  /** One sentence under the title. */
  readonly lead: string
  /** The stretch of the axis to show. */
  readonly range: readonly [number, number]
  /** The value of a CSS variable. */
  colour(name: string): string
  /** What the legend says of each line, in the figure's order. */
  readonly legend: readonly string[]
}

const MARGIN = { top: 84, right: 24, bottom: 52, left: 72 } as const
const LEGEND_ROW = 20
const PLOT_HEIGHT = 460
const WIDTH = 1100

/** The size that fits the plot and one row per line. */
export const pictureSize = (lines: number) => ({
  width: WIDTH,
  height: MARGIN.top + PLOT_HEIGHT + MARGIN.bottom + lines * LEGEND_ROW + 16,
})

/** Draws title, axes, raw points, bands, lines, markers and a legend with n. */
export function drawFigure(pen: Pen, figure: Figure, picture: Picture): void {
  const { width, colour, range } = picture
  const plotWidth = width - MARGIN.left - MARGIN.right
  const values = extent(figure, range)
  const toX = (x: number) => MARGIN.left + ((x - range[0]) / (range[1] - range[0])) * plotWidth
  const toY = (y: number) => MARGIN.top + (1 - (y - values[0]) / (values[1] - values[0])) * PLOT_HEIGHT
  const ink = colour('--ink')
  const muted = colour('--muted')
  const bottom = MARGIN.top + PLOT_HEIGHT

  const title = `${MEASURES[figure.measure].title}${figure.difference ? ', difference to the baseline' : ''}`
  pen.text([MARGIN.left, 32], title, { size: 18, colour: ink, bold: true })
  pen.text([MARGIN.left, 52], picture.lead, { size: 12, colour: muted })
  for (const y of niceTicks(values[0], values[1], 5)) {
    pen.line(
      [
        [MARGIN.left, toY(y)],
        [width - MARGIN.right, toY(y)],
      ],
      { colour: colour('--line'), width: 1 },
    )
    const words = valueTick(y, figure.measure, figure.difference)
    pen.text([MARGIN.left - 10, toY(y) + 4], words, { size: 12, colour: muted, anchor: 'end' })
  }
  for (const x of niceTicks(range[0], range[1], 8))
    pen.text([toX(x), bottom + 20], axisTick(x, figure.axis), { size: 12, colour: muted, anchor: 'middle' })
  pen.text([MARGIN.left + plotWidth / 2, bottom + 40], axisTitle(figure), {
    size: 12,
    colour: muted,
    anchor: 'middle',
  })

  pen.clipped(MARGIN.left, MARGIN.top - 3, plotWidth, PLOT_HEIGHT + 6, () => {
    for (const { xs, ys, look } of figure.points)
      pen.dots(onceperPixel(xs, ys, range, toX, toY), 2, colour(look.colour), 0.3)
    for (const line of figure.lines) drawBand(pen, line, figure.grid, toX, toY, colour)
    for (const { look, mean } of figure.lines)
      for (const stretch of stretches(figure.grid, mean, toX, toY))
        pen.line(stretch, { colour: colour(look.colour), width: 2, dash: look.dash })
  })
  for (const { x, label } of figure.markers) {
    if (x < range[0] || x > range[1]) continue
    pen.line(
      [
        [toX(x), MARGIN.top],
        [toX(x), bottom],
      ],
      { colour: colour('--line-strong'), width: 1, dash: [3, 3] },
    )
    pen.text([toX(x) + 4, MARGIN.top - 6], label, { size: 11, colour: muted })
  }
  figure.lines.forEach(({ look }, index) => {
    const y = bottom + MARGIN.bottom + index * LEGEND_ROW + 8
    pen.line(
      [
        [MARGIN.left, y],
        [MARGIN.left + 28, y],
      ],
      { colour: colour(look.colour), width: 2, dash: look.dash },
    )
    pen.text([MARGIN.left + 38, y + 4], picture.legend[index] ?? '', { size: 12, colour: ink })
  })
}

const axisTitle = ({ axis }: Figure) => {
  const { unit } = AXES[axis]
  return unit.charAt(0).toUpperCase() + unit.slice(1)
}

/** Lowest and highest value on screen, as the axis of values needs them. */
function extent(figure: Figure, [from, to]: readonly [number, number]): readonly [number, number] {
  let min = Number.POSITIVE_INFINITY
  let max = Number.NEGATIVE_INFINITY
  for (const { mean, low, high } of figure.lines)
    for (const column of [mean, low, high])
      column.forEach((value, index) => {
        const x = figure.grid[index] ?? 0
        if (Number.isNaN(value) || x < from || x > to) return
        min = Math.min(min, value)
        max = Math.max(max, value)
      })
  return max < min ? valueRange(figure, null, null) : valueRange(figure, min, max)
}

type Scale = (value: number) => number

function drawBand(
  pen: Pen,
  { look, low, high }: FigureLine,
  grid: readonly number[],
  toX: Scale,
  toY: Scale,
  colour: (name: string) => string,
): void {
  const highs = stretches(grid, high, toX, toY)
  const lows = stretches(grid, low, toX, toY)
  highs.forEach((above, index) =>
    pen.area([...above, ...(lows[index] ?? []).toReversed()], colour(look.colour), 0.12),
  )
}

/** The parts of a line between places where it has no value. */
function stretches(grid: readonly number[], values: readonly number[], toX: Scale, toY: Scale): Place[][] {
  const parts: Place[][] = []
  let open = false
  values.forEach((value, index) => {
    if (Number.isNaN(value)) {
      open = false
      return
    }
    if (!open) parts.push([])
    open = true
    parts.at(-1)?.push([toX(grid[index] ?? 0), toY(value)])
  })
  return parts
}

function onceperPixel(
  xs: readonly number[],
  ys: readonly number[],
  [from, to]: readonly [number, number],
  toX: Scale,
  toY: Scale,
): Place[] {
  const places = new Map<string, Place>()
  xs.forEach((x, index) => {
    const y = ys[index] ?? Number.NaN
    if (Number.isNaN(y) || x < from || x > to) return
    const place: Place = [Math.round(toX(x)), Math.round(toY(y))]
    places.set(place.join(), place)
  })
  return [...places.values()]
}

/** About `count` round numbers between `min` and `max`. */
export function niceTicks(min: number, max: number, count: number): number[] {
  const rough = (max - min) / count
  if (!(rough > 0)) return [min]
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power
  const ticks: number[] = []
  for (let place = Math.ceil(min / step - 1e-9); place * step <= max + step * 1e-9; place += 1)
    ticks.push(Number((place * step).toPrecision(12)))
  return ticks
}
