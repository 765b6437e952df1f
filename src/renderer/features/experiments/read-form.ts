import type { Study } from '../../../shared/domain/experiment'
import type { ModelInfo } from '../../../shared/domain/model'
import type { MethodInfo } from '../../../shared/domain/method'
import { readPreset, spelledOut } from '../../../shared/domain/preset'
import { changedSettings } from '../../../shared/domain/setting'
import type { StreamInfo } from '../../../shared/domain/task'
import { fileName } from '../../components/format'
import type { ExperimentForm, Repeated, VariantDraft } from '../../stores/experiment-form'
import { modelFor } from '../../stores/run-form'
import { BOUNDS } from '../../../shared/domain/bounds'

export interface ExperimentChoices {
  readonly streams: readonly StreamInfo[]
  readonly methods: readonly MethodInfo[]
  readonly models: readonly ModelInfo[]
}

/** Where in the form a problem is. */
export type FormPlace = 'stream' | 'model' | 'methods' | 'seeds' | 'variants' | 'protocol'

export interface FormProblem {
  readonly place: FormPlace
  /** One sentence that says what to do. */
  readonly words: string
}

export interface FormReading {
  /** Null while there are problems. */
  readonly definition: Study | null
  readonly problems: readonly FormProblem[]
  readonly stream: StreamInfo | null
  readonly model: ModelInfo | null
  /** What can be the baseline: the chosen methods and variants, in order. */
  readonly names: readonly string[]
  /** The baseline that counts; null when it is not among the chosen. */
  readonly baseline: string | null
}

const MOST_SEEDS = 100
const [, LARGEST_SEED] = BOUNDS.seed
const MOST_METHODS = 32
const VARIANT_NAME = /^[a-zA-Z0-9][a-zA-Z0-9._+-]{0,39}$/

/** Seeds, or worlds, from `1, 2, 3` or `1-5`; words that say what is wrong otherwise. */
export function readSeeds(text: string, what: 'seed' | 'world' = 'seed'): number[] | string {
  const seeds: number[] = []
  const title = what === 'seed' ? 'Seed' : 'World'
  for (const part of text.split(/[\s,;]+/).filter((each) => each !== '')) {
    const range = /^(\d+)(?:[-–](\d+))?$/.exec(part)
    if (!range) return `“${part}” is not a ${what}. Write whole numbers, such as 1, 2, 3 or 1-5.`
    const from = Number(range[1])
    const to = Number(range[2] ?? range[1])
    if (to < from) return `“${part}” runs backwards. Write the smaller number first.`
    if (to > LARGEST_SEED) return `${title}s go up to ${LARGEST_SEED}.`
    if (seeds.length + to - from + 1 > MOST_SEEDS) return `Name at most ${MOST_SEEDS} ${what}s.`
    for (let seed = from; seed <= to; seed += 1) {
      if (seeds.includes(seed)) return `${title} ${seed} is named twice.`
      seeds.push(seed)
    }
  }
  return seeds.length === 0 ? `Name at least one ${what}, such as 1.` : seeds
}

/** The stream with that id, or the file of that name for definitions that came from elsewhere. */
function findStream(id: string | null, streams: readonly StreamInfo[]): StreamInfo | null {
  if (id === null) return streams.find((item) => item.demo) ?? streams[0] ?? null
  return (
    streams.find((item) => item.id === id) ??
    streams.find((item) => fileName(item.id) === fileName(id)) ??
    null
  )
}

function variantProblem(
  variant: VariantDraft,
  { methods, variants }: ExperimentForm,
  records: readonly MethodInfo[],
): string | null {
  const { name, method } = variant
  const info = records.find(({ id }) => id === method)
  if (!info) return `There is no method “${method}” for “${name}”.`
  if (name === '') return 'Give every variant a name.'
  if (!VARIANT_NAME.test(name))
    return `“${name}” cannot be a name: use letters, digits and . _ + -, at most 40, without spaces.`
  if (methods.includes(name) || variants.some((other) => other.id !== variant.id && other.name === name))
    return `The name “${name}” is taken. Give the variant another one.`
  const changedCount = info.settings ? changedSettings(info.settings, variant.settings) : 0
  const { experiences, preset, temperature, maxTokens, contextSize } = variant
  const isOther = [experiences, preset, temperature, maxTokens, contextSize].some((one) => one !== undefined)
  if (!isOther && changedCount === 0 && methods.includes(method))
    return `“${name}” is just like “${method}”. Change one of its settings, or remove it.`
  return null
}

/** A variant as a definition has it, with what its preset sets spelt out as the form shows it. */
function spelt(
  { id: _id, presetChoice: _choice, ...variant }: VariantDraft,
  records: readonly MethodInfo[],
  environment: string,
) {
  const method = records.find(({ id }) => id === variant.method)
  const preset =
    variant.preset === undefined ? null : readPreset(method?.presets ?? [], variant.preset, environment)
  if (!preset || !method?.settings) return variant
  return { ...variant, settings: spelledOut(preset.values, [method.settings], variant.settings) }
}

