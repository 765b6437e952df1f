import { Play } from '../../components/icons'
import { useState, type ReactNode } from 'react'
import { BOUNDS } from '../../../shared/domain/bounds'
import type { BuildEstimate } from '../../../shared/domain/guide-build'
import {
  DEFAULT_SEARCH,
  searchStrategySchema,
  type SearchSettings,
} from '../../../shared/domain/guide-search'
import type { StreamInfo } from '../../../shared/domain/task'
import type { LoamErrorShape } from '../../../shared/errors'
import { Button } from '../../components/button'
import { ErrorNotice } from '../../components/error-notice'
import { Form } from '../../components/form'
import { formatCount, formatDuration, plural } from '../../components/format'
import { TextLink } from '../../components/row-link'
import { PageHead } from '../../components/screen'
import { Segmented } from '../../components/segmented'
import { SwitchLine } from '../../components/switch'
import { Term } from '../../components/term'
import { NumberField } from '../../ground/number-field'
import { SelectField } from '../../ground/select'
import { EnvironmentTitle } from '../../ground/task-choice/environment-name'
import { ModelField } from '../../ground/task-choice/model-field'
import { StreamField } from '../../ground/task-choice/stream-field'
import { useQuery } from '../../ground/use-query'
import { withDefaults } from '../../stores/run-form'
import { useServices, useStored } from '../../stores/use-services'
import { RubricsDialog } from './rubrics-dialog'
import { STRATEGY_WORDS } from './words'

const STRATEGY_HINTS: Record<SearchSettings['strategy'], string> = {
  mcts: 'Weighs what looks best against what was tried little, and can go back.',
  greedy: 'Always goes on from the best variant of the last round.',
  iterative: 'Rewrites the newest guide once per round; the cheapest.',
}

type NumberKey = {
  [Key in keyof SearchSettings]: SearchSettings[Key] extends number ? Key : never
}[keyof SearchSettings]

/** What to build documents from, how to search, and what it may take. */
export function BuildForm() {
  const { guides } = useServices()
  const { form } = useStored('guides')
  const { change, start } = guides.getState()
  const choices = {
    streams: useStored('streams', (state) => state.data) ?? [],
    methods: [],
    models: useStored('models', (state) => state.data) ?? [],
  }
  const { stream, model } = withDefaults({ ...form, method: null }, choices)
  const [refused, setProblem] = useState<LoamErrorShape | null>(null)
  const [busy, setBusy] = useState(false)
  const { data: estimate, problem: estimateProblem } = useEstimate(stream?.id ?? null, model?.path ?? null)
  const problem = refused ?? estimateProblem
  const tooMany = estimate !== null && isShort(estimate)
  const begin = async () => {
    if (!stream || !model) return
    setBusy(true)
    setProblem(await start(stream.id, model.path))
    setBusy(false)
  }
  return (
    <Form
      aria-label="New build"
      className="mx-auto flex max-w-3xl flex-col gap-6 p-6"
      onSubmit={() => void begin()}
    >
      <PageHead
        title="Build guides"
        lead={
          <>
            The model tries the first tasks of a stream, writes down <Term name="insight">insights</Term>, and
            gathers them into one <Term name="guide">guide</Term> per concept. A search then improves each
            guide and keeps the one that helps most.
          </>
        }
        actions={
          <Button look="primary" type="submit" icon={Play} disabled={busy || !stream || !model || tooMany}>
            Start
          </Button>
        }
      />
      {problem ? <ErrorNotice problem={problem} /> : null}
      <div className="grid grid-cols-2 gap-4 max-[1000px]:grid-cols-1">
        <StreamField
          stream={stream}
          streams={choices.streams}
          onChange={(value) => change({ stream: value })}
        />
        <ModelField model={model} models={choices.models} onChange={(value) => change({ model: value })} />
      </div>
      <TaskNumbers stream={stream} estimate={estimate} />
      <SearchNumbers />
      <Numbers title="Budget" keys={['tokenBudget', 'minuteBudget']}>
        {estimate && !tooMany ? <EstimateWords estimate={estimate} /> : null}
      </Numbers>
      <SwitchLine
        label="Let me look at the concepts first"
        detail="The build stops once it has found them, so that you can rename, merge or split before the search."
        checked={form.review}
        onChange={(review) => change({ review })}
      />
    </Form>
  )
}

/** Whether the stream has fewer tasks left than are wanted. */
const isShort = ({ train, evaluation, fresh }: BuildEstimate): boolean => fresh < train + evaluation

/** What the form's build would take; reckoned again when something of it changes. */
function useEstimate(stream: string | null, model: string | null) {
  const { client } = useServices()
  const { memoryId, form } = useStored('guides')
  const { settings } = form
  return useQuery(
    memoryId ?? '',
    memoryId === null || stream === null || model === null
      ? null
      : () => client.guides.estimate({ memoryId, stream, model, settings }),
    JSON.stringify([stream, model, settings]),
    RECKON_AFTER_MS,
  )
}

/** A form that is being typed into is reckoned when the typing rests. */
const RECKON_AFTER_MS = 200

