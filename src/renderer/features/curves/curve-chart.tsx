import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import type uPlot from 'uplot'
import { usePlot } from '../../ground/plot/use-plot'
import { columnsOf, dataOf, nearestLine, shapeOf, zoomed } from './chart-data'
import { chartOptions, visibleRange } from './chart-options'
import { ChartTooltip, type Hover } from './chart-tooltip'
import type { Figure } from './figure'

export interface CurveChartProps {
  readonly figure: Figure
  /** The stretch of the axis on screen; null shows all. */
  readonly zoom: readonly [number, number] | null
  /** Drawn again with the theme's colours when it changes. */
  readonly theme: string
  /** Key of a series to bring forward; null for none. */
  readonly emphasised: string | null
  onZoom(zoom: readonly [number, number] | null): void
  /** A point of a line was chosen: its index among the figure's lines and the place on the grid. */
  onPick(line: number, at: number): void
}

const WHEEL_FACTOR = 1.2

/** The curves themselves: drag or wheel to zoom, hover for the numbers, click or Enter for the attempt behind a point. */
export function CurveChart(props: CurveChartProps) {
  const { figure, theme, emphasised } = props
  const latest = useRef(props)
  const [hover, setHover] = useState<Hover | null>(null)
  const hovered = useRef<Hover | null>(null)
  useEffect(() => {
    latest.current = props
  })
  const zoomBy = (factor: number, at: number | null) => {
    const { figure: drawnFigure, zoom: seenNumbers, onZoom } = latest.current
    const range = visibleRange({ figure: drawnFigure, zoom: seenNumbers })
    const whole = visibleRange({ figure: drawnFigure, zoom: null })
    onZoom(zoomed(range, whole, factor, at ?? (range[0] + range[1]) / 2))
  }
  const shape = `${theme}|${shapeOf(figure)}`
  const { holder, plot } = usePlot(props, shape, {
    options: (now, pen) =>
      chartOptions(now, pen, {
        moved: (chart) => {
          hovered.current = hoverOf(chart, now().figure)
          setHover(hovered.current)
        },
        zoomed: (next) => now().onZoom(next),
      }),
    data: (now) => dataOf(now.figure),
    update: (chart, now, before) => {
      const [min, max] = visibleRange(now)
      chart.batch(() => {
        if (before?.figure !== now.figure) chart.setData(dataOf(now.figure), false)
        chart.setScale('x', { min, max })
      })
    },
    opened: (chart) => {
      chart.over.addEventListener('click', () => {
        const point = hovered.current
        if (point && point.line >= 0) latest.current.onPick(point.line, point.at)
      })
      const onWheel = (event: WheelEvent) => {
        event.preventDefault()
        const remainingCount = event.clientX - chart.over.getBoundingClientRect().left
        zoomBy(event.deltaY < 0 ? 1 / WHEEL_FACTOR : WHEEL_FACTOR, chart.posToVal(remainingCount, 'x'))
      }
      chart.over.addEventListener('wheel', onWheel, { passive: false })
      return () => {
        hovered.current = null
        setHover(null)
      }
    },
    // The place that was pointed at is somewhere else now.
    resized: (chart) => chart.setCursor({ left: -10, top: -10 }),
  })

  useEffect(() => {
    const index = latest.current.figure.lines.findIndex(({ series }) => series.key === emphasised)
    const column = columnsOf(latest.current.figure.lines)[index]?.mean ?? null
    // uPlot takes null for "all of them"; its types do not say so.
    plot.current?.setSeries(column as number, { focus: true })
  }, [emphasised, shape, plot])

  const onKeyDown = (event: KeyboardEvent) => {
    const chart = plot.current
    if (!chart || event.ctrlKey || event.metaKey || event.altKey) return
    const handled = handleKey(event, chart, figure, hovered.current, {
      zoomBy,
      reset: () => props.onZoom(null),
      pick: props.onPick,
      leave: () => chart.setCursor({ left: -10, top: -10 }),
    })
    if (handled) event.preventDefault()
  }

  return (
    <div
      role="application"
      tabIndex={0}
      aria-label="Curves. Left and right move along the axis, up and down change the line, Enter opens the attempt, plus and minus zoom, 0 shows all."
      onKeyDown={onKeyDown}
      className="absolute inset-0 rounded-md"
    >
      <div ref={holder} className="absolute inset-0" data-testid="curve-canvas" />
      {hover ? <ChartTooltip hover={hover} figure={figure} /> : null}
    </div>
  )
}

