import type uPlot from 'uplot'
import { WHOLE_STEPS } from '../../components/whole-steps'
import { textScale } from '../text-scale'
import { spread, curveOf, FIRST_DRAWN, overWords, type CurveKind } from './learning-data'
import { usePlot, type Pen } from './use-plot'

export interface ChartSeries {
  readonly id: string
  /** Written at the line's end, before the current rate. */
  readonly label: string
  /** What tells it from other lines of the same method, such as `seed 2`; empty when nothing has to. */
  readonly detail: string
  /** A CSS variable, such as `--series-2`. */
  readonly colour: string
  readonly outcomes: readonly number[]
  /** Drawn strong, with its band and raw outcomes. */
  readonly focused: boolean
}

export interface LearningChartProps {
  readonly series: readonly ChartSeries[]
  readonly kind: CurveKind
  /** Right end of the task axis. */
  readonly tasks: number
  /** Redraws with the theme's colours when it changes. */
  readonly theme: string
}

const LABEL_ROOM = 160
const LABEL_GAP = 32

/** Learning curves: task number against share solved. Each run takes three columns: rate, low, high. */
export function LearningChart(props: LearningChartProps) {
  const lines = props.series.map((line) => `${line.id}:${line.focused}:${line.colour}`)
  const { holder } = usePlot(props, [props.theme, ...lines].join('|'), { options: optionsFor, data: dataFor })
  return <div ref={holder} className="absolute inset-0" aria-hidden />
}

function dataFor({ series, kind, tasks }: LearningChartProps): uPlot.AlignedData {
  const length = Math.max(tasks, ...series.map((line) => line.outcomes.length))
  const x = Array.from({ length }, (_, index) => index + 1)
  const columns = series.flatMap((line) => {
    const points = curveOf(line.outcomes, kind)
    const column = (pick: (index: number) => number | undefined) =>
      x.map((_, index) => (index + 1 < FIRST_DRAWN ? null : (pick(index) ?? null)))
    return [
      column((index) => points[index]?.rate),
      column((index) => points[index]?.low),
      column((index) => points[index]?.high),
    ]
  })
  return [x, ...columns]
}

function optionsFor(
  latest: () => LearningChartProps,
  { axis, colour }: Pen,
): Omit<uPlot.Options, 'width' | 'height'> {
  const { series } = latest()
  return {
    padding: [14, LABEL_ROOM * textScale(), 0, 0],
    legend: { show: false },
    cursor: { show: false },
    scales: {
      x: { time: false, range: () => [0, Math.max(1, latest().tasks)] },
      y: { range: [0, 1] },
    },
    axes: [
      { ...axis, size: 30, gap: 6, grid: { show: false }, incrs: [...WHOLE_STEPS] },
      {
        ...axis,
        size: 52,
        grid: { stroke: colour('--line'), width: 1 },
        splits: [0, 0.25, 0.5, 0.75, 1],
        values: (_, splits) => splits.map((y) => `${y * 100} %`),
      },
    ],
    series: [
      {},
      ...series.flatMap((line) => [
        { stroke: colour(line.colour), width: line.focused ? 2 : 1.5, points: { show: false } },
        { width: 0, points: { show: false } },
        { width: 0, points: { show: false } },
      ]),
    ],
    bands: series.flatMap((line, index) =>
      line.focused
        ? [{ series: [3 * index + 3, 3 * index + 2] as [number, number], fill: fade(colour(line.colour)) }]
        : [],
    ),
    hooks: {
      draw: [
        (chart) => {
          drawOutcomes(chart, latest(), colour)
          drawLabels(chart, latest(), colour)
        },
      ],
    },
  }
}

/** 12 % of a #rrggbb colour. */
function fade(hex: string): string {
  return `${hex}1f`
}

/** The raw outcomes of the focused run, faint: a dot at the top per solved task, at the bottom per failed one. */
function drawOutcomes(chart: uPlot, { series }: LearningChartProps, colour: (name: string) => string) {
  const line = series.find((candidate) => candidate.focused)
  if (!line) return
  const { ctx } = chart
  ctx.save()
  ctx.fillStyle = colour(line.colour)
  ctx.globalAlpha = 0.4
  const size = 1.25 * devicePixelRatio
  line.outcomes.forEach((outcome, index) => {
    ctx.beginPath()
    ctx.arc(chart.valToPos(index + 1, 'x', true), chart.valToPos(outcome, 'y', true), size, 0, 2 * Math.PI)
    ctx.fill()
  })
  ctx.restore()
}

/** Names each line in the right margin, beside its end: method and current rate, and below what tells it apart and what the rate is over. */
function drawLabels(chart: uPlot, { series, kind }: LearningChartProps, colour: (name: string) => string) {
  const { ctx, bbox } = chart
  const scale = devicePixelRatio * textScale()
  const ends = series.flatMap((line) => {
    const last = curveOf(line.outcomes, kind).at(-1)
    return last && line.outcomes.length >= FIRST_DRAWN
      ? [{ line, rate: last.rate, x: line.outcomes.length, y: chart.valToPos(last.rate, 'y', true) }]
      : []
  })
  const rows = spread(
    ends.map((end) => end.y),
    LABEL_GAP * scale,
    bbox.top + 12 * scale,
    bbox.top + bbox.height - 16 * scale,
  )
  const family = getComputedStyle(document.body).fontFamily
  ctx.save()
  ctx.textBaseline = 'middle'
  ctx.textAlign = 'left'
  const remainingCount = bbox.left + bbox.width + 12 * scale
  ends.forEach(({ line, rate, x, y }, index) => {
    const row = rows[index] ?? y
    const endX = chart.valToPos(x, 'x', true)
    ctx.fillStyle = colour(line.colour)
    ctx.beginPath()
    ctx.arc(endX, y, 3 * scale, 0, 2 * Math.PI)
    ctx.fill()
    ctx.fillRect(remainingCount, row - 8 * scale, 10 * scale, 2 * scale)
    ctx.fillStyle = colour('--ink')
    ctx.font = `600 ${12 * scale}px ${family}`
    ctx.fillText(
      getFit(ctx, line.label, ` ${Math.round(rate * 100)} %`, (LABEL_ROOM - 30) * scale),
      remainingCount + 15 * scale,
      row - 7 * scale,
    )
    ctx.fillStyle = colour('--muted')
    ctx.font = `${11 * scale}px ${family}`
    const over = overWords(line.outcomes.length, kind)
    ctx.fillText([line.detail, over].filter(Boolean).join(', '), remainingCount + 15 * scale, row + 7 * scale)
  })
  ctx.restore()
}

/** A name and what stands behind it, the name cut where both are wider than `room`. */
function getFit(ctx: CanvasRenderingContext2D, name: string, behind: string, room: number): string {
  if (ctx.measureText(name + behind).width <= room) return name + behind
  let cut = name
  while (cut.length > 1 && ctx.measureText(`${cut}…${behind}`).width > room) cut = cut.slice(0, -1).trimEnd()
  return `${cut}…${behind}`
}
