import { Plus, Trash2 } from '../../components/icons'
import { useStore } from 'zustand'
import type { MethodInfo } from '../../../shared/domain/method'
import { Button } from '../../components/button'
import { plural } from '../../components/format'
import { IconButton } from '../../components/icon-button'
import { Summary } from '../../components/fold'
import { decimal, NumberFields, optional, whole } from '../../ground/number-fields'
import { ContextField } from '../../ground/task-choice/context-field'
import { TextField } from '../../ground/text-field'
import { SelectField } from '../../ground/select'
import { Term } from '../../components/term'
import type { VariantDraft } from '../../stores/experiment-form'
import { useServices } from '../../stores/use-services'
import { MethodSettings } from '../../ground/method-settings'
import { Section, Wrong } from './section'
import { BOUNDS } from '../../../shared/domain/bounds'

export interface MoreSettingsProps {
  /** What the tasks are of; null while that is not known. */
  environment: string | null
  methods: readonly MethodInfo[]
  /** Tokens the chosen model was trained for; null when it does not say. */
  trainContext: number | null
  wrongVariants: readonly string[]
  wrongProtocol: readonly string[]
}

const REPETITIONS = [
  whole('iterations', 'Iterations', 'The whole stream again (Memento).', BOUNDS.iterations),
  whole('passes', 'Passes', 'Only what is unsolved again; gives pass@1 to pass@k (Agent KB).', BOUNDS.passes),
  whole(
    'retest',
    'Tasks tested again',
    'First tasks once more at the end, to see what was forgotten.',
    BOUNDS.retest,
  ),
  whole(
    'test',
    'Tasks that only test',
    'The last ones, once after all others; nothing is learned from them (GAIA’s test split).',
    [0, BOUNDS.test[1]],
  ),
]

const AGAIN = [
  optional(
    decimal(
      'againTemperature',
      'Temperature of further attempts',
      'Of iterations and passes after the first: high enough, and a model without memory tries something else, too.',
      BOUNDS.temperature,
    ),
    'the same',
  ),
]

const WRITING = [
  decimal(
    'temperature',
    'Temperature',
    '0 always takes the likeliest word, and then all seeds are alike.',
    BOUNDS.temperature,
  ),
  whole('maxTokens', 'Longest reply', 'Tokens per round.', BOUNDS.maxTokens),
  whole(
    'inFlight',
    'Cells at a time',
    '1: as many as a small model gains from, with the same results. Larger numbers may differ in the last digit.',
    BOUNDS.inFlight,
  ),
]

/** What most experiments leave alone: variants of methods, iterations and passes, how the model writes. */
export function MoreSettings(props: MoreSettingsProps) {
  const { environment, methods, trainContext, wrongVariants, wrongProtocol } = props
  const { experimentForm } = useServices()
  const form = useStore(experimentForm)
  const wrong = wrongVariants.length + wrongProtocol.length
  return (
    <details
      className="group border-t py-5"
      open={form.more}
      onToggle={(event) => form.change({ more: event.currentTarget.open })}
    >
      <Summary>
        More settings
        <span className="text-sm font-normal text-muted">
          {wrong > 0
            ? 'something here needs a look'
            : form.variants.length > 0
              ? plural(form.variants.length, 'variant')
              : 'what most experiments leave alone'}
        </span>
      </Summary>
      <div className="pt-5">
        <Section
          title={
            <>
              Variants (<Term name="ablation">ablations</Term>)
            </>
          }
          lead="A method once more with something changed or switched off."
        >
          <Variants methods={methods} environment={environment} />
          <Wrong words={wrongVariants} />
        </Section>
        <Section title="How often" lead="Over the same tasks, with the memory kept.">
          <div className="grid grid-cols-3 gap-4 max-[700px]:grid-cols-1">
            <NumberFields fields={REPETITIONS} values={form} onChange={form.change} />
            <NumberFields fields={AGAIN} values={form} onChange={form.change} />
          </div>
          <Wrong words={wrongProtocol} />
        </Section>
        <Section title="How the model writes">
          <div className="grid grid-cols-2 gap-4 max-[700px]:grid-cols-1">
            <NumberFields fields={WRITING} values={form} onChange={form.change} />
            <ContextField
              hint="Tokens the model may read at once; empty takes its own."
              value={form.contextSize}
              usual={trainContext === null ? null : Math.min(8192, trainContext)}
              onChange={(contextSize) => form.change({ contextSize })}
            />
          </div>
        </Section>
        <Section title="Name" lead="For the list and the file.">
          <input
            aria-label="Name of the experiment"
            value={form.name}
            maxLength={80}
            placeholder="Named after methods and stream"
            onChange={(event) => form.change({ name: event.target.value })}
            className="h-8 rounded-md border bg-surface px-2.5 placeholder:text-faint"
          />
        </Section>
      </div>
    </details>
  )
}

