import { combine } from 'zustand/middleware'
import { createStore } from 'zustand/vanilla'
import type { EnvironmentInfo } from '../../shared/domain/environment'
import type { MethodInfo } from '../../shared/domain/method'
import { cannotWrite, type ModelInfo } from '../../shared/domain/model'
import { readPreset, spelledOut, type PresetValues } from '../../shared/domain/preset'
import { runConfigSchema } from '../../shared/domain/run'
import type { SettingChanges } from '../../shared/domain/setting'
import type { StreamInfo } from '../../shared/domain/task'
import type { StartRunInput } from './runs'

export interface RunForm {
  readonly stream: string | null
  readonly method: string | null
  readonly model: string | null
  readonly seed: number
  /** Null takes the method's own K. */
  readonly k: number | null
  /** Null takes all tasks of the stream. */
  readonly tasks: number | null
  /** Null, as of the next two: the usual one. */
  readonly temperature: number | null
  /** Most tokens of a reply. */
  readonly maxTokens: number | null
  /** Tokens the model may read at once. */
  readonly contextSize: number | null
  /** Null makes a fresh memory. */
  readonly memoryId: string | null
  /** Whether the soft prompt in use in the memory is served. */
  readonly useSoftPrompt: boolean
  /** Changed settings of methods and environments, by their ids. */
  readonly settings: SettingChanges
  /** The preset that was taken over, by its name; null: none. */
  readonly preset: string | null
  /** The preset that is looked at; null: none but one that was taken over. */
  readonly presetChoice: string | null
}

/** What the person has chosen so far; null choices fall back to `withDefaults`. Survives changing screens. */
export const createRunFormStore = () =>
  createStore(combine(NOTHING, (set) => ({ change: (change: Partial<RunForm>) => set(change) })))

const NOTHING: RunForm = {
  stream: null,
  method: null,
  model: null,
  seed: 1,
  k: null,
  tasks: null,
  temperature: null,
  maxTokens: null,
  contextSize: null,
  memoryId: null,
  useSoftPrompt: true,
  settings: {},
  preset: null,
  presetChoice: null,
}

export interface RunChoices {
  readonly streams: readonly StreamInfo[]
  readonly methods: readonly MethodInfo[]
  readonly models: readonly ModelInfo[]
  /** Default: none is known. */
  readonly environments?: readonly EnvironmentInfo[]
}

/** The model for a stream where nobody chose one: the demo model knows the worlds of the demo alone; anything else is for the model that answers asks. */
export function modelFor(
  stream: StreamInfo | null,
  models: readonly ModelInfo[],
  streams: readonly StreamInfo[],
): ModelInfo | null {
  const isOwn = stream !== null && !streams.some((one) => one.demo && one.environment === stream.environment)
  const usual = isOwn ? models.find((item) => item.usual === true) : undefined
  return usual ?? models.find((item) => item.demo) ?? models[0] ?? null
}

/** The stream, method and model that count: what was chosen if it (still) exists, else a sensible default. */
export function withDefaults(form: Pick<RunForm, 'stream' | 'method' | 'model'>, choices: RunChoices) {
  const models = choices.models.filter((model) => cannotWrite(model) === null)
  const stream =
    choices.streams.find((item) => item.id === form.stream) ??
    choices.streams.find((item) => item.demo) ??
    choices.streams[0] ??
    null
  const method =
    choices.methods.find((item) => item.id === form.method) ??
    choices.methods.find((item) => item.suggested?.includes('run')) ??
    choices.methods[0] ??
    null
  const model = models.find((item) => item.path === form.model) ?? modelFor(stream, models, choices.streams)
  return { stream, method, model }
}

/** The call that starts what the form says; null while something needed is missing. */
export function toStartInput(form: RunForm, choices: RunChoices): StartRunInput | null {
  const { stream, method, model } = withDefaults(form, choices)
  if (!stream || !method || !model) return null
  const world = choices.environments?.find(({ id }) => id === stream.environment)
  const player = world?.player ? [world.player.id] : []
  const roles = world ? [world.roles.id] : []
  const { preset } = form
  const values =
    preset === null ? null : (readPreset(method.presets, preset, stream.environment)?.values ?? null)
  const groups = [method.settings, world?.settings, world?.player, world?.roles].flatMap((one) => one ?? [])
  const settings = values ? spelledOut(values, groups, form.settings) : form.settings
  return {
    stream: stream.id,
    method: method.id,
    model: model.path,
    seed: form.seed,
    tasks: form.tasks,
    ...numbersOf(form, method, model, values),
    memoryId: form.memoryId,
    useSoftPrompt: form.useSoftPrompt,
    ...(preset !== null && values && { preset }),
    settings: ownSettings([method.id, stream.environment, ...player, ...roles], settings),
  }
}

/**
 * K, temperature and lengths, as far as they were chosen. Beside a preset that sets them they are said in any case, since what is left out would be
 * filled in by it.
 */
function numbersOf(form: RunForm, method: MethodInfo, model: ModelInfo, values: PresetValues | null) {
  const usual = runConfigSchema.shape
  const temperature =
    form.temperature ?? (values?.temperature === undefined ? null : usual.temperature.parse(undefined))
  const maxTokens =
    form.maxTokens ?? (values?.maxTokens === undefined ? null : usual.maxTokens.parse(undefined))
  const contextSize = form.contextSize ?? (values?.contextSize === undefined ? null : model.trainContext)
  return {
    k: method.usesK ? (form.k ?? (values?.k === undefined ? null : method.defaultK)) : null,
    ...(temperature !== null && { temperature }),
    ...(maxTokens !== null && { maxTokens }),
    ...(contextSize !== null && { contextSize }),
  }
}

/** Only what concerns the method, the environment and who plays it; what was changed for another one stays in the form. */
function ownSettings(groups: readonly string[], settings: SettingChanges): SettingChanges {
  return Object.fromEntries(Object.entries(settings).filter(([id]) => groups.includes(id)))
}
