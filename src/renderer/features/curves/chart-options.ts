import type uPlot from 'uplot'
import type { Pen } from '../../ground/plot/use-plot'
import { textScale } from '../../ground/text-scale'
import { columnsOf, valueRange } from './chart-data'
import { MOST_LABELS, paintLabels, paintMarkers, paintPoints } from './chart-paint'
import { MOST_BANDS, type Figure } from './figure'
import { axisTick, isShare, valueTick } from './words'

/** What the chart asks for whenever it draws; always the newest. */
export interface ChartNow {
  readonly figure: Figure
  readonly zoom: readonly [number, number] | null
}

export interface ChartListeners {
  moved(chart: uPlot): void
  zoomed(zoom: readonly [number, number] | null): void
}

const LABEL_ROOM = 150
/** Narrower than this there is no room for names beside the lines. */
const LABELS_FROM_PX = 520

/** The stretch of the axis that is on screen. */
export function visibleRange({ figure, zoom }: ChartNow): [number, number] {
  if (zoom) return [zoom[0], zoom[1]]
  return [0, Math.max(1e-9, figure.grid.at(-1) ?? 1)]
}

/** uPlot's options for the figure's lines. Values are read through `now` at each drawing. */
export function chartOptions(
  now: () => ChartNow,
  { element, colour, axis }: Pen,
  listeners: ChartListeners,
): Omit<uPlot.Options, 'width' | 'height'> {
  const { figure } = now()
  const columns = columnsOf(figure.lines)
  const isNamed = () => figure.lines.length <= MOST_LABELS && element.clientWidth >= LABELS_FROM_PX
  return {
    padding: [20, () => (isNamed() ? LABEL_ROOM * textScale() : 16), 0, 0],
    legend: { show: false },
    focus: { alpha: figure.lines.length > MOST_BANDS ? 0.12 : 0.25 },
    cursor: {
      // Of many lines the one that is pointed at comes forward by itself.
      focus: { prox: figure.lines.length > MOST_LABELS ? 24 : -1 },
      y: false,
      points: { show: false },
      drag: { x: true, y: false, setScale: false, dist: 4 },
      bind: {
        dblclick: () => () => {
          listeners.zoomed(null)
          return null
        },
      },
    },
    scales: {
      x: { time: false, range: () => visibleRange(now()) },
      // A fixed range spares uPlot from looking through all values at each zoom.
      y: {
        range:
          isShare(figure.measure) && !figure.difference
            ? [0, 1]
            : (_, min, max) => valueRange(now().figure, min, max),
      },
    },
    axes: [
      {
        ...axis,
        size: 30,
        gap: 6,
        grid: { show: false },
        values: (_, splits) => splits.map((x) => axisTick(x, figure.axis)),
      },
      {
        ...axis,
        size: 56,
        grid: { stroke: colour('--line'), width: 1 },
        values: (_, splits) => splits.map((y) => valueTick(y, figure.measure, figure.difference)),
      },
    ],
    series: [
      {},
      ...figure.lines.flatMap(({ look, n }, index) => [
        {
          // Where many lines cross, how dense they are is what there is to see.
          stroke: colour(look.colour) + (figure.lines.length > MOST_BANDS ? 'a6' : ''),
          width: figure.lines.length > MOST_LABELS ? 1.25 : 2,
          dash: [...look.dash],
          points: { show: n.filter((count) => count > 0).length < 2 },
        },
        ...(columns[index]?.band ? [HIDDEN, HIDDEN] : []),
      ]),
    ],
    bands: columns.flatMap(({ band }, index) =>
      band && figure.lines.length <= MOST_BANDS
        ? [
            {
              series: [band[0], band[1]] as [number, number],
              fill: `${colour(figure.lines[index]?.look.colour ?? '')}1f`,
            },
          ]
        : [],
    ),
    hooks: {
      drawAxes: [(chart) => paintPoints(chart, now().figure, colour)],
      draw: [
        (chart) => {
          paintMarkers(chart, now().figure, colour)
          if (isNamed()) paintLabels(chart, now().figure, colour)
        },
      ],
      setCursor: [listeners.moved],
      setSelect: [
        (chart) => {
          const { left, width } = chart.select
          if (width < 4) return
          chart.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
          listeners.zoomed([chart.posToVal(left, 'x'), chart.posToVal(left + width, 'x')])
        },
      ],
    },
  }
}

/** An edge of a band: only there for the fill. */
const HIDDEN: uPlot.Series = { width: 0, points: { show: false } }
