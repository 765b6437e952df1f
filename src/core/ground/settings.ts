import { z } from 'zod'
import type { SettingChanges, SettingField, SettingGroupInfo } from '../../shared/domain/setting'
import { allowedWords } from '../../shared/domain/setting'
import { LoamError } from '../../shared/errors'

declare module 'zod' {
  interface GlobalMeta {
    /** One sentence about a setting. */
    help?: string
    /** What a number counts, in the plural. */
    unit?: string
    /** Where a setting comes from: equation, section, table. */
    source?: string
    /** The titles of a choice's values. */
    choices?: Readonly<Record<string, string>>
    /** How a text is asked for; `line` when left out. */
    look?: 'line' | 'path' | 'secret' | 'model'
    /** What a number that may be left empty then is, in words. Such a number is `z.union([z.literal(''), z.number()...]).default('')`. */
    empty?: string
  }
}

/** Settings of one thing: a strict zod object whose every key has a default and, in `.meta`, title and help. */
export interface SettingGroup<Shape extends z.ZodRawShape = z.ZodRawShape> {
  /** What stands in run.json, in definitions and on the command line: a method's id, `agent`, an environment's or provider's id. */
  readonly id: string
  readonly title: string
  readonly schema: z.ZodObject<Shape, z.core.$strict>
}

/** Settings with nothing left out. */
export type SettingsOf<Group> =
  Group extends SettingGroup<infer Shape> ? z.output<z.ZodObject<Shape, z.core.$strict>> : never

/**
 * Declares settings, once: form, command line, definitions (YAML), documentation and bounds are read off the schema.
 *
 *     export const TEA = defineSettings('tea', 'Tea', {
 *       minutes: whole(1, 10, 3, { title: 'Time', help: 'How long it draws.', unit: 'minutes', source: 'The packet, back' }),
 *     })
 *     readSettings(TEA, context.settings).minutes
 *
 * Each kind has a word of its own: `onOff`, `choice`, `whole`, `number`, `share` and `text`. Any other zod schema will do that is a boolean
 * (a switch), an enum (titles in `choices`), a number with both bounds or a string (`look`).
 */
export const defineSettings = <Shape extends z.ZodRawShape>(
  id: string,
  title: string,
  shape: Shape,
): SettingGroup<Shape> => ({ id, title, schema: z.strictObject(shape) })

/** What is said of a setting. */
type Words = Omit<z.GlobalMeta, 'choices'> & { readonly title: string; readonly help: string }

/** A setting that is on or off. */
export const onOff = (normal: boolean, words: Words) => z.boolean().default(normal).meta(words)

/** A setting that is a number, fractions too, bounds included. */
export const number = (least: number, most: number, normal: number, words: Words) =>
  z.number().min(least).max(most).default(normal).meta(words)

/** A setting that is a number from 0 to 1. */
export const share = (normal: number, words: Words) => number(0, 1, normal, words)

/** A setting that counts something, bounds included. */
export const whole = (
  least: number,
  most: number,
  normal: number,
  words: Words & { readonly unit: string },
) => z.number().int().min(least).max(most).default(normal).meta(words)

/** A setting that is a text: a line unless `look` says otherwise. */
export const text = (normal: string, words: Words) => z.string().default(normal).meta(words)

/** A setting that is one of several values: each with its title, in the order they are offered, and the default. */
export const choice = <Value extends string>(
  choices: Readonly<Record<Value, string>>,
  normal: NoInfer<Value>,
  words: Words,
) =>
  z
    .enum(Object.keys(choices) as Value[])
    .default(() => normal)
    .meta({ ...words, choices })

const defaults = new WeakMap<SettingGroup, unknown>()

/** The defaults of a group. */
export function defaultsOf<Shape extends z.ZodRawShape>(
  group: SettingGroup<Shape>,
): SettingsOf<SettingGroup<Shape>> {
  const record = defaults.get(group) ?? group.schema.parse({})
  defaults.set(group, record)
  return record as SettingsOf<SettingGroup<Shape>>
}

/** A group's settings, complete: what was changed, over the defaults. Changes of keys that are gone are passed over. */
export const readSettings = <Shape extends z.ZodRawShape>(
  group: SettingGroup<Shape>,
  changes: SettingChanges,
): SettingsOf<SettingGroup<Shape>> => ({ ...defaultsOf(group), ...changes[group.id] })

/** Reads a group's settings, complete, wherever changes come from. */
export const settingsReader =
  <Shape extends z.ZodRawShape>(group: SettingGroup<Shape>) =>
  (changes: SettingChanges): SettingsOf<SettingGroup<Shape>> =>
    readSettings(group, changes)

const finite = (value: unknown, otherwise: number): number => (typeof value === 'number' ? value : otherwise)

type Json = Readonly<Record<string, unknown>>

/** The schema of a number, also of one that may be left empty; null where there is none. */
function numberOf(json: Json): Json | null {
  const isNumber = ({ type }: Json): boolean => type === 'integer' || type === 'number'
  if (isNumber(json)) return json
  return Array.isArray(json['anyOf']) ? ((json['anyOf'] as Json[]).find(isNumber) ?? null) : null
}

