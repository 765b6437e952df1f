import { Play, Sparkles, Undo2 } from '../../components/icons'
import { useEffect } from 'react'
import { useStore } from 'zustand'
import type { SoftPromptListView } from '../../../shared/domain/soft-prompt-training'
import { Button } from '../../components/button'
import { EmptyState } from '../../components/empty-state'
import { ErrorNotice } from '../../components/error-notice'
import { formatWhen, plural } from '../../components/format'
import { Loading } from '../../components/loading'
import { Screen } from '../../components/screen'
import { Term } from '../../components/term'
import { isWorking } from '../../stores/soft-prompts'
import { withDefaults } from '../../stores/run-form'
import { RefusedNotice } from '../../ground/refused-notice'
import { EnvironmentTitle } from '../../ground/task-choice/environment-name'
import { GoButton } from '../../ground/go-to'
import { useServices } from '../../stores/use-services'
import { ScheduleForm } from './schedule-form'
import { SoftPromptEntry } from './soft-prompt-entry'
import { TrainForm } from './train-form'
import { WorkView } from './work-view'
import { inputOf } from './words'

/** What a memory has solved, distilled into a few learned tokens: train, try, decide. */
export function SoftPromptsScreen() {
  const { softPrompts: consolidation, memories } = useServices()
  const { list, currentId, status } = {
    list: useStore(memories, (state) => state.memories),
    currentId: useStore(memories, (state) => state.currentId),
    status: useStore(memories, (state) => state.status),
  }
  useEffect(() => {
    if (currentId !== null) consolidation.getState().enter(currentId)
  }, [consolidation, currentId])
  const { softPromptList, softPromptProblem, work, problem, busy, memoryId, clearProblem, reload } =
    useStore(consolidation)
  const memory = list.find(({ id }) => id === currentId)
  const here = memoryId === currentId ? softPromptList : null
  return (
    <Screen
      title="Soft prompts"
      lead={
        <>
          <Term name="training">Training</Term> distils what this memory has solved into a{' '}
          <Term name="soft prompt">soft prompt</Term>: a few learned tokens that stand for many examples.
        </>
      }
    >
      {softPromptProblem ? (
        <ErrorNotice problem={softPromptProblem} alwaysRetry onRetry={() => void reload()} />
      ) : null}
      <RefusedNotice problem={problem} onDismiss={clearProblem} />
      {currentId === null ? (
        status === 'ready' ? (
          <Empty />
        ) : (
          <Loading what="your memories" />
        )
      ) : here === null ? (
        softPromptProblem ? null : (
          <Loading what="the soft prompts" />
        )
      ) : memory?.trajectories === 0 && here.items.length === 0 ? (
        <Empty />
      ) : (
        <SoftPromptList softPromptList={here} memoryId={currentId} working={isWorking(work)} busy={busy} />
      )}
    </Screen>
  )
}

function Empty() {
  return (
    <EmptyState
      icon={Sparkles}
      title="Nothing to learn from yet"
      action={<GoButton to="run">Go to Runs</GoButton>}
    >
      A soft prompt is made from solved tasks. Run a stream first, with a memory such as the case bank; 20
      solved tasks are a good start. Then come back here with that memory chosen at the top.
    </EmptyState>
  )
}

function SoftPromptList(props: {
  softPromptList: SoftPromptListView
  memoryId: string
  working: boolean
  busy: boolean
}) {
  const { softPromptList, memoryId, working } = props
  const { softPrompts: consolidation, streams, methods, models } = useServices()
  const { form, work } = useStore(consolidation)
  const choices = {
    streams: useStore(streams, (state) => state.data) ?? [],
    methods: useStore(methods, (state) => state.data) ?? [],
    models: useStore(models, (state) => state.data) ?? [],
  }
  const { stream, model } = withDefaults({ ...form, method: null }, choices)
  const input = stream && model ? inputOf(form, memoryId, stream.id, model.path) : null
  const candidates = softPromptList.items.filter(({ state }) => state === 'candidate')
  const others = softPromptList.items.filter(({ state }) => state !== 'candidate')
  return (
    <>
      <InUse softPromptList={softPromptList} busy={props.busy} />
      {work && (working || work.phase === 'failed') ? <WorkView work={work} /> : null}
      {!working && softPromptList.interrupted ? (
        <Interrupted interrupted={softPromptList.interrupted} />
      ) : null}
      {candidates.length > 0 ? (
        <section aria-label="To be decided">
          <Entries items={candidates} stream={stream?.id ?? null} />
        </section>
      ) : null}
      {working ? null : <TrainForm input={input} stream={stream} model={model} />}
      <ScheduleForm softPromptList={softPromptList} input={input} />
      {others.length > 0 ? (
        <section aria-label="History" className="flex flex-col gap-3">
          <h2 className="font-medium">History</h2>
          <Entries items={others} stream={stream?.id ?? null} />
        </section>
      ) : null}
      {softPromptList.damaged.map(({ file, problem }) => (
        <p key={file} role="status" className="text-sm text-notice">
          {file} cannot be used: {problem}
        </p>
      ))}
    </>
  )
}

function Entries({ items, stream }: { items: SoftPromptListView['items']; stream: string | null }) {
  return (
    <ul className="flex flex-col gap-3">
      {items.map((item) => (
        <SoftPromptEntry key={item.info.adapter} item={item} stream={stream} />
      ))}
    </ul>
  )
}

/** What runs in this memory are served, and the way back. */
function InUse({ softPromptList, busy }: { softPromptList: SoftPromptListView; busy: boolean }) {
  const { softPrompts: consolidation } = useServices()
  const { undo, withdraw } = consolidation.getState()
  const environments = [...new Set(softPromptList.history.map(({ environment }) => environment))]
  if (environments.length === 0)
    return (
      <p className="text-muted" data-testid="in-use">
        No soft prompt is in use: runs in this memory begin without one.
      </p>
    )
  return (
    <ul className="flex flex-col gap-2">
      {environments.map((environment) => {
        const current = softPromptList.items.find(
          ({ state, info }) => state === 'in-use' && info.environment === environment,
        )
        return (
          <li
            key={environment}
            data-testid="in-use"
            className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg border bg-accent-soft px-4 py-3"
          >
            <p className="min-w-64 flex-1">
              {current ? 'In use' : 'None in use'} for <EnvironmentTitle id={environment} />
              {current
                ? `: ${plural(current.info.reservedIds.length, 'token')}, from ${formatWhen(current.info.createdAt)}`
                : null}
            </p>
            <Button size="small" icon={Undo2} disabled={busy} onClick={() => void undo(environment)}>
              As it was before
            </Button>
            {current ? (
              <Button size="small" disabled={busy} onClick={() => void withdraw(environment)}>
                Use none
              </Button>
            ) : null}
          </li>
        )
      })}
    </ul>
  )
}

function Interrupted({ interrupted }: { interrupted: NonNullable<SoftPromptListView['interrupted']> }) {
  const { softPrompts: consolidation } = useServices()
  const { busy, resume, forget } = useStore(consolidation)
  const { at, taught, step, steps } = interrupted
  return (
    <section
      aria-label="Interrupted"
      className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg border bg-notice-soft px-4 py-3"
    >
      <p className="min-w-64 flex-1">
        A training begun on {formatWhen(at)} has stopped{' '}
        {taught ? `at step ${step} of ${steps}` : 'before the teacher was done'}. It can go on from there.
      </p>
      <Button icon={Play} disabled={busy} onClick={() => void resume()}>
        Go on
      </Button>
      <Button look="quiet" disabled={busy} onClick={() => void forget()}>
        Throw it away
      </Button>
    </section>
  )
}
