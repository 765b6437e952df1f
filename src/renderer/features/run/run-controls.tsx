import { ArrowLeft, History } from '../../components/icons'
import { useStore } from 'zustand'
import type { ExperimentHead } from '../../../shared/domain/experiment'
import { otherwiseThan, presetTitle, readPreset } from '../../../shared/domain/preset'
import type { RunInfo } from '../../../shared/domain/run'
import { Button } from '../../components/button'
import { ErrorNotice } from '../../components/error-notice'
import { fileName, formatDuration, formatShare, formatWhen, plural } from '../../components/format'
import { ProgressBar } from '../../components/progress-bar'
import { Term } from '../../components/term'
import { LiveNote, useConnected } from '../../ground/connected'
import { TriedSoftPrompts } from '../../ground/tried-soft-prompts'
import { KeptActions } from '../../ground/kept-actions'
import { WorkButtons } from '../../ground/work-buttons'
import { isExperimentRun } from '../../stores/experiment-feed'
import { isActive } from '../../stores/runs'
import { statusWords } from '../../components/status-words'
import { useServices } from '../../stores/use-services'
import { thirds } from '../../../shared/figures/rates'
import { runTitle } from '../../ground/run-title'
import { IconButton } from '../../components/icon-button'
import { Menu, MenuChoices } from '../../ground/menu'
import { useOwnRuns } from '../../ground/own-runs'

/** The head of the middle pane: which run, how far, how long still, and what can be done with it. */
export function RunControls({ run, experiment }: { run: RunInfo; experiment: ExperimentHead | null }) {
  const { runs, methods, streams, models } = useServices()
  // A cell is paused and resumed with its experiment.
  const own = !isExperimentRun(run.id)
  const busy = useStore(runs, (state) => state.busy)
  const feedProblem = useStore(runs, (state) => state.feedProblems[run.id])
  const methodList = useStore(methods, (state) => state.data)
  const streamList = useStore(streams, (state) => state.data)
  const model = useStore(models, (state) => state.data?.find((item) => item.path === run.config.model))
  const connected = useConnected()
  const { pause, resume, cancel } = runs.getState()
  return (
    <header className="flex shrink-0 flex-col gap-3">
      {experiment ? <BackToExperiment experiment={experiment} /> : null}
      <div className="flex items-start gap-3">
        <div className="min-w-0 flex-1">
          <h1 className="line-clamp-2 text-lg leading-6 font-semibold">
            {runTitle(run, methodList, streamList, experiment)}
          </h1>
          <p className="text-sm text-muted">
            {model?.name ?? fileName(run.config.model)}
            {model?.demo ? ', a demo model' : ''} · seed {run.config.seed}
            {run.config.k > 0 ? ` · K ${run.config.k}` : ''}
            <PresetWords run={run} />
            <SoftPromptWords run={run} />
          </p>
          <RoleModels run={run} />
        </div>
        <div className="flex gap-2">
          <RunPicker />
          {own ? (
            <KeptActions
              item={{
                ...{ what: 'run', id: run.id, ownName: run.name ?? '', canGo: !isActive(run) },
                name: runTitle(run, methodList, streamList),
              }}
            />
          ) : null}
          {own ? (
            <WorkButtons
              what="the run"
              work={run}
              pausable={['running', 'queued']}
              busy={busy}
              onPause={() => void pause()}
              onResume={() => void resume()}
              onCancel={() => void cancel()}
            />
          ) : null}
        </div>
      </div>
      {isActive(run) ? (
        <ProgressBar label="Progress of the run" done={run.done} total={run.total} />
      ) : (
        // What is below stays where it is when the run ends.
        <div aria-hidden className="h-1" />
      )}
      <p className="flex flex-wrap gap-x-4 text-sm text-muted" aria-live="off">
        <span className="text-ink">
          {statusWords(run)}
          {isActive(run) && !connected ? ', when last heard' : ''}
        </span>
        <span data-testid="run-progress">
          {run.done} of {run.total} tasks
        </span>
        {run.done > 0 ? (
          <span>
            {run.solved} solved ({formatShare(run.solved / run.done)})
          </span>
        ) : null}
        <ThirdsWords run={run} />
        {connected && run.status === 'running' && run.etaMs !== null ? (
          <span>about {formatDuration(run.etaMs)} left</span>
        ) : null}
      </p>
      <HeldWords run={run} />
      {run.problem ? <ErrorNotice problem={run.problem} /> : null}
      {run.notes?.map((text) => (
        <p key={text} className="text-sm text-notice">
          {text}
        </p>
      ))}
      <TriedSoftPrompts tried={run.tried} untrained={run.untrained} />
      {isActive(run) ? <LiveNote what="The run" problem={feedProblem} /> : null}
    </header>
  )
}