interface VariantProps {
  variant: VariantDraft
  methods: readonly MethodInfo[]
  environment: string | null
}

function Variants({ methods, environment }: Omit<VariantProps, 'variant'>) {
  const { experimentForm } = useServices()
  const variants = useStore(experimentForm, (state) => state.variants)
  const choices = useStore(experimentForm, (state) => state.methods)
  const adjustable = methods.filter(({ settings }) => settings !== null)
  const next = adjustable.find(({ id }) => choices.includes(id)) ?? adjustable[0]
  return (
    <>
      {variants.map((variant) => (
        <Variant key={variant.id} variant={variant} methods={adjustable} environment={environment} />
      ))}
      {next ? (
        <Button
          icon={Plus}
          className="self-start"
          onClick={() => experimentForm.getState().addVariant(next.id)}
        >
          Add a variant
        </Button>
      ) : null}
    </>
  )
}

/** What a variant has in place of the experiment's, in words. */
function OwnNumbers({ variant }: { variant: VariantDraft }) {
  const { preset, k, temperature, maxTokens, contextSize } = variant
  const words = [
    ...(preset === undefined ? [] : [`preset ${preset}`]),
    ...(k === undefined ? [] : [`K ${k}`]),
    ...(temperature === undefined ? [] : [`temperature ${temperature}`]),
    ...(maxTokens === undefined ? [] : [`replies of at most ${maxTokens} tokens`]),
    ...(contextSize === undefined ? [] : [`a context of ${contextSize} tokens`]),
  ]
  return words.length === 0 ? null : (
    <p className="mt-2 text-sm text-muted">For this variant alone: {words.join(', ')}.</p>
  )
}

function Variant({ variant, methods, environment }: VariantProps) {
  const { experimentForm } = useServices()
  const { changeVariant, removeVariant } = experimentForm.getState()
  const { id, name, method, settings, preset, presetChoice } = variant
  const own = methods.find((item) => item.id === method)
  return (
    <div role="group" aria-label={`Variant ${name}`} className="rounded-lg border bg-surface p-3">
      <div className="mb-3 flex items-end gap-2">
        <div className="grid min-w-0 flex-1 grid-cols-2 gap-2">
          <SelectField
            label="Variant of"
            value={method}
            options={methods.map((item) => ({
              value: item.id,
              label: item.title,
              detail: item.description,
            }))}
            onChange={(value) =>
              changeVariant(id, {
                method: value,
                settings: {},
                ...{
                  preset: undefined,
                  presetChoice: undefined,
                  k: undefined,
                  temperature: undefined,
                  maxTokens: undefined,
                  contextSize: undefined,
                },
                // A name that was made up by us follows the method.
                ...(name.startsWith(`${method}-`) && { name: name.replace(method, value) }),
              })
            }
          />
          <TextField
            label="Called"
            value={name}
            spellCheck={false}
            onChange={(value) => changeVariant(id, { name: value })}
          />
        </div>
        <IconButton icon={Trash2} label={`Remove ${name}`} onClick={() => removeVariant(id)} />
      </div>
      {own ? (
        <MethodSettings
          method={own}
          changes={settings}
          onChange={(change) => changeVariant(id, { settings: change })}
          environment={environment}
          preset={preset ?? null}
          presetChoice={presetChoice ?? null}
          onPresetChoice={(choice) => changeVariant(id, { presetChoice: choice ?? undefined })}
          onPreset={(name, numbers) => changeVariant(id, { ...numbers, preset: name ?? undefined })}
        />
      ) : null}
      <OwnNumbers variant={variant} />
    </div>
  )
}
