import { FolderOpen, Play, RotateCcw, Save, BookOpen } from '../../components/icons'
import { useStore } from 'zustand'
import type { Study, ExperimentPlan } from '../../../shared/domain/experiment'
import type { ModelInfo } from '../../../shared/domain/model'
import type { StreamInfo } from '../../../shared/domain/task'
import type { LoamErrorShape } from '../../../shared/errors'
import { Button } from '../../components/button'
import { ErrorNotice } from '../../components/error-notice'
import { Form } from '../../components/form'
import { Segmented } from '../../components/segmented'
import { BOUNDS } from '../../../shared/domain/bounds'
import { NumberField } from '../../ground/number-field'
import type { Repeated } from '../../stores/experiment-form'
import { plural } from '../../components/format'
import { PageHead } from '../../components/screen'
import { Loading } from '../../components/loading'
import { FilePicker } from '../../ground/file-picker'
import { TextField } from '../../ground/text-field'
import { SelectField } from '../../ground/select'
import { Term } from '../../components/term'
import { RefusedNotice } from '../../ground/refused-notice'
import { MeaningAssumed } from '../../ground/embedder'
import { useServices } from '../../stores/use-services'
import { ItemField } from './memory-field'
import { ModelField } from '../../ground/task-choice/model-field'
import { StreamField } from '../../ground/task-choice/stream-field'
import { TaskCountField } from '../../ground/task-choice/task-count-field'
import { ExpChoice } from './exp-choice'
import { MethodChoice } from './method-choice'
import { MoreSettings } from './more-settings'
import { planHint, planWords } from './plan-words'
import { lifeOf, readForm, variedBy, type FormPlace, type FormReading } from './read-form'
import { Section, Wrong } from './section'
import { useStudyFile } from './use-study-file'
import { useQuery } from '../../ground/use-query'
import { useState } from 'react'
import { Menu, MenuItem } from '../../ground/menu'
import { SuiteDialog } from './suite/suite-dialog'

const NOTHING = ''
const ONE: Readonly<Record<Repeated, string>> = { seeds: 'seed', worlds: 'world', orders: 'order' }

/** Composes an experiment: sensible from the first moment, with how much work it will be. */
export function Composer() {
  const { experimentForm, experiments, streams, methods, models } = useServices()
  const form = useStore(experimentForm)
  const streamState = useStore(streams)
  const methodState = useStore(methods)
  const modelState = useStore(models)
  const busy = useStore(experiments, (state) => state.busy)
  const refused = useStore(experiments, (state) => state.commandProblem)
  const files = useStudyFile()
  const choices = {
    streams: streamState.data ?? [],
    methods: methodState.data ?? [],
    models: modelState.data ?? [],
  }
  const reading = readForm(form, choices)
  const { definition, problems, stream, model, names, baseline } = reading
  const { plan, problem: planProblem } = usePlan(definition)
  const titleOf = (id: string) => choices.methods.find((method) => method.id === id)?.title ?? id
  const wrongAt = (place: FormPlace) =>
    problems.filter((problem) => problem.place === place).map(({ words }) => words)
  const states = [streamState, methodState, modelState]
  const unread = states.find((state) => state.problem)?.problem
  const start = async () => {
    if (definition) await experiments.getState().start(definition)
  }

  if (unread) {
    const reload = () => {
      for (const resource of [streams, methods, models]) void resource.getState().reload()
    }
    return (
      <div className="p-6">
        <ErrorNotice problem={unread} alwaysRetry onRetry={reload} />
      </div>
    )
  }
  if (states.some((state) => state.data === null)) return <Loading what="streams, methods and models" />
  return (
    <Form className="flex h-full min-h-0 flex-col" onSubmit={() => void start()}>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto flex max-w-4xl flex-col gap-6 p-6">
          <Header definition={definition} files={files} />
          {files.problem ? <ErrorNotice problem={files.problem} /> : null}
          <div>
            <TasksAndModel
              stream={stream}
              model={model}
              choices={choices}
              wrong={[...wrongAt('stream'), ...wrongAt('model')]}
            />
            <Section
              title={<Term name="method">Methods</Term>}
              lead="What the agent remembers, and how. Hover a name for its paper."
            >
              <MethodChoice methods={choices.methods} />
              <Wrong words={wrongAt('methods')} />
              <MeaningAssumed methods={choices.methods.filter(({ id }) => form.methods.includes(id))} />
              <ItemField />
            </Section>
            <Repetitions
              stream={stream}
              wrong={wrongAt('seeds')}
              names={names}
              baseline={baseline}
              titleOf={titleOf}
            />
            <MoreSettings
              environment={stream?.environment ?? null}
              methods={choices.methods}
              trainContext={model?.trainContext ?? null}
              wrongVariants={wrongAt('variants')}
              wrongProtocol={wrongAt('protocol')}
            />
          </div>
          <RefusedNotice
            problem={refused}
            onRetry={() => void start()}
            onDismiss={() => experiments.getState().clearProblem()}
          />
        </div>
      </div>
      <footer className="shrink-0 border-t bg-canvas">
        <div className="mx-auto flex max-w-4xl flex-wrap items-center gap-x-4 gap-y-2 px-6 py-3">
          <Work problems={problems} plan={plan} planProblem={planProblem} titleOf={titleOf} />
          <div className="flex gap-2">
            <Button look="quiet" icon={RotateCcw} onClick={() => form.clear()}>
              Start over
            </Button>
            <Button
              look="primary"
              type="submit"
              icon={Play}
              disabled={!definition || planProblem !== null || busy !== null}
            >
              {busy === 'start' ? 'Starting…' : 'Start experiment'}
            </Button>
          </div>
        </div>
      </footer>
    </Form>
  )
}

