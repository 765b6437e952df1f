import { z } from 'zod'
import {
  settingChangesSchema,
  settingValue,
  type SettingChanges,
  type SettingGroupInfo,
  type SettingValue,
} from './setting'
import { runOverrides } from './bounds'

const values = {
  ...runOverrides,
  /** Settings by group: the method's own, of planner and executor, of roles, of the environment. */
  settings: settingChangesSchema.optional(),
}

/** What a published benchmark is run with; goes over what its preset sets. */
const presetBenchmarkSchema = z.object({
  /** Unique in its preset: `gaia`. */
  id: z.string().regex(/^[a-z0-9-]+$/),
  title: z.string(),
  /** The environment that its tasks are worked on in. */
  environment: z.string(),
  /** Where the values are from: section, table, released code. */
  source: z.string(),
  ...values,
})
export type PresetBenchmark = z.infer<typeof presetBenchmarkSchema>

/** Settings of a method that belong together under a name: those of its paper, above all. */
export const methodPresetSchema = z.object({
  /** Unique in its method; `paper` is the one as in the paper. */
  id: z.string().regex(/^[a-z0-9-]+$/),
  title: z.string(),
  /** Where the values are from: section, table, released code. */
  source: z.string(),
  ...values,
  /** The first one of an environment counts, unless another is named. */
  benchmarks: z.array(presetBenchmarkSchema).default([]),
})
export type MethodPreset = z.infer<typeof methodPresetSchema>

/** What a preset sets in an environment. */
export interface PresetValues {
  readonly k?: number
  readonly temperature?: number
  readonly maxTokens?: number
  readonly contextSize?: number
  readonly settings: SettingChanges
}

/** A preset as it was found. */
export interface FoundPreset {
  readonly preset: MethodPreset
  /** Null: it says nothing about the environment in particular. */
  readonly benchmark: PresetBenchmark | null
  readonly values: PresetValues
}

const merged = (a: SettingChanges = {}, b: SettingChanges = {}): SettingChanges =>
  Object.fromEntries(
    [...new Set([...Object.keys(a), ...Object.keys(b)])].map((id) => [id, { ...a[id], ...b[id] }]),
  )

const getInput = <T extends object>(all: T): Partial<T> =>
  Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as Partial<T>

/**
 * The preset that `reference` names: `PRESET` or `PRESET/BENCHMARK`, and what it sets in `environment` (null: not known yet).
 * Null where there is none of that name, or where the benchmark named is of another environment.
 */
export function readPreset(
  presets: readonly MethodPreset[],
  reference: string,
  environment: string | null,
): FoundPreset | null {
  const [id, name] = reference.split('/', 2)
  const preset = presets.find((one) => one.id === id)
  if (!preset) return null
  const here = preset.benchmarks.filter((one) => one.environment === environment)
  const benchmark = (name === undefined ? here[0] : here.find((one) => one.id === name)) ?? null
  if (name !== undefined && !benchmark) return null
  const { k, temperature, maxTokens, contextSize } = { ...preset, ...getInput(benchmark ?? {}) }
  return {
    preset,
    benchmark,
    values: {
      ...getInput({ k, temperature, maxTokens, contextSize }),
      settings: merged(preset.settings, benchmark?.settings),
    },
  }
}

/** Everything that the presets of a method can be asked for by, in an environment or in any. */
export const presetNames = (presets: readonly MethodPreset[], environment: string | null): string[] =>
  presets.flatMap(({ id, benchmarks }) => [
    id,
    ...benchmarks
      .filter((one) => environment === null || one.environment === environment)
      .map((one) => `${id}/${one.id}`),
  ])

/** `As in the paper, GAIA`; the reference itself where there is no such preset (any more). */
export function presetTitle(presets: readonly MethodPreset[], reference: string): string {
  const [id, name] = reference.split('/', 2)
  const preset = presets.find((one) => one.id === id)
  const benchmark = preset?.benchmarks.find((one) => one.id === name)
  if (!preset || (name !== undefined && !benchmark)) return reference
  return benchmark ? `${preset.title}, ${benchmark.title}` : preset.title
}

/** Settings with all that a preset sets spelt out as it is now, defaults too: what is left out beside a preset is filled in by it. */
export const spelledOut = (
  { settings }: PresetValues,
  groups: readonly SettingGroupInfo[],
  changes: SettingChanges,
): SettingChanges =>
  Object.entries(settings).reduce<SettingChanges>((all, [id, set]) => {
    const group = groups.find((one) => one.id === id)
    if (!group) return all
    const fields = group.fields.filter(({ key }) => key in set)
    const now = Object.fromEntries(fields.map((field) => [field.key, settingValue(group, field, changes)]))
    return { ...all, [id]: { ...all[id], ...now } }
  }, changes)

/** What of a run can differ from its preset. */
export type PresetSubject = Required<Pick<PresetValues, 'k' | 'temperature' | 'maxTokens' | 'settings'>>

/**
 * What a run has otherwise than its preset sets, e.g. `coldStart` 30. A context is not looked at, since a published one is cut to
 * what the model reads, nor a setting that the run's record does not have.
 */
export function otherwiseThan(
  { k, temperature, maxTokens, settings }: PresetValues,
  run: PresetSubject,
): { readonly name: string; readonly value: SettingValue }[] {
  const numbers = [
    ['K', k, run.k],
    ['temperature', temperature, run.temperature],
    ['longest reply', maxTokens, run.maxTokens],
  ] as const
  const own = Object.entries(settings).flatMap(([id, set]) =>
    Object.entries(set).map(([key, value]) => [key, value, run.settings[id]?.[key]] as const),
  )
  return [...numbers, ...own].flatMap(([name, set, value]) =>
    set === undefined || value === undefined || set === value ? [] : [{ name, value }],
  )
}