/** The kind and world of a stream that is made from its name (`lifelong:drift?world=101&order=1`); null for any other. */
export function lifeOf(
  stream: Pick<StreamInfo, 'id' | 'source'> | null,
): { readonly kind: string; readonly world: number } | null {
  if (stream?.source !== 'made') return null
  const [name = '', query = ''] = stream.id.split('?')
  const kind = name.slice(name.indexOf(':') + 1)
  const world = Number(new URLSearchParams(query).get('world') ?? '')
  return kind !== '' && Number.isInteger(world) && world > 0 ? { kind, world } : null
}

/** What differs between repetitions: worlds and orders only where the stream is made of them. */
export const variedBy = ({ vary }: Pick<ExperimentForm, 'vary'>, life: ReturnType<typeof lifeOf>): Repeated =>
  life === null ? 'seeds' : (vary ?? 'worlds')

/** Makes a definition of what is in the form, or says in words what is missing. */
export function readForm(form: ExperimentForm, choices: ExperimentChoices): FormReading {
  const problems: FormProblem[] = []
  const add = (place: FormPlace, words: string | null): void => {
    if (words !== null) problems.push({ place, words })
  }
  const stream = findStream(form.stream, choices.streams)
  if (!stream) {
    add(
      'stream',
      form.stream === null
        ? 'There is no task stream yet. Generate one under Task streams.'
        : `The stream “${fileName(form.stream)}” is not here. Open it under Task streams, or choose another.`,
    )
  }
  const usable = choices.models.filter(({ problem }) => problem === null)
  const model =
    form.model === null
      ? modelFor(stream, usable, choices.streams)
      : (usable.find(({ path }) => path === form.model) ?? null)
  if (!model)
    add(
      'model',
      usable.length === 0
        ? 'No usable model was found. See Models.'
        : `The model “${fileName(form.model ?? '')}” is not here. Choose another.`,
    )
  const unknown = form.methods.find((id) => !choices.methods.some((method) => method.id === id))
  if (unknown !== undefined) add('methods', `There is no method “${unknown}”.`)
  // In the order of the list, whatever was ticked first.
  const ticked = choices.methods.flatMap(({ id }) => (form.methods.includes(id) ? [id] : []))
  const names = [...ticked, ...form.variants.map(({ name }) => name)]
  if (names.length === 0) add('methods', 'Choose at least one method.')
  if (names.length > MOST_METHODS) add('methods', `Choose at most ${MOST_METHODS} methods and variants.`)
  for (const variant of form.variants) add('variants', variantProblem(variant, form, choices.methods))
  const usesExperiences = form.variants.some(({ experiences }) => experiences !== undefined)
  if (usesExperiences && form.experiences === null)
    add('variants', 'Choose the memory whose experiences the variants start with.')
  const life = lifeOf(stream)
  const vary = variedBy(form, life)
  const seeds = vary === 'seeds' ? readSeeds(form.seeds) : [1]
  if (typeof seeds === 'string') add('seeds', seeds)
  const worlds = vary === 'worlds' ? readSeeds(form.worlds, 'world') : [life?.world ?? 1]
  if (typeof worlds === 'string') add('seeds', worlds)
  if (form.iterations > 1 && form.passes > 1)
    add('protocol', 'Choose either iterations or passes; leave the other at 1.')
  const baseline = form.baseline !== null && names.includes(form.baseline) ? form.baseline : null
  const base = { problems, stream, model, names, baseline }
  if (problems.length > 0 || !stream || !model || typeof seeds === 'string' || typeof worlds === 'string')
    return { ...base, definition: null }
  const { temperature, maxTokens, contextSize, inFlight } = form
  const { iterations, passes, againTemperature, retest, test, heldOut } = form
  const name = form.name.trim()
  return {
    ...base,
    definition: {
      ...(name !== '' && { name }),
      stream: life !== null && vary !== 'seeds' ? life.kind : stream.id,
      ...(life !== null &&
        vary !== 'seeds' && {
          suite: {
            ...{ streams: [life.kind], worlds, only: {} },
            orders: vary === 'orders' ? form.orders : 1,
          },
        }),
      methods: [
        ...ticked,
        ...form.variants.map((variant) => spelt(variant, choices.methods, stream.environment)),
      ],
      ...(usesExperiences && form.experiences !== null && { experiences: form.experiences }),
      seeds,
      exp: [...form.exp],
      model: model.path,
      tasks: form.tasks,
      baseline,
      settings: { temperature, maxTokens, contextSize, inFlight },
      protocol: {
        ...{ iterations, passes, retest },
        ...(againTemperature !== null && { againTemperature }),
        ...(test > 0 && { test }),
        ...(heldOut.length > 0 && { heldOut: [...heldOut] }),
      },
    },
  }
}
