import { ChartSpline, Copy, Save } from '../../components/icons'
import { useStore } from 'zustand'
import type { ExperimentInfo, Suite } from '../../../shared/domain/experiment'
import { experimentMeaning } from '../../../shared/figures/meaning'
import { Button } from '../../components/button'
import { ErrorNotice } from '../../components/error-notice'
import { fileName, formatCount, formatDuration, plural, streamName } from '../../components/format'
import { IconButton } from '../../components/icon-button'
import { Loading } from '../../components/loading'
import { PageHead, Page } from '../../components/screen'
import { ProgressBar } from '../../components/progress-bar'
import { LiveNote, useConnected } from '../../ground/connected'
import { KeptActions } from '../../ground/kept-actions'
import { MeaningNote } from '../../ground/meaning-note'
import { WorkButtons } from '../../ground/work-buttons'
import { isOpen } from '../../stores/experiment-feed'
import { RefusedNotice } from '../../ground/refused-notice'
import { useServices } from '../../stores/use-services'
import { CellGrid } from './cell-grid'
import { statusWords } from '../../components/status-words'
import { SuiteFigures } from './suite/suite-figures'
import { SummaryTable } from './summary-table'
import { TriedInCells } from './tried-in-cells'
import { useStudyFile } from './use-study-file'
import { useMethodNames } from './use-method-names'

/** One experiment: how far it is, its cells, its figures. */
export function ExperimentDetail({ experimentId }: { experimentId: string }) {
  const { experiments } = useServices()
  const info = useStore(experiments, (state) => state.info)
  const problem = useStore(experiments, (state) => state.feedProblem)
  if (info?.id === experimentId) return <Opened info={info} />
  if (problem) {
    return (
      <div className="p-6">
        <ErrorNotice
          problem={problem}
          alwaysRetry
          onRetry={() => experiments.getState().open(experimentId)}
        />
      </div>
    )
  }
  return <Loading what="the experiment" />
}

function Opened({ info }: { info: ExperimentInfo }) {
  const { experiments } = useServices()
  const refused = useStore(experiments, (state) => state.commandProblem)
  const feedProblem = useStore(experiments, (state) => state.feedProblem)
  const files = useStudyFile()
  return (
    <Page wide>
      <div className="flex flex-col gap-3">
        <PageHead
          title={info.name}
          lead={<Facts info={info} />}
          actions={<Controls info={info} onSave={() => void files.save(info.definition)} />}
        />
        {isOpen(info) ? (
          <ProgressBar label="Progress of the experiment" done={info.done} total={info.total} />
        ) : null}
        <Progress info={info} />
        <RefusedNotice problem={refused} onDismiss={() => experiments.getState().clearProblem()} />
        {files.problem ? <ErrorNotice problem={files.problem} /> : null}
        {info.problem?.code === 'INTERRUPTED' ? (
          <p role="status" className="rounded-lg bg-notice-soft p-3 text-sm">
            Loam stopped while this experiment was going. Every finished task is kept; Resume goes on behind
            it.
          </p>
        ) : info.problem ? (
          <ErrorNotice problem={info.problem} />
        ) : null}
        {isOpen(info) ? <LiveNote what="The experiment" problem={feedProblem} /> : null}
      </div>
      {info.definition.suite ? (
        <>
          <Failures info={info} />
          <SuiteFigures info={info} />
        </>
      ) : (
        <>
          <ExperimentMeaning info={info} />
          <CellGrid info={info} />
          <Failures info={info} />
          <SummaryTable info={info} />
          <TriedInCells info={info} />
        </>
      )}
    </Page>
  )
}

/** What the figures mean once all cells have ended. */
function ExperimentMeaning({ info }: { info: ExperimentInfo }) {
  const { experiments } = useServices()
  const report = useStore(experiments, (state) => state.report)
  const names = useMethodNames(info.definition)
  if (isOpen(info) || report?.id !== info.id) return null
  return <MeaningNote meaning={experimentMeaning(report, (name) => names(name).title)} />
}