/** Where the pointer is in terms of the figure; null when it is beside the plot. */
function hoverOf(chart: uPlot, figure: Figure): Hover | null {
  const { idx, left = -1, top = -1 } = chart.cursor
  if (idx === null || idx === undefined || left < 0 || top < 0) return null
  const x = figure.grid[idx]
  if (x === undefined) return null
  const heights = figure.lines.map(({ mean }) => heightOf(chart, mean[idx]))
  const line = nearestLine(heights, top)
  const scale = devicePixelRatio
  return {
    at: idx,
    line,
    left: chart.bbox.left / scale + chart.valToPos(x, 'x'),
    top: chart.bbox.top / scale + (heights[line] ?? top),
    width: chart.width,
  }
}

const heightOf = (chart: uPlot, value: number | undefined) =>
  value === undefined || Number.isNaN(value) ? Number.NaN : chart.valToPos(value, 'y')

interface KeyActions {
  zoomBy(factor: number, at: number | null): void
  reset(): void
  pick(line: number, at: number): void
  leave(): void
}

/** Returns whether the key meant something. */
function handleKey(
  { key, shiftKey }: KeyboardEvent,
  chart: uPlot,
  figure: Figure,
  hover: Hover | null,
  actions: KeyActions,
): boolean {
  const { min = 0, max = 0 } = chart.scales['x'] ?? {}
  const moveTo = (at: number, line: number) => {
    const inside = Math.max(0, Math.min(figure.grid.length - 1, at))
    const x = figure.grid[inside]
    const height = heightOf(chart, figure.lines[line]?.mean[inside])
    if (x === undefined) return
    const top = Number.isNaN(height) ? chart.bbox.height / devicePixelRatio / 2 : height
    chart.setCursor({ left: chart.valToPos(x, 'x'), top })
  }
  const first = figure.grid.findIndex((x) => x >= (min ?? 0))
  const line = hover && hover.line >= 0 ? hover.line : 0
  const at = hover?.at ?? first - 1
  const onScreen = figure.grid.filter((x) => x >= (min ?? 0) && x <= (max ?? 0)).length
  const step = shiftKey ? Math.max(1, Math.round(onScreen / 10)) : 1
  const here = hover ? (figure.grid[hover.at] ?? null) : null
  switch (key) {
    case 'ArrowRight':
      moveTo(at + step, line)
      return true
    case 'ArrowLeft':
      moveTo(at - step, line)
      return true
    case 'ArrowUp':
    case 'ArrowDown': {
      const place = Math.max(0, at)
      const byHeight = figure.lines
        .map(({ mean }, index) => ({ index, value: mean[place] ?? Number.NaN }))
        .filter(({ value }) => !Number.isNaN(value))
        .sort((a, b) => b.value - a.value || a.index - b.index)
      const now = byHeight.findIndex(({ index }) => index === line)
      const next = byHeight[now + (key === 'ArrowUp' ? -1 : 1)] ?? byHeight[now]
      if (next) moveTo(place, next.index)
      return true
    }
    case 'Enter':
      if (hover && hover.line >= 0) actions.pick(hover.line, hover.at)
      return true
    case '+':
    case '=':
      actions.zoomBy(1 / (WHEEL_FACTOR * WHEEL_FACTOR), here)
      return true
    case '-':
      actions.zoomBy(WHEEL_FACTOR * WHEEL_FACTOR, here)
      return true
    case '0':
      actions.reset()
      return true
    case 'Escape':
      actions.leave()
      return true
    default:
      return false
  }
}
