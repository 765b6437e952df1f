import { useStore } from 'zustand'
import { useShallow } from 'zustand/react/shallow'
import { ErrorNotice } from '../../components/error-notice'
import { Loading } from '../../components/loading'
import { experimentOf } from '../../stores/experiment-feed'
import { comparable } from './comparable'
import { RefusedNotice } from '../../ground/refused-notice'
import { useNarrow } from '../../ground/use-narrow'
import { useServices } from '../../stores/use-services'
import { CurvePanel } from './curve-panel'
import { FirstRun } from './first-run'
import { QuestionFiguresPanel } from './question-figures'
import { RunControls } from './run-controls'
import { RunForm } from './run-form'
import { RunMeaning } from './run-meaning'
import { RunList } from './run-list'
import { StoryPanel } from './story-panel'
import { TaskStrip } from './task-strip'
import type { RunInfo } from '../../../shared/domain/run'
import { PartTabs } from '../../ground/detail-pane'
import { CostTable } from './cost-table'
import { ErrorView } from './error-view'
import { failureRate, type WritingCount } from '../../../shared/domain/writing'
import { formatCount, formatShare } from '../../components/format'
import { PlainTable, type PlainColumn } from '../../ground/plain-table'
import { useQuery } from '../../ground/use-query'

/** What to run, the live curve, and the current task. */
export function RunScreen() {
  const { runs } = useServices()
  const status = useStore(runs, (state) => state.status)
  const problem = useStore(runs, (state) => state.problem)
  const focusId = useStore(runs, (state) => state.focusId)
  const isNarrow = useNarrow(699)
  const form = (
    <section
      key="form"
      aria-label="What to run"
      className="w-56 shrink-0 overflow-y-auto border-r p-4 max-[700px]:w-full max-[700px]:overflow-visible max-[700px]:border-t max-[700px]:border-r-0"
    >
      <RunForm />
    </section>
  )
  return (
    <div className="flex h-full max-[700px]:flex-col max-[700px]:overflow-y-auto">
      {/* Below what it leads to where there is no room beside it, for Tab and screen readers too. */}
      {isNarrow ? null : form}
      {focusId ? (
        <Running key="run" runId={focusId} />
      ) : (
        <div
          key="first"
          className="min-w-0 flex-1 overflow-y-auto max-[700px]:flex-none max-[700px]:overflow-visible"
        >
          {status === 'failed' && problem ? (
            <div className="p-6">
              <ErrorNotice problem={problem} alwaysRetry onRetry={() => void runs.getState().load()} />
            </div>
          ) : status === 'ready' ? (
            <FirstRun />
          ) : (
            <Loading what="your runs" />
          )}
        </div>
      )}
      {isNarrow ? form : null}
    </div>
  )
}

function Running({ runId }: { runId: string }) {
  const { runs, experiments } = useServices()
  // Only the runs, not what is being written in them: a token must not redraw the chart.
  const all = useStore(
    runs,
    useShallow((state) => state.order.flatMap((id) => state.views[id]?.run ?? [])),
  )
  const live = useStore(runs, (state) => state.views[runId]?.live?.index ?? null)
  const openTask = useStore(runs, (state) => state.openTask)
  const problem = useStore(runs, (state) => state.problem)
  const experiment = useStore(experiments, (state) => experimentOf(runId, state.heads))
  const run = all.find((candidate) => candidate.id === runId)
  if (!run) return null
  const others = comparable(run, all, experiment?.id ?? null)
  return (
    <div className="flex min-w-0 flex-1 bg-surface max-[1100px]:flex-col max-[1100px]:overflow-y-auto max-[700px]:flex-none max-[700px]:overflow-visible">
      <section
        aria-label="Progress"
        className="flex min-w-0 flex-1 flex-col gap-4 p-4 max-[1100px]:flex-none min-[1101px]:overflow-y-auto"
      >
        <RunControls run={run} experiment={experiment} />
        <RefusedNotice problem={problem} onDismiss={() => runs.getState().clearProblem()} />
        <CurvePanel runs={others} focusId={runId} experiment={experiment} />
        <RunMeaning run={run} all={all} />
        <TaskStrip
          run={run}
          open={openTask}
          live={live}
          onOpen={(index) => runs.getState().showTask(index)}
        />
        <RunList runs={others} focusId={runId} experiment={experiment} />
        <QuestionFiguresPanel runId={runId} done={run.done} />
        <RunAnalysis run={run} others={others} />
      </section>
      <div className="w-80 shrink-0 max-[1100px]:w-full max-[1100px]:border-t min-[1101px]:border-l min-[1400px]:w-100">
        <StoryPanel runId={runId} />
      </div>
    </div>
  )
}

/** What a run failed at and what it cost. Closed until somebody asks, since it reads every attempt. */
function RunAnalysis({ run, others }: { run: RunInfo; others: readonly RunInfo[] }) {
  return (
    <PartTabs
      label="More about the run"
      closed
      parts={[
        { value: 'errors', label: 'Errors by class', content: <ErrorView run={run} others={others} /> },
        { value: 'costs', label: 'Tokens and cost', content: <CostTable runId={run.id} done={run.done} /> },
        {
          value: 'writings',
          label: 'Written texts',
          content: <WritingTable runId={run.id} done={run.done} />,
        },
      ]}
    />
  )
}

const COLUMNS: readonly PlainColumn<WritingCount>[] = [
  { head: 'What is written', cell: ({ role }) => role },
  { head: 'Texts', cell: ({ asked }) => formatCount(asked) },
  { head: 'Not usable', cell: (one) => `${formatCount(one.failed)} (${formatShare(failureRate(one))})` },
  { head: 'Repaired output', cell: ({ mended }) => formatCount(mended) },
  { head: 'Asked twice', cell: ({ again }) => formatCount(again) },
]

/** How the texts came out that a run asked for: lessons, strategies, documents. `done` is how many tasks it has finished. */
function WritingTable({ runId, done }: { runId: string; done: number }) {
  const { client } = useServices()
  const {
    data: report,
    problem,
    reload,
  } = useQuery(`writings ${runId}`, () => client.runs.report({ runId }), String(done))
  if (problem) return <ErrorNotice problem={problem} alwaysRetry onRetry={reload} />
  if (!report) return <Loading what="what was written" />
  const { writings = [] } = report
  if (writings.length === 0)
    return <p className="text-sm text-muted">No text was asked for in this run so far.</p>
  return <PlainTable caption="Texts by role" columns={COLUMNS} rows={writings} keyOf={({ role }) => role} />
}