/** How many attempts and texts, and how long, before anything is started. */
function EstimateWords({ estimate }: { estimate: BuildEstimate }) {
  const { attempts, writings, concepts, mostConcepts, mostAttempts, mostWritings, minutes, mostMinutes } =
    estimate
  const time = (value: number | null) => (value === null ? '' : `, ${formatDuration(value * 60_000)}`)
  return (
    <div role="status" aria-label="What it takes" className="text-sm text-muted">
      <p>
        About {formatCount(attempts)} attempts and {formatCount(writings)} texts for{' '}
        {plural(concepts, 'concept')}
        {time(minutes)}; at most {formatCount(mostAttempts)} and {formatCount(mostWritings)} for{' '}
        {plural(mostConcepts, 'concept')}
        {time(mostMinutes)}. Attempts that come again are made once.
      </p>
      {minutes === null ? (
        <p>How long that takes is known once this model has worked on such tasks in this memory.</p>
      ) : null}
    </div>
  )
}

/** The settings of the search are those of the method that reads what it builds. */
function useSearchField(key: keyof SearchSettings) {
  return useStored('methods', ({ data }) =>
    data
      ?.find(({ keeps }) => keeps.includes('document'))
      ?.settings?.fields.find((field) => field.key === key),
  )
}

/** Numbers of the search under one heading, with what else belongs there. */
function Numbers(props: {
  title: ReactNode
  keys: readonly NumberKey[]
  /** Above the numbers. */
  lead?: ReactNode
  /** Behind the numbers, in the same grid. */
  more?: ReactNode
  /** Below the numbers. */
  children?: ReactNode
  estimate?: BuildEstimate | null
}) {
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-2 font-medium">{props.title}</legend>
      {props.lead}
      <div className="grid grid-cols-3 gap-4 max-[1000px]:grid-cols-2">
        {props.keys.map((key) => (
          <SearchField key={key} name={key} estimate={props.estimate} />
        ))}
        {props.more}
      </div>
      {props.children}
    </fieldset>
  )
}

/** Tasks differ by environment, so that the host says how many there are; all else is the default. */
const ownDefault = <Key extends keyof SearchSettings>(name: Key, estimate: BuildEstimate | null) =>
  (name === 'train' ? estimate?.train : undefined) ?? DEFAULT_SEARCH[name]

/** One setting of the search, in the method's words: a number, or one of several ways. */
function SearchField(props: {
  name: NumberKey | 'retrieveAt' | 'choose'
  estimate?: BuildEstimate | null | undefined
}) {
  const { name, estimate = null } = props
  const { guides } = useServices()
  const value = useStored('guides', ({ form }) => form.settings[name] ?? ownDefault(name, estimate))
  const field = useSearchField(name)
  const change = (next: string | number) => guides.getState().search({ [name]: next })
  if (field?.kind === 'number' && typeof value === 'number') {
    const { title, help, whole, min, max } = field
    return (
      <NumberField
        label={title}
        hint={help}
        fraction={!whole}
        value={value}
        bounds={[min, max]}
        onChange={change}
      />
    )
  }
  if (field?.kind !== 'choice' || typeof value !== 'string') return null
  const options = field.choices.map(({ value: way, title }) => ({ value: way, label: title }))
  return (
    <SelectField label={field.title} hint={field.help} value={value} options={options} onChange={change} />
  )
}

/** How many tasks, and what attempts are judged by. */
function TaskNumbers(props: { stream: StreamInfo | null; estimate: BuildEstimate | null }) {
  const { stream, estimate } = props
  const [rubrics, setRubrics] = useState(false)
  return (
    <Numbers title="Tasks" keys={['train', 'evaluation', 'queries', 'concepts', 'shown']} estimate={estimate}>
      {estimate !== null && isShort(estimate) ? (
        <p role="status" className="text-sm text-notice">
          The stream has {plural(estimate.fresh, 'task')} that no build here had yet;{' '}
          {estimate.train + estimate.evaluation} are wanted. Ask for fewer.
        </p>
      ) : null}
      <p className="text-sm text-muted">
        Attempts are graded by the environment, and by a judge with <Term name="rubric">rubrics</Term>.{' '}
        {stream ? (
          <TextLink onClick={() => setRubrics(true)}>
            Rubrics for <EnvironmentTitle id={stream.environment} />
          </TextLink>
        ) : null}
      </p>
      {stream && rubrics ? (
        <RubricsDialog environment={stream.environment} onClose={() => setRubrics(false)} />
      ) : null}
    </Numbers>
  )
}

const SEARCH_NUMBERS: Record<SearchSettings['strategy'], readonly NumberKey[]> = {
  mcts: ['iterations', 'width', 'depth', 'lambda'],
  greedy: ['iterations', 'width', 'lambda'],
  iterative: ['iterations', 'lambda'],
}

/** How documents are improved. */
function SearchNumbers() {
  const { form, change, search } = useStored('guides')
  const { strategy } = { ...DEFAULT_SEARCH, ...form.settings }
  return (
    <Numbers
      title={<Term name="expand and gather">Search</Term>}
      keys={SEARCH_NUMBERS[strategy]}
      lead={
        <div className="flex flex-col items-start gap-1">
          <Segmented
            label="Strategy"
            value={strategy}
            options={searchStrategySchema.options.map((value) => ({ value, label: STRATEGY_WORDS[value] }))}
            onChange={(value) => search({ strategy: value })}
          />
          <p className="text-xs text-muted">{STRATEGY_HINTS[strategy]}</p>
        </div>
      }
      more={
        <>
          <NumberField
            label="Seed"
            hint="Fixes all chance."
            value={form.seed}
            bounds={BOUNDS.seed}
            onChange={(seed) => change({ seed })}
          />
          <SearchField name="retrieveAt" />
          {strategy === 'iterative' ? null : <SearchField name="choose" />}
        </>
      }
    />
  )
}