function Header(props: { definition: Study | null; files: ReturnType<typeof useStudyFile> }) {
  const { definition, files } = props
  return (
    <PageHead
      title="New experiment"
      lead="Several methods work through the same tasks, each with several seeds, so that you can tell what helps from what was luck."
      actions={
        <>
          <StudyMenu />
          <FilePicker
            label="Definition file"
            accept=".yaml,.yml,.json"
            onFiles={([file]) => void (file && files.open(file))}
          >
            {(pick) => (
              <Button icon={FolderOpen} onClick={pick}>
                Open a file
              </Button>
            )}
          </FilePicker>
          <Button
            icon={Save}
            disabled={!definition}
            onClick={() => {
              if (definition) void files.save(definition)
            }}
          >
            Save as file
          </Button>
        </>
      }
    />
  )
}

/** How often everything is done, and what it is compared with. */
function Repetitions(props: {
  stream: StreamInfo | null
  wrong: readonly string[]
  names: readonly string[]
  baseline: string | null
  titleOf: (id: string) => string
}) {
  const { experimentForm } = useServices()
  const form = useStore(experimentForm)
  const { wrong, names, baseline, titleOf } = props
  const life = lifeOf(props.stream)
  const vary = variedBy(form, life)
  return (
    <Section title="Repetitions" lead={`Every method runs once per ${ONE[vary]} and K.`}>
      {life === null ? null : (
        <Segmented<Repeated>
          label="What differs between repetitions"
          value={vary}
          options={[
            { value: 'worlds', label: 'Worlds' },
            { value: 'orders', label: 'Orders' },
            { value: 'seeds', label: 'Seeds' },
          ]}
          onChange={(value) => form.change({ vary: value })}
        />
      )}
      {vary === 'orders' ? (
        <NumberField
          label="Orders"
          hint={`The tasks of world ${life?.world ?? 1} in so many orders.`}
          width="w-32"
          bounds={BOUNDS.orders}
          value={form.orders}
          onChange={(orders) => form.change({ orders })}
        />
      ) : vary === 'worlds' ? (
        <TextField
          label="Worlds"
          hint="Each world has rules and tasks of its own, so results really differ. Five or more give a sound answer."
          value={form.worlds}
          aria-invalid={wrong.length > 0 || undefined}
          spellCheck={false}
          onChange={(worlds) => form.change({ worlds })}
          className="max-w-72"
        />
      ) : (
        <TextField
          label={<Term name="seed">Seeds</Term>}
          hint="Whole numbers, or a range such as 1-5. A model that is sure gives the same answers with each; worlds of a lifelong stream really differ."
          value={form.seeds}
          aria-invalid={wrong.length > 0 || undefined}
          spellCheck={false}
          onChange={(seeds) => form.change({ seeds })}
          className="max-w-72"
        />
      )}
      <Wrong words={wrong} />
      <ExpChoice />
      <SelectField
        label={
          <>
            Compare with the <Term name="baseline" />
          </>
        }
        name="Baseline"
        className="w-72 max-w-full"
        value={baseline ?? NOTHING}
        options={[
          ...names.map((name) => ({ value: name, label: titleOf(name) })),
          { value: NOTHING, label: 'Nothing' },
        ]}
        onChange={(value) => form.change({ baseline: value === NOTHING ? null : value })}
      />
    </Section>
  )
}

