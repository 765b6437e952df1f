import type uPlot from 'uplot'
import { WHOLE_STEPS } from '../../components/whole-steps'
import { usePlot, type Pen } from './use-plot'

export interface Line {
  readonly label: string
  /** A CSS variable, such as `--series-2`. */
  readonly colour: string
  /** One per x; null leaves a gap. */
  readonly values: readonly (number | null)[]
  /** Points without a line between them. Default false. */
  readonly dots?: boolean
}

export interface LineChartProps {
  readonly x: readonly number[]
  /** Right end of the x axis. */
  readonly end: number
  readonly lines: readonly Line[]
  /** Places on the x axis where something happened. Default: none. */
  readonly marks?: readonly number[]
  /** Upper end of the y axis. Default: a little above the highest value. */
  readonly top?: number
  /** Redraws with the theme's colours when it changes. */
  readonly theme: string
}

/** A few lines over the same x, from zero up. The figures themselves stand beside it in words or a table. */
export function LineChart(props: LineChartProps) {
  const lines = props.lines.map(({ label, colour }) => `${label}:${colour}`)
  const { holder } = usePlot(props, [props.theme, ...lines].join('|'), { options: optionsFor, data: dataFor })
  return <div ref={holder} className="absolute inset-0" aria-hidden />
}

const dataFor = ({ x, lines }: LineChartProps): uPlot.AlignedData => [
  [...x],
  ...lines.map(({ values }) => [...values]),
]

function optionsFor(
  latest: () => LineChartProps,
  { axis, colour }: Pen,
): Omit<uPlot.Options, 'width' | 'height'> {
  return {
    padding: [10, 12, 0, 0],
    legend: { show: false },
    cursor: { show: false },
    scales: {
      x: { time: false, range: () => [0, Math.max(1, latest().end)] },
      y: {
        range: (_, _low, high) => [0, latest().top ?? (Number.isFinite(high) && high > 0 ? high * 1.1 : 1)],
      },
    },
    hooks: { drawAxes: [(chart) => drawMarks(chart, latest().marks ?? [], colour('--faint'))] },
    axes: [
      { ...axis, size: 30, gap: 6, grid: { show: false }, incrs: [...WHOLE_STEPS] },
      { ...axis, size: 52, grid: { stroke: colour('--line'), width: 1 } },
    ],
    series: [
      {},
      ...latest().lines.map((line) => ({
        stroke: colour(line.colour),
        width: line.dots ? 0 : 2,
        spanGaps: true,
        points: { show: line.dots ?? false, size: 6, fill: colour(line.colour), stroke: colour(line.colour) },
      })),
    ],
  }
}

/** A dashed line from top to bottom at each mark. */
function drawMarks(chart: uPlot, marks: readonly number[], stroke: string): void {
  const { ctx, bbox } = chart
  ctx.save()
  ctx.strokeStyle = stroke
  ctx.setLineDash([3, 3])
  for (const mark of marks) {
    const x = Math.round(chart.valToPos(mark, 'x', true)) + 0.5
    ctx.beginPath()
    ctx.moveTo(x, bbox.top)
    ctx.lineTo(x, bbox.top + bbox.height)
    ctx.stroke()
  }
  ctx.restore()
}