function Facts({ info: { definition } }: { info: ExperimentInfo }) {
  const { streams, models } = useServices()
  const stream = useStore(streams, (state) => state.data?.find(({ id }) => id === definition.stream))
  const model = useStore(models, (state) => state.data?.find(({ path }) => path === definition.model))
  const { iterations, passes, againTemperature, retest } = definition.protocol
  return [
    definition.suite ? suiteWords(definition.suite) : (stream?.title ?? streamName(definition.stream)),
    model?.name ?? fileName(definition.model ?? ''),
    plural(definition.seeds.length, 'seed'),
    ...(iterations > 1 ? [plural(iterations, 'iteration')] : []),
    ...(passes > 1 ? [plural(passes, 'pass', 'passes')] : []),
    ...(againTemperature === undefined ? [] : [`again at temperature ${againTemperature}`]),
    ...(retest > 0 ? [`${plural(retest, 'task')} tested again`] : []),
  ].join(' · ')
}

const suiteWords = ({ streams, worlds, more, orders }: Suite): string =>
  [
    plural(streams.length, 'stream'),
    `worlds ${[...worlds, ...(more?.worlds ?? [])].join(', ')}`,
    ...(orders > 1 ? [plural(orders, 'order')] : []),
  ].join(' · ')

function Progress({ info }: { info: ExperimentInfo }) {
  const connected = useConnected()
  // Of what was cancelled or failed, only what was really done.
  const finished = info.cells.filter(({ status }) => status === 'done' || status === 'oom').length
  const doneCount = info.cells.reduce((sum, cell) => sum + cell.done, 0)
  return (
    <p className="flex flex-wrap gap-x-4 text-sm text-muted">
      <span className="text-ink">
        {statusWords(info)}
        {isOpen(info) && !connected ? ', when last heard' : ''}
      </span>
      <span data-testid="experiment-progress">
        {finished} of{' '}
        {info.definition.suite
          ? plural(info.cells.length, 'life', 'lives')
          : plural(info.cells.length, 'cell')}
      </span>
      <span>
        {formatCount(doneCount)} of {plural(info.total, 'task')}
      </span>
      {connected && info.status === 'running' && info.etaMs !== null ? (
        <span>about {formatDuration(info.etaMs)} left</span>
      ) : null}
    </p>
  )
}

function Controls({ info, onSave }: { info: ExperimentInfo; onSave: () => void }) {
  const { experiments, experimentForm, curveSelection, ui } = useServices()
  const busy = useStore(experiments, (state) => state.busy)
  const { pause, cancel, resume, open } = experiments.getState()
  return (
    <>
      {info.done > 0 ? (
        <Button
          icon={ChartSpline}
          onClick={() => {
            curveSelection.getState().select({ experimentIds: [info.id], runIds: [] })
            ui.getState().go('curves')
          }}
        >
          Show curves
        </Button>
      ) : null}
      {info.definition.suite ? null : (
        <IconButton
          icon={Copy}
          label="Compose a new one from this"
          onClick={() => {
            experimentForm.getState().load(info.definition)
            open(null)
          }}
        />
      )}
      <IconButton icon={Save} label="Save its definition as a file" onClick={onSave} />
      <KeptActions
        item={{ what: 'experiment', id: info.id, name: info.name, ownName: info.name, canGo: !isOpen(info) }}
      />
      <WorkButtons
        what="the experiment"
        work={info}
        pausable={['running']}
        busy={busy}
        onPause={() => void pause()}
        onResume={() => void resume()}
        onCancel={() => void cancel()}
      />
    </>
  )
}

/** Why cells failed, each reason once. */
function Failures({ info }: { info: ExperimentInfo }) {
  const names = useMethodNames(info.definition)
  const failures = info.cells.filter(({ status }) => status === 'failed')
  if (failures.length === 0) return null
  const reasons = new Map<string, string[]>()
  for (const { problem, ...cell } of failures) {
    const why = problem ? `${problem.cause} ${problem.suggestion}` : 'No reason was noted.'
    reasons.set(why, [...(reasons.get(why) ?? []), names(cell.method).ofCell(cell)])
  }
  return (
    <section
      aria-label="Failed cells"
      className="rounded-lg border border-danger/40 bg-danger-soft p-3 text-sm"
    >
      <h2 className="font-medium">{plural(failures.length, 'cell')} failed; the others are not affected</h2>
      <ul className="mt-1 flex flex-col gap-1">
        {[...reasons].map(([why, cells]) => (
          <li key={why}>
            {why}{' '}
            <span className="text-muted">
              {cells.length > 3 ? plural(cells.length, 'cell') : cells.join('; ')}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
