import { useStore } from 'zustand'
import type { ExperimentHead } from '../../../shared/domain/experiment'
import type { RunInfo } from '../../../shared/domain/run'
import { classNames } from '../../components/class-names'
import { formatShare, formatWhen } from '../../components/format'
import { useServices } from '../../stores/use-services'
import { methodColour } from '../../components/method-colours'
import { methodTitle, runDistinction } from '../../ground/run-title'

const STATUS_WORDS: Record<RunInfo['status'], string> = {
  queued: 'waiting',
  running: 'running',
  paused: 'paused',
  done: 'finished',
  failed: 'failed',
  cancelled: 'cancelled',
}

export interface RunListProps {
  runs: readonly RunInfo[]
  focusId: string
  /** The experiment that the runs are cells of; null for a person's own runs. */
  experiment: ExperimentHead | null
}

/** The runs on the chart; choosing one brings it to the front. */
export function RunList({ runs: views, focusId, experiment }: RunListProps) {
  const { runs, methods } = useServices()
  const methodList = useStore(methods, (state) => state.data)
  if (views.length < 2) return null
  return (
    <div className="shrink-0">
      <h2 className="mb-1 text-xs font-medium text-muted">Runs on this chart</h2>
      <ul className="flex flex-col">
        {views.map((run) => (
          <li key={run.id}>
            <button
              type="button"
              aria-pressed={run.id === focusId}
              onClick={() => runs.getState().focus(run.id)}
              className={classNames(
                'flex h-8 w-full items-center gap-3 rounded-md px-2 text-left text-sm hover:bg-hover',
                run.id === focusId && 'bg-sunken',
              )}
            >
              <span
                aria-hidden
                className="h-0.5 w-4 shrink-0 rounded-full"
                style={{ background: `var(${methodColour(methodList, run.config.method)})` }}
              />
              <span className="min-w-0 flex-1 truncate">
                {methodTitle(run, methodList, experiment)}
                <span className="text-muted">
                  {' '}
                  · {runDistinction(run, views) || `seed ${run.config.seed}`}
                </span>
              </span>
              <span className="hidden shrink-0 text-muted min-[1400px]:inline">
                {formatWhen(run.createdAt)}
              </span>
              <span className="w-16 shrink-0 text-muted">{STATUS_WORDS[run.status]}</span>
              <span className="w-24 shrink-0 text-right">
                {run.done > 0 ? `${formatShare(run.solved / run.done)} of ${run.done}` : ''}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