function numberField(group: string, key: string, json: Json) {
  const above = json['minimum'] === undefined && typeof json['exclusiveMinimum'] === 'number'
  const min = finite(json['minimum'] ?? json['exclusiveMinimum'], NaN)
  const max = finite(json['maximum'], NaN)
  if (Number.isNaN(min) || Number.isNaN(max))
    throw new Error(`The setting ${group}.${key} has no smallest and largest value.`)
  return { kind: 'number' as const, whole: json['type'] === 'integer', min, max, above }
}

function fieldOf(group: string, key: string, json: Readonly<Record<string, unknown>>): SettingField {
  const getError = (what: string) => new Error(`The setting ${group}.${key} has no ${what}.`)
  const text = (name: string): string | null => (typeof json[name] === 'string' ? json[name] : null)
  const title = text('title')
  const help = text('help')
  if (title === null || help === null) throw getError('title and help in its meta')
  const common = { key, title, help, unit: text('unit'), source: text('source') }
  const normal = json['default']
  const empty = text('empty')
  const number = numberOf(json)
  if (normal === '' && empty !== null && number !== null)
    return { ...common, ...numberField(group, key, number), default: '', empty }
  if (json['type'] === 'boolean' && typeof normal === 'boolean')
    return { ...common, kind: 'switch', default: normal }
  if (number !== null && typeof normal === 'number')
    return { ...common, ...numberField(group, key, number), default: normal }
  if (typeof normal !== 'string') throw getError('default that suits it')
  if (Array.isArray(json['enum'])) {
    const titles = (json['choices'] ?? {}) as Readonly<Record<string, string>>
    const choices = json['enum'].map((value) => ({
      value: String(value),
      title: titles[String(value)] ?? String(value),
    }))
    return { ...common, kind: 'choice', default: normal, choices }
  }
  const longest = typeof json['maxLength'] === 'number' ? json['maxLength'] : null
  const look = text('look')
  return {
    ...common,
    kind: 'text',
    default: normal,
    longest,
    look: look === 'path' || look === 'secret' || look === 'model' ? look : 'line',
  }
}

/**
 * A group as it is asked for in the window, on the command line and in the documentation: in the schema's order.
 * @throws Error naming a setting that lacks a title, help, default or bound; the conformance suites read every group
 */
export function settingFields(group: SettingGroup): SettingField[] {
  const { properties = {} } = z.toJSONSchema(group.schema, { io: 'input' })
  return Object.entries(properties).map(([key, json]) =>
    fieldOf(group.id, key, json as Readonly<Record<string, unknown>>),
  )
}

/** A group as it crosses to the window. */
export const groupInfo = (group: SettingGroup): SettingGroupInfo => ({
  id: group.id,
  title: group.title,
  fields: settingFields(group),
})

const refused = (cause: string, suggestion: string) => new LoamError('BAD_INPUT', cause, { suggestion })

/**
 * Checks changes against the groups they name, before anything is started with them. Misspelt names are refused, so that an
 * ablation that changes nothing cannot pass for one.
 *
 * @throws LoamError `BAD_INPUT` naming the group, the key and what it may be
 */
export function checkChanges(groups: readonly SettingGroup[], changes: SettingChanges): SettingChanges {
  for (const [id, own] of Object.entries(changes)) {
    const group = groups.find((one) => one.id === id)
    if (!group)
      throw refused(
        `There are no settings called "${id}".`,
        `There are settings of: ${groups.map((one) => one.id).join(', ')}.`,
      )
    const fields = settingFields(group)
    for (const [key, value] of Object.entries(own)) {
      const field = fields.find((one) => one.key === key)
      if (!field)
        throw refused(
          `There is no setting ${id}.${key}.`,
          `${id} has: ${fields.map((one) => one.key).join(', ')}.`,
        )
      if (!group.schema.safeParse({ [key]: value }).success)
        throw refused(
          `${id}.${key} cannot be ${JSON.stringify(value)}.`,
          `${field.title}: ${allowedWords(field)}.`,
        )
    }
  }
  return changes
}

/**
 * One setting as it is written on the command line, `group.key=value`.
 * @throws LoamError `BAD_INPUT` naming what it may be
 */
export function parseChange(groups: readonly SettingGroup[], text: string): SettingChanges {
  const [, id, key, inputText] = /^([^.=]+)\.([^.=]+)=(.*)$/s.exec(text) ?? []
  if (id === undefined || key === undefined || inputText === undefined)
    throw refused(`"${text}" is no setting.`, 'Write group.key=value, for example evosc.capacity=8.')
  const group = groups.find((one) => one.id === id)
  const field = group && settingFields(group).find((one) => one.key === key)
  const value =
    field?.kind === 'switch' && /^(on|off|true|false)$/.test(inputText)
      ? inputText === 'on' || inputText === 'true'
      : field?.kind === 'number' && inputText.trim() !== '' && Number.isFinite(Number(inputText))
        ? Number(inputText)
        : inputText
  return checkChanges(groups, { [id]: { [key]: value } })
}

/** Changes put together, group by group; later ones win. */
export const mergeChanges = (...all: readonly SettingChanges[]): SettingChanges => {
  const merged: Record<string, SettingChanges[string]> = {}
  for (const changes of all)
    for (const [id, own] of Object.entries(changes)) merged[id] = { ...merged[id], ...own }
  return merged
}
