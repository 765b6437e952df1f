import { TitleAndLead } from '../../components/title-and-lead'
import { Sparkles } from '../../components/icons'
import { useStore } from 'zustand'
import {
  SHOWN_PRESETS,
  trainerBackendSchema,
  type TrainInput,
} from '../../../shared/domain/soft-prompt-training'
import type { ModelInfo } from '../../../shared/domain/model'
import type { StreamInfo } from '../../../shared/domain/task'
import { Button } from '../../components/button'
import { ErrorNotice } from '../../components/error-notice'
import { Form } from '../../components/form'
import { Summary } from '../../components/fold'
import { formatBytes } from '../../components/format'
import { SwitchLine } from '../../components/switch'
import { Term } from '../../components/term'
import { isWorking, type TrainingForm } from '../../stores/soft-prompts'
import { useServices } from '../../stores/use-services'
import { NumberField } from '../../ground/number-field'
import { NumberFields, whole } from '../../ground/number-fields'
import { SelectField } from '../../ground/select'
import { ModelField } from '../../ground/task-choice/model-field'
import { StreamField } from '../../ground/task-choice/stream-field'
import { PlanView } from './plan-view'
import { BOUNDS } from '../../../shared/domain/bounds'
import { useQuery } from '../../ground/use-query'

export interface TrainFormProps {
  readonly input: TrainInput | null
  readonly stream: StreamInfo | null
  readonly model: ModelInfo | null
}

const NUMBERS = [
  whole(
    'teacher',
    <Term name="teacher">Teacher reads</Term>,
    'Solved tasks it is shown. EvoSC: 20.',
    BOUNDS.teacher,
    'Solved tasks the teacher reads',
  ),
  whole(
    'student',
    <Term name="student">Student reads</Term>,
    'As many as runs show; 0 if prompts shall hold none. EvoSC: 8.',
    BOUNDS.student,
    'Solved tasks the student reads',
  ),
  whole(
    'length',
    'Length',
    'Tokens it takes in every prompt. 0: as many as suit the model. EvoSC: 20.',
    [0, BOUNDS.length[1]],
    'Length in tokens',
  ),
  whole(
    'steps',
    'Steps',
    'At most; it ends earlier once nothing more is gained.',
    BOUNDS.steps,
    'Most steps',
  ),
  whole(
    'compare',
    'Try it on',
    'Tasks of the stream it did not learn from. 0: none.',
    BOUNDS.compared,
    'Tasks to try it on',
  ),
]

const SHOWN = [
  ...SHOWN_PRESETS.map(({ id, title }) => ({ value: id, label: title })),
  { value: 'own', label: 'Own numbers' },
] as const
const BACKEND_WORDS = { cpu: 'the processor', cuda: 'CUDA', vulkan: 'Vulkan', metal: 'Metal' } as const
const BACKENDS = trainerBackendSchema.options.map((value) => ({ value, label: BACKEND_WORDS[value] }))

/** The preset that a form's numbers are. */
const shownId = ({ teacher, student }: Pick<TrainingForm, 'teacher' | 'student'>) =>
  SHOWN_PRESETS.find((one) => one.teacher === teacher && one.student === student)?.id ?? 'own'

/** What to train, and beforehand what that would take. */
export function TrainForm({ input, stream, model }: TrainFormProps) {
  const { softPrompts: consolidation, streams, models } = useServices()
  const { form, work, softPromptList, busy, change, start } = useStore(consolidation)
  const streamList = useStore(streams, (state) => state.data)
  const modelList = useStore(models, (state) => state.data)
  const { plan, problem } = usePlan(input, softPromptList?.newlySolved)
  const blocked = plan?.refusal ?? (plan?.untie && !form.untie ? 'untie' : null)
  return (
    <Form
      aria-label="Train a soft prompt"
      className="flex flex-col gap-4 rounded-lg border bg-surface p-4"
      onSubmit={() => {
        if (input && plan && !blocked) void start(input)
      }}
    >
      <div className="flex flex-wrap items-start gap-x-6 gap-y-2">
        <TitleAndLead
          as="h2"
          className="min-w-64"
          title="Train a new one"
          lead={
            <>
              A <Term name="teacher">teacher</Term> that reads many solved tasks shows how to act; the{' '}
              <Term name="soft prompt">soft prompt</Term> learns to bring about the same without them.
            </>
          }
        />
        <Button
          look="primary"
          type="submit"
          icon={Sparkles}
          disabled={!input || !plan || blocked !== null || busy || isWorking(work)}
        >
          Train
        </Button>
      </div>
      <div className="grid grid-cols-2 gap-4 max-[760px]:grid-cols-1">
        <StreamField
          stream={stream}
          streams={streamList ?? []}
          onChange={(value) => change({ stream: value })}
        />
        <ModelField
          model={model}
          models={modelList ?? []}
          onChange={(value) => change({ model: value, untie: false })}
        />
      </div>
      <details className="group">
        <Summary>Settings</Summary>
        <div className="grid grid-cols-3 gap-4 pt-3 max-[1000px]:grid-cols-2">
          <SelectField
            label="Sizes"
            hint="How much of the past teacher and student read."
            value={shownId(form)}
            options={SHOWN}
            onChange={(id) => {
              const preset = SHOWN_PRESETS.find((one) => one.id === id)
              if (preset) change({ teacher: preset.teacher, student: preset.student })
            }}
          />
          <NumberFields fields={NUMBERS} values={form} onChange={change} />
          <SelectField
            label="Train on"
            hint="Where a card cannot train, or learns something else than the processor, the processor does it, and says why."
            value={form.backend}
            options={BACKENDS}
            onChange={(backend) => change({ backend })}
          />
          <NumberField
            label="Beginning at task"
            name="First task to try it on"
            hint="Empty: the last tasks of the stream."
            optional
            value={form.compareFrom === null ? null : form.compareFrom + 1}
            bounds={[1, stream?.tasks ?? BOUNDS.tasks[1]]}
            placeholder="the last ones"
            onChange={(first) => change({ compareFrom: first === null ? null : first - 1 })}
          />
        </div>
      </details>
      {problem ? <ErrorNotice problem={problem} /> : null}
      {plan?.untie ? (
        <SwitchLine
          label="Allow an untied copy of the model"
          detail={`This model uses its embeddings twice, so it needs a copy that does not: ${formatBytes(plan.untie.bytes)} on disk, ${formatBytes(plan.untie.extraBytes)} more memory, the same answers. The soft prompt then belongs to the copy.`}
          checked={form.untie}
          onChange={(untie) => change({ untie })}
          className="rounded-lg border border-line bg-notice-soft p-3"
        />
      ) : null}
      {plan ? (
        <PlanView plan={plan} />
      ) : problem || !input ? null : (
        <p className="text-sm text-muted">Counting…</p>
      )}
    </Form>
  )
}

const TYPING_PAUSE_MS = 250

/** What a training would come to; asked again when `of` changes. The last answer stays until the next one is here. */
function usePlan(input: TrainInput | null, of: number | undefined) {
  const { client } = useServices()
  const { data: plan, problem } = useQuery(
    'plan',
    input && (() => client.softPrompts.plan(input)),
    `${of}/${JSON.stringify(input)}`,
    TYPING_PAUSE_MS,
  )
  return { plan, problem }
}
