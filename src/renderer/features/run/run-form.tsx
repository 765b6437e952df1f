import { Play } from '../../components/icons'
import type { ReactNode } from 'react'
import { useStore } from 'zustand'
import type { MethodInfo } from '../../../shared/domain/method'
import type { StreamInfo } from '../../../shared/domain/task'
import { Button } from '../../components/button'
import { ErrorNotice } from '../../components/error-notice'
import { Form } from '../../components/form'
import { Fold } from '../../components/fold'
import { NumberField } from '../../ground/number-field'
import { decimal, NumberFields, optional, whole } from '../../ground/number-fields'
import { SelectField, memoryOptions } from '../../ground/select'
import { Term } from '../../components/term'
import { isExperimentRun } from '../../stores/experiment-feed'
import { toStartInput, withDefaults } from '../../stores/run-form'
import { useServices } from '../../stores/use-services'
import { GeneratedForm } from '../../ground/generated-form'
import type { ModelInfo } from '../../../shared/domain/model'
import { changedSettings, type SettingGroupInfo } from '../../../shared/domain/setting'
import { MethodSettings } from '../../ground/method-settings'
import { ContextField } from '../../ground/task-choice/context-field'
import { ModelField } from '../../ground/task-choice/model-field'
import { TaskCountField } from '../../ground/task-choice/task-count-field'
import { BeforeRun, usePreflight } from './before-run'
import { SoftPromptChoice } from './soft-prompt-choice'
import { StreamField } from '../../ground/task-choice/stream-field'
import { GoLink } from '../../ground/go-to'
import { BOUNDS } from '../../../shared/domain/bounds'

const FRESH = 'fresh'

/** What to run: sensible defaults, one primary button. */
export function RunForm() {
  const { runForm, streams, methods, environments, models, runs } = useServices()
  const form = useStore(runForm)
  const streamState = useStore(streams)
  const methodState = useStore(methods)
  const modelState = useStore(models)
  const busy = useStore(runs, (state) => state.busy)
  const hasRuns = useStore(runs, (state) => state.order.some((id) => !isExperimentRun(id)))
  const choices = {
    streams: streamState.data ?? [],
    methods: methodState.data ?? [],
    models: modelState.data ?? [],
    environments: useStore(environments, ({ data }) => data) ?? [],
  }
  const { stream, method, model } = withDefaults(form, choices)
  const input = toStartInput(form, choices)
  const preflight = usePreflight(input)
  // As the command line does: what cannot go well is not begun.
  const refused = preflight?.notes.some(({ level }) => level === 'refuse') ?? false
  const world = choices.environments.find(({ id }) => id === stream?.environment)
  const problem = [streamState, methodState, modelState].find((state) => state.problem)?.problem
  const reload = () => {
    for (const resource of [streams, methods, models]) void resource.getState().reload()
  }
  return (
    <Form
      className="flex flex-col gap-4"
      onSubmit={() => {
        if (input && !refused) void runs.getState().start(input)
      }}
    >
      {problem ? <ErrorNotice problem={problem} alwaysRetry onRetry={reload} /> : null}
      <StreamField
        stream={stream}
        streams={choices.streams}
        onChange={(value) => form.change({ stream: value, tasks: null })}
      />
      <SelectField
        label={<Term name="method">Method</Term>}
        hint={method?.description}
        name="Method"
        value={method?.id ?? null}
        options={choices.methods.map((item) => ({
          value: item.id,
          label: item.title,
          detail: `${item.description} ${item.source}`,
        }))}
        onChange={(value) => form.change({ method: value, k: null, preset: null, presetChoice: null })}
      />
      <ModelField model={model} models={choices.models} onChange={(value) => form.change({ model: value })} />
      <Numbers method={method} stream={stream} usualK={preflight?.k ?? method?.defaultK} />
      <MemoryChoice />
      <SoftPromptChoice stream={stream?.id ?? null} model={model?.path ?? null} />
      {method && (method.settings || method.presets.length > 0) ? (
        <Folded
          title="Method settings"
          changed={method.settings ? changedSettings(method.settings, form.settings) : 0}
        >
          <MethodSettings
            method={method}
            changes={form.settings}
            onChange={(settings) => form.change({ settings })}
            environment={stream?.environment ?? null}
            others={
              world
                ? [world.settings, ...(world.player ? [world.player] : []), world.presentation, world.roles]
                : []
            }
            preset={form.preset}
            presetChoice={form.presetChoice}
            onPresetChoice={(presetChoice) => form.change({ presetChoice })}
            onPreset={(preset, numbers) =>
              form.change({ preset, ...numbers, ...withinContext(numbers, model?.trainContext ?? null) })
            }
          />
        </Folded>
      ) : null}
      <Writing trainContext={model?.trainContext ?? null} />
      {world ? (
        <>
          <GroupOf group={world.settings} title="Task settings" />
          {world.player ? <GroupOf group={world.player} /> : null}
          <GroupOf group={world.presentation} />
          <GroupOf group={world.roles} models={choices.models} />
        </>
      ) : null}
      {preflight ? <BeforeRun preflight={preflight} /> : null}
      <Button
        look={hasRuns ? 'primary' : 'secondary'}
        type="submit"
        icon={Play}
        disabled={!input || refused || busy !== null}
      >
        {busy === 'start' ? 'Starting…' : 'Start run'}
      </Button>
      {modelState.status === 'ready' && !model ? (
        <p className="text-sm text-muted">
          No usable model was found. <GoLink to="models">See the models</GoLink>
        </p>
      ) : null}
    </Form>
  )
}

