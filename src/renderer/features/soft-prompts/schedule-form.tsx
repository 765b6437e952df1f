import { useStore } from 'zustand'
import type {
  TrainInput,
  ScheduleRule,
  SoftPromptListView,
} from '../../../shared/domain/soft-prompt-training'
import { optionsOf } from '../../components/options'
import { formatWhen, plural } from '../../components/format'
import { NumberBox } from '../../ground/number-field'
import { Segmented } from '../../components/segmented'
import { useServices } from '../../stores/use-services'
import { ruleWords } from './words'

const KINDS = optionsOf({ manual: 'By hand', solved: 'After new tasks', idle: 'When idle' })

/** When the memory trains by itself. What it then trains is what the form above says at that moment. */
export function ScheduleForm({
  softPromptList,
  input,
}: {
  softPromptList: SoftPromptListView
  input: TrainInput | null
}) {
  const { softPrompts: consolidation } = useServices()
  const { busy, setSchedule } = useStore(consolidation)
  const { rule, lastAt } = softPromptList.schedule
  const choose = (next: ScheduleRule) => void setSchedule(next, next.kind === 'manual' ? null : input)
  return (
    <section aria-label="Schedule" className="flex flex-col gap-3 rounded-lg border bg-surface p-4">
      <div>
        <h2 className="font-medium">When to train</h2>
        <p className="text-sm text-muted">
          {ruleWords(rule)}
          {rule.kind === 'manual' ? '.' : ', with the settings above as they were when you chose this.'} What
          comes of it waits for your decision.
        </p>
      </div>
      <div className="flex flex-wrap items-center gap-3">
        <Segmented
          label="When to train"
          value={rule.kind}
          options={KINDS}
          onChange={(kind) => {
            if (busy || (kind !== 'manual' && input === null)) return
            choose(
              kind === 'manual' ? { kind } : kind === 'solved' ? { kind, tasks: 50 } : { kind, minutes: 10 },
            )
          }}
        />
        <After rule={rule} onChange={choose} />
      </div>
      <p className="text-sm text-muted">
        {plural(softPromptList.newlySolved, 'task')} solved since the newest soft prompt.
        {lastAt === null ? '' : ` The schedule last began on ${formatWhen(lastAt)}.`}
      </p>
    </section>
  )
}

/** `after 50 newly solved tasks`, with the number to type; nothing for a schedule without one. */
function After({ rule, onChange }: { rule: ScheduleRule; onChange(rule: ScheduleRule): void }) {
  if (rule.kind === 'manual') return null
  const [words, name, max] =
    rule.kind === 'solved'
      ? (['newly solved tasks', 'Newly solved tasks', 100_000] as const)
      : (['minutes with nothing to do', 'Idle minutes', 10_080] as const)
  return (
    <div className="flex items-center gap-2 text-sm">
      after
      <NumberBox
        label={name}
        className="w-24"
        value={rule.kind === 'solved' ? rule.tasks : rule.minutes}
        bounds={[rule.kind === 'solved' ? 2 : 1, max]}
        onChange={(value) =>
          onChange(
            rule.kind === 'solved' ? { kind: 'solved', tasks: value } : { kind: 'idle', minutes: value },
          )
        }
      />
      {words}
    </div>
  )
}
