import { ChartSpline, PanelLeftClose, PanelLeftOpen } from '../../components/icons'
import { useEffect, useMemo } from 'react'
import { useStore } from 'zustand'
import { optionsOf } from '../../components/options'
import { Button } from '../../components/button'
import { EmptyState } from '../../components/empty-state'
import { ErrorNotice } from '../../components/error-notice'
import { plural } from '../../components/format'
import { IconButton } from '../../components/icon-button'
import { Loading } from '../../components/loading'
import { Segmented } from '../../components/segmented'
import { GoButton } from '../../ground/go-to'
import { useServices } from '../../stores/use-services'
import { AttemptPanel } from './attempt-panel'
import { ChartView } from './chart-view'
import { Chooser } from './chooser'
import { CurveToolbar } from './curve-toolbar'
import { ExportMenu } from './export-menu'
import { SettingsView } from './settings-view'
import { TableView } from './table-view'
import { useFigure } from './use-figure'

const TABS = optionsOf({ chart: 'Chart', table: 'Table', settings: 'Settings' })

/** Learning curves of experiments and runs, with the numbers, the settings and the attempts behind them. */
export function CurvesScreen() {
  const { curves } = useServices()
  const open = useStore(curves, (state) => state.open)
  const chooserOpen = useStore(curves, (state) => state.controls.chooserOpen)
  const choices = useStore(curves, (state) => state.choices)
  const figures = useFigure()
  const series = open ? figures.series.find(({ key }) => key === open.seriesKey) : undefined
  useEffect(() => curves.getState().follow(), [curves])
  return (
    <div className="flex h-full max-[700px]:flex-col max-[700px]:overflow-y-auto">
      {chooserOpen ? (
        <div
          className="w-60 shrink-0 border-r max-[700px]:h-72 max-[700px]:w-full max-[700px]:border-r-0 max-[700px]:border-b max-[1400px]:data-[aside=true]:hidden"
          data-aside={series !== undefined}
        >
          {choices ? <Chooser choices={choices} /> : null}
        </div>
      ) : null}
      <Curves {...figures} />
      {open && series ? (
        <div className="w-80 shrink-0 border-l bg-surface max-[700px]:w-full max-[700px]:border-t max-[700px]:border-l-0 min-[1400px]:w-100">
          <AttemptPanel open={open} series={series} />
        </div>
      ) : null}
    </div>
  )
}

function Curves(props: ReturnType<typeof useFigure>) {
  const { curves, curveSelection } = useServices()
  const status = useStore(curves, (state) => state.status)
  const problem = useStore(curves, (state) => state.problem)
  const tab = useStore(curves, (state) => state.controls.tab)
  const chooserOpen = useStore(curves, (state) => state.controls.chooserOpen)
  const choices = useStore(curves, (state) => state.choices)
  const chosenCount = useStore(curveSelection, (state) => state.experimentIds.length + state.runIds.length)
  const { series, shown, rows, figure } = props
  const runs = useMemo(() => series.reduce((sum, { tracks }) => sum + tracks.length, 0), [series])
  const { change, reload } = curves.getState()
  return (
    <section
      aria-label="Learning curves"
      className="flex min-w-0 flex-1 flex-col gap-3 overflow-y-auto bg-surface p-4 max-[700px]:min-h-96 max-[700px]:flex-none max-[700px]:overflow-visible"
    >
      <header className="flex shrink-0 flex-wrap items-start gap-x-3 gap-y-2">
        <IconButton
          icon={chooserOpen ? PanelLeftClose : PanelLeftOpen}
          label={chooserOpen ? 'Hide what can be chosen' : 'Choose runs and experiments'}
          onClick={() => change({ chooserOpen: !chooserOpen })}
        />
        <div className="min-w-0 flex-1">
          <h1 className="text-lg leading-8 font-semibold">Learning curves</h1>
        </div>
        <Segmented label="View" value={tab} options={TABS} onChange={(next) => change({ tab: next })} />
        <ExportMenu figure={figure} lead={props.lead} legend={props.legend} />
      </header>
      {problem ? <ErrorNotice problem={problem} alwaysRetry onRetry={() => void reload()} /> : null}
      {series.length > 0 ? (
        <>
          {tab === 'settings' ? null : <CurveToolbar series={series} joinable={props.joinable} />}
          <p className="shrink-0 text-xs text-muted" data-testid="curves-lead">
            {plural(series.length, 'series', 'series')} from {plural(runs, 'run')}. {props.lead}
          </p>
          {tab === 'chart' ? <ChartView {...props} /> : null}
          {tab === 'table' ? <TableView rows={rows} figure={figure} /> : null}
          {tab === 'settings' ? <SettingsView series={shown} /> : null}
        </>
      ) : status === 'ready' ? (
        <Nothing
          chosen={chosenCount}
          any={choices !== null && choices.experiments.length + choices.runs.length > 0}
        />
      ) : problem ? null : (
        <Loading what="the curves" />
      )}
    </section>
  )
}

/** Before anything is chosen, or before it has finished a task. */
function Nothing({ chosen, any }: { chosen: number; any: boolean }) {
  const { curves, curveSelection } = useServices()
  const choices = useStore(curves, (state) => state.choices)
  if (!any) {
    return (
      <EmptyState icon={ChartSpline} title="No curves yet" action={<GoButton to="run">Go to Runs</GoButton>}>
        Every run draws a curve of how often it succeeds as it learns. Start one, and compare it here with
        others.
      </EmptyState>
    )
  }
  if (chosen > 0) {
    return (
      <EmptyState icon={ChartSpline} title="Nothing finished yet">
        What is chosen has not finished a task. Its curve starts here with the first one.
      </EmptyState>
    )
  }
  const newest = choices?.experiments[0]
  return (
    <EmptyState
      icon={ChartSpline}
      title="Choose what to draw"
      action={
        newest ? (
          <Button
            look="primary"
            onClick={() => curveSelection.getState().select({ experimentIds: [newest.id], runIds: [] })}
          >
            Draw “{newest.name}”
          </Button>
        ) : (
          <Button
            look="primary"
            onClick={() =>
              curveSelection
                .getState()
                .select({ experimentIds: [], runIds: choices?.runs.slice(0, 6).map(({ id }) => id) ?? [] })
            }
          >
            Draw the newest runs
          </Button>
        )
      }
    >
      Tick experiments or single runs on the left. Seeds of one method become one line with its spread.
    </EmptyState>
  )
}
