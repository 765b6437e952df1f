import { useState } from 'react'
import { useStore } from 'zustand'
import type { ExperimentHead } from '../../../shared/domain/experiment'
import type { MethodInfo } from '../../../shared/domain/method'
import type { RunInfo } from '../../../shared/domain/run'
import { optionsOf } from '../../components/options'
import { Segmented } from '../../components/segmented'
import { Term } from '../../components/term'
import { useServices } from '../../stores/use-services'
import { methodColour } from '../../components/method-colours'
import type { ChartSeries } from '../../ground/plot/learning-chart'
import { RECENT } from '../../../shared/figures/rates'
import { curveOf, overWords, type CurveKind } from '../../ground/plot/learning-data'
import { LearningPlot } from '../../ground/plot/plots'
import { methodTitle, runDistinction } from '../../ground/run-title'

const KINDS = optionsOf({ window: `Last ${RECENT} tasks`, all: 'All so far' })

export interface CurvePanelProps {
  runs: readonly RunInfo[]
  focusId: string | null
  /** The experiment that the runs are cells of; null for a person's own runs. */
  experiment: ExperimentHead | null
}

/** The learning curve of the focused run together with the other runs of the same stream. */
export function CurvePanel({ runs, focusId, experiment }: CurvePanelProps) {
  const [kind, setKind] = useState<CurveKind>('window')
  const { methods } = useServices()
  const methodList = useStore(methods, (state) => state.data)
  const series = runs.map((run) => ({
    ...toSeries(run, run.id === focusId, runs, methodList),
    label: methodTitle(run, methodList, experiment),
  }))
  const tasks = Math.max(0, ...runs.map((run) => run.total))
  return (
    <figure className="flex shrink-0 grow flex-col" aria-label="Learning curve">
      <figcaption className="flex items-center gap-3">
        <h2 className="flex-1 font-medium">
          <Term name="success rate">Success rate</Term>
        </h2>
        <Segmented<CurveKind> label="Rate over" value={kind} options={KINDS} onChange={setKind} />
      </figcaption>
      <div className="relative mt-2 min-h-60 flex-1">
        <LearningPlot series={series} kind={kind} tasks={tasks} />
      </div>
      <p className="pl-13 text-xs text-muted">
        Tasks in stream order. Band: 95 % Wilson interval. Dots: single outcomes.
      </p>
      <CurveTable series={series} kind={kind} />
    </figure>
  )
}

/** The same figures for screen readers. */
function CurveTable({ series, kind }: { series: readonly ChartSeries[]; kind: CurveKind }) {
  return (
    <table className="sr-only">
      <caption>Learning curve in figures</caption>
      <tbody>
        {series.map((line) => {
          const end = curveOf(line.outcomes, kind).at(-1)
          return (
            <tr key={line.id} data-testid={`curve-${line.id}`}>
              <th scope="row">{[line.label, line.detail].filter(Boolean).join(', ')}</th>
              <td>{line.outcomes.length} tasks</td>
              <td>
                {end
                  ? `${Math.round(end.rate * 100)} % solved, ${overWords(line.outcomes.length, kind)}`
                  : 'nothing finished yet'}
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

function toSeries(
  run: RunInfo,
  focused: boolean,
  all: readonly RunInfo[],
  methods: readonly MethodInfo[] | null,
): Omit<ChartSeries, 'label'> {
  return {
    id: run.id,
    detail: runDistinction(run, all),
    colour: methodColour(methods, run.config.method),
    outcomes: run.rewards,
    focused,
  }
}
