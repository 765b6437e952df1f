import type uPlot from 'uplot'
import { spread } from '../../ground/plot/learning-data'
import { textScale } from '../../ground/text-scale'
import type { Figure, FigureMarker } from './figure'

/** Reads a CSS variable. */
export type Colour = (name: string) => string

/** Lines up to this many are named at their ends. */
export const MOST_LABELS = 8
const LABEL_GAP = 30
/** Length of the piece of line before each name, in px. */
const SAMPLE = 20
const POINT_ALPHA = 0.3

/** The raw points, below the lines: at most one per pixel and line, so that 100,000 of them cost no more than the picture has room for. */
export function paintPoints(chart: uPlot, figure: Figure, colour: Colour): void {
  const { ctx, bbox } = chart
  const size = Math.max(2, Math.round(2 * devicePixelRatio))
  const columns = Math.ceil(bbox.width / size) + 1
  const rows = Math.ceil(bbox.height / size) + 1
  ctx.save()
  ctx.beginPath()
  ctx.rect(bbox.left, bbox.top - size, bbox.width, bbox.height + 2 * size)
  ctx.clip()
  ctx.globalAlpha = POINT_ALPHA
  const { min = 0, max = 0 } = chart.scales['x'] ?? {}
  const [from, to] = [min ?? 0, max ?? 0]
  // Both axes are even, so two places of each say where all others are.
  const remainingCount = chart.valToPos(from, 'x', true)
  const perX = (chart.valToPos(to, 'x', true) - remainingCount) / (to - from)
  const floor = chart.valToPos(0, 'y', true)
  const perY = chart.valToPos(1, 'y', true) - floor
  for (const { xs, ys, look } of figure.points) {
    const bytes = new Uint8Array(columns * rows)
    ctx.fillStyle = colour(look.colour)
    ctx.beginPath()
    for (let index = firstFrom(xs, from); index < xs.length; index += 1) {
      const x = xs[index] ?? 0
      const y = ys[index] ?? Number.NaN
      if (x > to) break
      if (Number.isNaN(y)) continue
      const across = remainingCount + (x - from) * perX
      const down = floor + y * perY
      const cell =
        Math.floor((across - bbox.left) / size) + columns * Math.floor((down - bbox.top + size / 2) / size)
      if (bytes[cell] !== 0) continue
      bytes[cell] = 1
      ctx.rect(across - size / 2, down - size / 2, size, size)
    }
    ctx.fill()
  }
  ctx.restore()
}

/** Index of the first of the rising `xs` that is not below `x`. */
function firstFrom(xs: readonly number[], x: number): number {
  let low = 0
  let high = xs.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((xs[middle] ?? 0) < x) low = middle + 1
    else high = middle
  }
  return low
}

/** Each line's name and n beside its end. */
export function paintLabels(chart: uPlot, figure: Figure, colour: Colour): void {
  if (figure.lines.length > MOST_LABELS) return
  const { ctx, bbox } = chart
  const scale = devicePixelRatio * textScale()
  const ends = figure.lines.flatMap((line) => {
    const { max = 0 } = chart.scales['x'] ?? {}
    const at = line.mean.findLastIndex(
      (value, index) => !Number.isNaN(value) && (figure.grid[index] ?? 0) <= (max ?? 0),
    )
    const value = line.mean[at]
    return value === undefined ? [] : [{ line, at, y: chart.valToPos(value, 'y', true) }]
  })
  const places = spread(
    ends.map(({ y }) => y),
    LABEL_GAP * scale,
    bbox.top + 10 * scale,
    bbox.top + bbox.height - 12 * scale,
  )
  const family = getComputedStyle(document.body).fontFamily
  const remainingCount = bbox.left + bbox.width + 10 * scale
  const room = ctx.canvas.width - remainingCount - 4 * scale
  ctx.save()
  ctx.textBaseline = 'middle'
  ctx.textAlign = 'left'
  ends.forEach(({ line, at, y }, index) => {
    const row = places[index] ?? y
    ctx.strokeStyle = colour(line.look.colour)
    ctx.lineWidth = 2 * scale
    ctx.setLineDash(line.look.dash.map((length) => length * scale))
    ctx.beginPath()
    ctx.moveTo(remainingCount, row - 7 * scale)
    ctx.lineTo(remainingCount + SAMPLE * scale, row - 7 * scale)
    ctx.stroke()
    ctx.fillStyle = colour('--ink')
    ctx.font = `600 ${12 * scale}px ${family}`
    ctx.fillText(
      fit(ctx, line.series.label, room - (SAMPLE + 6) * scale),
      remainingCount + (SAMPLE + 6) * scale,
      row - 7 * scale,
    )
    ctx.fillStyle = colour('--muted')
    ctx.font = `${11 * scale}px ${family}`
    const n = `n = ${line.n[at] ?? 0}`
    const detail = line.series.detail === '' ? n : `${n}, ${line.series.detail}`
    ctx.fillText(
      fit(ctx, detail, room - (SAMPLE + 6) * scale),
      remainingCount + (SAMPLE + 6) * scale,
      row + 7 * scale,
    )
  })
  ctx.restore()
}

function fit(ctx: CanvasRenderingContext2D, text: string, room: number): string {
  if (ctx.measureText(text).width <= room) return text
  let end = text.length
  while (end > 1 && ctx.measureText(`${text.slice(0, end)}…`).width > room) end -= 1
  return `${text.slice(0, end)}…`
}

/** A letter per kind of marker, so that they differ in more than their place. */
const GLYPHS: Readonly<Record<FigureMarker['kind'], string>> = {
  iteration: '↻',
  model: '◆',
  consolidation: '●',
  run: '▸',
}

/** Markers as dashed uprights with a glyph above the plot; with words while there is room. */
export function paintMarkers(chart: uPlot, { markers }: Figure, colour: Colour): void {
  const { ctx, bbox } = chart
  const scale = devicePixelRatio
  const { min = 0, max = 0 } = chart.scales['x'] ?? {}
  ctx.save()
  ctx.strokeStyle = colour('--line-strong')
  ctx.fillStyle = colour('--muted')
  ctx.lineWidth = scale
  ctx.setLineDash([3 * scale, 3 * scale])
  ctx.font = `${11 * scale}px ${getComputedStyle(document.body).fontFamily}`
  ctx.textBaseline = 'bottom'
  ctx.textAlign = 'left'
  let free = Number.NEGATIVE_INFINITY
  for (const marker of markers) {
    if (marker.x < (min ?? 0) || marker.x > (max ?? 0)) continue
    const remainingCount = Math.round(chart.valToPos(marker.x, 'x', true)) + 0.5
    ctx.beginPath()
    ctx.moveTo(remainingCount, bbox.top)
    ctx.lineTo(remainingCount, bbox.top + bbox.height)
    ctx.stroke()
    if (remainingCount < free) continue
    const text = `${GLYPHS[marker.kind]} ${marker.label}`
    const words = fit(ctx, text, ctx.canvas.width - remainingCount)
    ctx.fillText(words, remainingCount - 4 * scale, bbox.top - 2 * scale)
    free = remainingCount + ctx.measureText(words).width + 8 * scale
  }
  ctx.restore()
}