/** How much work it will be, or what is in the way. */
function Work(props: {
  problems: FormReading['problems']
  plan: ExperimentPlan | null
  planProblem: LoamErrorShape | null
  titleOf: (id: string) => string
}) {
  const { problems, plan, planProblem, titleOf } = props
  return (
    <div className="min-w-64 flex-1" role="status" aria-label="How much work this is">
      {problems[0] ? (
        <>
          <p className="font-medium text-notice">{problems[0].words}</p>
          {problems.length > 1 ? (
            <p className="text-xs text-muted">
              and {plural(problems.length - 1, 'more thing', 'more things')} above
            </p>
          ) : null}
        </>
      ) : planProblem ? (
        <>
          <p className="font-medium text-notice">{planProblem.cause}</p>
          <p className="text-xs text-muted">{planProblem.suggestion}</p>
        </>
      ) : plan ? (
        <>
          <p className="font-medium" data-testid="plan">
            {planWords(plan)}
          </p>
          <p className="text-xs text-muted">{planHint(plan, titleOf)}</p>
        </>
      ) : (
        <p className="text-muted">Counting…</p>
      )}
    </div>
  )
}

/** What every method works on. */
function TasksAndModel(props: {
  stream: StreamInfo | null
  model: ModelInfo | null
  choices: { readonly streams: readonly StreamInfo[]; readonly models: readonly ModelInfo[] }
  wrong: readonly string[]
}) {
  const { experimentForm } = useServices()
  const form = useStore(experimentForm)
  const { stream, model, choices, wrong } = props
  return (
    <Section title="Tasks and model" lead="The same for every method.">
      <div className="grid grid-cols-[1fr_1fr_6rem] gap-4 max-[900px]:grid-cols-1">
        <StreamField
          stream={stream}
          streams={choices.streams}
          onChange={(value) => form.change({ stream: value, tasks: null })}
        />
        <ModelField
          model={model}
          models={choices.models}
          onChange={(value) => form.change({ model: value })}
        />
        <TaskCountField
          stream={stream}
          hint="Empty: all"
          value={form.tasks}
          onChange={(tasks) => form.change({ tasks })}
        />
      </div>
      <Wrong words={wrong} />
    </Section>
  )
}

const TYPING_PAUSE_MS = 200

/** What a definition would come to. The last answer stays until the next one is here. */
function usePlan(definition: Study | null) {
  const { client } = useServices()
  const { data: plan, problem } = useQuery(
    'plan',
    definition && (() => client.experiments.plan(definition)),
    JSON.stringify(definition),
    TYPING_PAUSE_MS,
  )
  return { plan, problem }
}

/** Fills the composer with one of the studies that come with Loam; a suite is asked for in a dialog of its own. */
function StudyMenu() {
  const { client, experimentForm } = useServices()
  const [suite, setSuite] = useState<Study | null>(null)
  const { data: studies, problem } = useQuery('studies', () => client.experiments.templates())
  return (
    <>
      <Menu label="Studies" align="end" width="max-w-96" trigger={<Button icon={BookOpen}>Studies</Button>}>
        {problem ? <p className="p-2 text-sm text-danger">{problem.cause}</p> : null}
        {(studies ?? []).map(({ id, description, definition }) => (
          <MenuItem
            key={id}
            detail={description}
            onSelect={() =>
              definition.suite ? setSuite(definition) : experimentForm.getState().load(definition)
            }
          >
            {definition.name ?? id}
          </MenuItem>
        ))}
      </Menu>
      {suite ? <SuiteDialog definition={suite} onClose={() => setSuite(null)} /> : null}
    </>
  )
}