/** Which run of its series is held with it, or because of it, and the way to it. */
function HeldWords({ run }: { run: RunInfo }) {
  const { runs, methods, streams } = useServices()
  const methodList = useStore(methods, (state) => state.data)
  const streamList = useStore(streams, (state) => state.data)
  const mate = useStore(
    runs,
    ({ order, views }) =>
      order
        .flatMap((id) => views[id]?.run ?? [])
        .findLast(
          ({ id, series, status }) =>
            series !== undefined && series === run.series && id !== run.id && status === 'paused',
        ) ?? null,
  )
  if (!mate || run.status === 'done') return null
  return (
    <p className="flex flex-wrap items-center gap-x-2 text-sm text-muted">
      <span>
        {runTitle(mate, methodList, streamList)} is held
        {isActive(run) ? ' too. Resume goes on with both.' : '.'}
      </span>
      {isActive(run) ? null : (
        <Button size="small" onClick={() => runs.getState().focus(mate.id)}>
          Open it
        </Button>
      )}
    </p>
  )
}

/** The preset that it was made with, and what was set otherwise. */
function PresetWords({ run: { config } }: { run: RunInfo }) {
  const { methods, streams } = useServices()
  const presets = useStore(methods, ({ data }) => data?.find(({ id }) => id === config.method)?.presets) ?? []
  const stream = useStore(streams, ({ data }) => data?.find(({ id }) => id === config.stream))
  const { preset } = config
  if (preset === undefined) return null
  const values = stream && readPreset(presets, preset, stream.environment)?.values
  const other = values ? otherwiseThan(values, config).map(({ name, value }) => `${name} ${value}`) : []
  return (
    <span data-testid="run-preset">
      {' '}
      · {presetTitle(presets, preset)}
      {other.length > 0 ? `, but ${other.join(', ')}` : ''}
    </span>
  )
}

/** Which soft prompt is put first in every prompt. */
function SoftPromptWords({ run }: { run: RunInfo }) {
  const facts = run.config.softPromptFacts
  if (!facts) return null
  return (
    <span data-testid="run-soft-prompt">
      {' '}
      · <Term name="soft prompt" />: {plural(facts.tokens, 'token')}, from {formatWhen(facts.createdAt)}
    </span>
  )
}

/** A cell belongs to an experiment; the way back to it. */
function BackToExperiment({ experiment }: { experiment: ExperimentHead }) {
  const { experiments, ui } = useServices()
  return (
    <button
      type="button"
      onClick={() => {
        experiments.getState().open(experiment.id)
        ui.getState().go('experiments')
      }}
      className="flex w-fit max-w-full items-center gap-1.5 rounded-sm text-sm text-muted hover:text-ink"
    >
      <ArrowLeft size={14} aria-hidden className="shrink-0" />
      <span className="truncate">
        A cell of <span className="underline">{experiment.name}</span>
      </span>
    </button>
  )
}

function ThirdsWords({ run }: { run: RunInfo }) {
  const parts = run.status === 'done' ? thirds(run.rewards) : null
  if (!parts) return null
  return (
    <span>
      first third {formatShare(parts.first)}, last third {formatShare(parts.last)}
    </span>
  )
}

/** Which roles of a run have a model of their own, and which; nothing where all ask the run's. */
function RoleModels({ run }: { run: RunInfo }) {
  const { environments, models } = useServices()
  const groups = useStore(environments, ({ data }) => data)
  const records = useStore(models, ({ data }) => data)
  const inputTextMap = new Map<string, string>()
  for (const { roles } of groups ?? [])
    for (const field of roles.fields) {
      const path = run.config.settings[roles.id]?.[field.key]
      if (field.kind !== 'text' || field.look !== 'model' || typeof path !== 'string' || path === '') continue
      inputTextMap.set(field.title, records?.find((model) => model.path === path)?.name ?? fileName(path))
    }
  if (inputTextMap.size === 0) return null
  return (
    <p className="text-sm text-muted">
      {[...inputTextMap].map(([title, name]) => `${title}: ${name}`).join(' · ')}
    </p>
  )
}

/** Brings any earlier run back on screen, of whatever stream. */
function RunPicker() {
  const { runs, methods, streams } = useServices()
  const all = useOwnRuns()
  const focusId = useStore(runs, (state) => state.focusId)
  const methodList = useStore(methods, (state) => state.data)
  const streamList = useStore(streams, (state) => state.data)
  if (all.filter(({ id }) => id !== focusId).length === 0) return null
  return (
    <Menu label="All runs" align="end" width="w-96" trigger={<IconButton icon={History} label="All runs" />}>
      <MenuChoices
        value={focusId}
        choices={all.map((run) => ({
          value: run.id,
          label: runTitle(run, methodList, streamList),
          detail: `${formatWhen(run.createdAt)} · seed ${run.config.seed}${
            run.done > 0 ? ` · ${formatShare(run.solved / run.done)} of ${run.done}` : ''
          }`,
        }))}
        onChange={(id) => runs.getState().focus(id)}
      />
    </Menu>
  )
}