/** Which memory the run goes on with. */
function MemoryChoice() {
  const { runForm, memories } = useServices()
  const form = useStore(runForm)
  const memoryList = useStore(memories, (state) => state.memories)
  return (
    <SelectField
      label="Memory"
      hint={form.memoryId === null ? 'Starts empty, so the curve shows learning from nothing.' : null}
      value={form.memoryId ?? FRESH}
      options={[
        { value: FRESH, label: 'A fresh memory' },
        // A run never changes My memory.
        ...memoryOptions(memoryList.filter(({ role }) => role === 'mine')).map((option) => ({
          ...option,
          label: 'A copy of My memory',
        })),
        ...memoryOptions(memoryList.filter(({ role }) => role === 'lab')),
      ]}
      onChange={(value) => form.change({ memoryId: value === FRESH ? null : value })}
    />
  )
}

/** One group of settings of the tasks' world, folded away; nothing where it has none. */
function GroupOf({ group, title = group.title, models }: GroupOfProps) {
  const { runForm } = useServices()
  const { settings, change } = useStore(runForm)
  if (group.fields.length === 0) return null
  return (
    <Folded title={title} changed={changedSettings(group, settings)}>
      <GeneratedForm
        group={group}
        changes={settings}
        onChange={(next) => change({ settings: next })}
        {...(models && { models })}
      />
    </Folded>
  )
}

interface GroupOfProps {
  readonly group: SettingGroupInfo
  /** Default: the group's own. */
  readonly title?: string
  readonly models?: readonly ModelInfo[]
}

/** Settings that most people leave alone, with how many were changed. */
const Folded = ({ title, changed, children }: { title: string; changed: number; children: ReactNode }) => (
  <Fold
    title={
      <>
        {title}
        {changed > 0 ? <span className="font-normal text-accent">{changed} changed</span> : null}
      </>
    }
  >
    <div className="pt-3">{children}</div>
  </Fold>
)

/** A published context, cut to what the model was trained for; left alone where that is not known. */
const withinContext = ({ contextSize }: { contextSize?: number }, trainContext: number | null) =>
  contextSize === undefined
    ? {}
    : { contextSize: trainContext === null ? null : Math.min(contextSize, trainContext) }

const WRITING = [
  optional(decimal('temperature', 'Temperature', null, BOUNDS.temperature), '0.2'),
  optional(whole('maxTokens', 'Longest reply', null, BOUNDS.maxTokens, 'Longest reply, tokens'), '512'),
]

/** How the model writes. */
function Writing({ trainContext }: { trainContext: number | null }) {
  const { runForm } = useServices()
  const form = useStore(runForm)
  const changedCount = [form.temperature, form.maxTokens, form.contextSize].filter(
    (one) => one !== null,
  ).length
  return (
    <Folded title="Writing" changed={changedCount}>
      <div className="grid grid-cols-[minmax(0,5fr)_minmax(0,4fr)_minmax(0,8fr)] gap-2">
        <NumberFields fields={WRITING} values={form} onChange={form.change} />
        <ContextField
          value={form.contextSize}
          usual={trainContext}
          onChange={(contextSize) => form.change({ contextSize })}
        />
      </div>
    </Folded>
  )
}

/** Seed, K and how many tasks. */
function Numbers(props: {
  method: MethodInfo | null
  stream: StreamInfo | null
  /** What counts where K is left empty. */
  usualK: number | undefined
}) {
  const { method, stream, usualK } = props
  const { runForm } = useServices()
  const form = useStore(runForm)
  return (
    <div className="grid grid-cols-[minmax(0,5fr)_minmax(0,4fr)_minmax(0,8fr)] gap-2">
      <NumberField
        label="Seed"
        name="Seed"
        value={form.seed}
        bounds={BOUNDS.seed}
        onChange={(seed) => form.change({ seed })}
      />
      <NumberField
        label={<Term name="K" />}
        name="K: items recalled per task"
        optional
        value={method?.usesK ? form.k : null}
        bounds={BOUNDS.k}
        placeholder={method?.usesK ? String(usualK) : '–'}
        disabled={method !== null && !method.usesK}
        onChange={(k) => form.change({ k })}
      />
      <TaskCountField stream={stream} value={form.tasks} onChange={(tasks) => form.change({ tasks })} />
    </div>
  )
}
