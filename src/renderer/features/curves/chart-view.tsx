import { Maximize2, ZoomIn, ZoomOut } from '../../components/icons'
import { lazy, memo, Suspense, useCallback, useMemo, useState } from 'react'
import { useStore } from 'zustand'
import { IconButton } from '../../components/icon-button'
import { useServices } from '../../stores/use-services'
import { zoomed } from './chart-data'
import { visibleRange } from './chart-options'
import { titleIn } from './choices'
import type { Figure } from './figure'
import { Legend, type LegendProps } from './legend'
import { panelsOf } from './panels'
import { axisValues, stepAt } from './track'
import type { useFigure } from './use-figure'
import { usePageTheme } from '../../ground/plot/plots'
import { AXES } from './words'

const CurveChart = lazy(() => import('./curve-chart').then((module) => ({ default: module.CurveChart })))

/** The chart with its buttons and its legend. */
export function ChartView({ figure, summaries, looks, hiddenKeys }: ReturnType<typeof useFigure>) {
  const [emphasised, setEmphasised] = useState<string | null>(null)
  return (
    <>
      <ZoomableChart figure={figure} emphasised={emphasised} />
      <SwitchableLegend
        rows={summaries}
        looks={looks}
        hidden={hiddenKeys}
        compared={summaries.some(({ baseline }) => baseline !== null)}
        onEmphasise={setEmphasised}
      />
    </>
  )
}

/** Zooming redraws only this. */
function ZoomableChart({ figure, emphasised }: { figure: Figure; emphasised: string | null }) {
  const { curves, streams } = useServices()
  const zoom = useStore(curves, (state) => state.zoom)
  const by = useStore(curves, (state) => state.controls.panels)
  const streamList = useStore(streams, (state) => state.data)
  const panels = useMemo(
    () => panelsOf(figure, by, (stream) => titleIn(streamList, stream)),
    [figure, by, streamList],
  )
  const { zoomTo } = curves.getState()
  const zoomBy = (factor: number) => {
    const range = visibleRange({ figure, zoom })
    zoomTo(zoomed(range, visibleRange({ figure, zoom: null }), factor, (range[0] + range[1]) / 2))
  }
  const { unit } = AXES[figure.axis]
  return (
    <>
      {figure.lines.length === 0 ? (
        <p className="min-h-72 flex-1 p-6 text-center text-muted">
          {figure.difference
            ? 'None of the lines that are on has a baseline with the same seeds. Choose one above, or switch “Differences” off.'
            : 'All lines are switched off. Switch some on below.'}
        </p>
      ) : by === 'one' ? (
        <div className="relative min-h-72 flex-1">
          <PanelChart figure={figure} emphasised={emphasised} />
        </div>
      ) : (
        <ul className="grid min-h-72 flex-1 auto-rows-[minmax(9rem,1fr)] grid-cols-[repeat(auto-fit,minmax(13rem,1fr))] gap-x-4 gap-y-2 overflow-y-auto">
          {panels.map((panel) => (
            <li key={panel.title} className="flex flex-col" aria-label={panel.title} data-testid="panel">
              <h2 className="truncate text-sm font-medium">{panel.title}</h2>
              <div className="relative min-h-0 flex-1">
                <PanelChart figure={panel.figure} emphasised={emphasised} />
              </div>
            </li>
          ))}
        </ul>
      )}
      <div className="flex shrink-0 items-center gap-1">
        <p className="min-w-0 flex-1 truncate text-xs text-muted">
          {unit.charAt(0).toUpperCase() + unit.slice(1)}. Drag or wheel to zoom, click a point for its
          attempt.
        </p>
        <IconButton icon={ZoomIn} label="Zoom in" keys="+" onClick={() => zoomBy(0.5)} />
        <IconButton
          icon={ZoomOut}
          label="Zoom out"
          keys="-"
          disabled={zoom === null}
          onClick={() => zoomBy(2)}
        />
        <IconButton
          icon={Maximize2}
          label="Show all"
          keys="0"
          disabled={zoom === null}
          onClick={() => zoomTo(null)}
        />
      </div>
    </>
  )
}

/** One chart; a point that is chosen opens the attempt behind it. */
function PanelChart({ figure, emphasised }: { figure: Figure; emphasised: string | null }) {
  const { curves } = useServices()
  const zoom = useStore(curves, (state) => state.zoom)
  const theme = usePageTheme()
  const { zoomTo, show } = curves.getState()
  const pick = useCallback(
    (line: number, at: number) => {
      const series = figure.lines[line]?.series
      const x = figure.grid[at]
      if (!series || x === undefined) return
      for (const track of series.tracks) {
        const match = stepAt(
          track,
          axisValues(track, figure.axis).findIndex((place) => place >= x - 1e-9),
        )
        if (match) return show({ seriesKey: series.key, runId: match.run.runId, index: match.index })
      }
    },
    [figure, show],
  )
  return (
    <Suspense>
      <CurveChart
        figure={figure}
        zoom={zoom}
        theme={theme}
        emphasised={emphasised}
        onZoom={zoomTo}
        onPick={pick}
      />
    </Suspense>
  )
}

/** The legend with its switches; untouched by pointing, zooming and smoothing. */
const SwitchableLegend = memo(function SwitchableLegend(props: Omit<LegendProps, 'onToggle' | 'onOnly'>) {
  const { rows, hidden } = props
  const { curves } = useServices()
  const keys = useMemo(() => rows.map(({ series }) => series.key), [rows])
  const { change } = curves.getState()
  const toggle = (key: string) => {
    const off = curves.getState().controls.hidden
    change({ hidden: off.includes(key) ? off.filter((other) => other !== key) : [...off, key] })
  }
  const only = (key: string) => {
    const others = keys.filter((other) => other !== key)
    const alone = !hidden.has(key) && others.every((other) => hidden.has(other))
    change({ hidden: alone ? [] : others })
  }
  return (
    <div className="max-h-[34%] min-h-24 shrink-0 overflow-y-auto border-t pt-2">
      <Legend {...props} onToggle={toggle} onOnly={only} />
    </div>
  )
})
