import { z } from 'zod'
import { figure } from './units'

const words = {
  /** Name within its group; what stands in run.json, in definitions and on the command line. */
  key: z.string(),
  title: z.string(),
  /** One sentence. */
  help: z.string(),
  /** What a number counts, in the plural: `tokens`, `tasks`, `seconds`. Null: a bare number, or no number at all. */
  unit: z.string().nullable(),
  /** Where it comes from: an equation, a section, a table. Null: Loam's own. */
  source: z.string().nullable(),
}

/** One setting as it is asked for: its words, its bounds and its default, all read off a zod schema (`settingFields`). */
const settingFieldSchema = z.discriminatedUnion('kind', [
  z.object({ ...words, kind: z.literal('switch'), default: z.boolean() }),
  z.object({
    ...words,
    kind: z.literal('number'),
    /** Empty where it may be left out; `empty` then says what it is. */
    default: z.union([z.number(), z.literal('')]),
    empty: z.string().optional(),
    /** Whole numbers only. */
    whole: z.boolean(),
    min: z.number(),
    max: z.number(),
    /** The minimum itself is not allowed. */
    above: z.boolean(),
  }),
  z.object({
    ...words,
    kind: z.literal('choice'),
    default: z.string(),
    choices: z.array(z.object({ value: z.string(), title: z.string() })),
  }),
  z.object({
    ...words,
    kind: z.literal('text'),
    default: z.string(),
    /** Most characters; null: any number. */
    longest: figure,
    /** How it is asked for: a line of text, a file's path, or something that is not shown. */
    look: z.enum(['line', 'path', 'secret', 'model']),
  }),
])
export type SettingField = z.infer<typeof settingFieldSchema>

/** The settings of one method, environment, provider or role, as they cross to the window. */
export const settingGroupSchema = z.object({
  id: z.string(),
  title: z.string(),
  fields: z.array(settingFieldSchema),
})
export type SettingGroupInfo = z.infer<typeof settingGroupSchema>

const settingValueSchema = z.union([z.boolean(), z.number(), z.string()])
export type SettingValue = z.infer<typeof settingValueSchema>

/**
 * Settings that differ from their defaults, by group and key. Read loosely, so that what an older or newer version wrote stays
 * readable; `checkChanges` in core refuses what nobody knows before anything is started with it.
 */
export const settingChangesSchema = z.record(z.string(), z.record(z.string(), settingValueSchema))
export type SettingChanges = z.infer<typeof settingChangesSchema>

/** A setting's value: what was changed, or the default. */
export const settingValue = (
  group: SettingGroupInfo,
  field: SettingField,
  changes: SettingChanges,
): SettingValue => changes[group.id]?.[field.key] ?? field.default

/** The changes with one more; a value that is the default is left out, so that only what differs is written down. */
export function withSetting(
  group: SettingGroupInfo,
  key: string,
  value: SettingValue,
  changes: SettingChanges,
): SettingChanges {
  const { [key]: _before, ...others } = changes[group.id] ?? {}
  const normal = group.fields.find((field) => field.key === key)?.default
  const own = value === normal ? others : { ...others, [key]: value }
  const { [group.id]: _own, ...rest } = changes
  return Object.keys(own).length === 0 ? rest : { ...rest, [group.id]: own }
}

/** How many settings of a group differ from their defaults. */
export const changedSettings = (group: SettingGroupInfo, changes: SettingChanges): number =>
  group.fields.filter((field) => settingValue(group, field, changes) !== field.default).length

/** What a setting may be, in words: `1 to 64 lessons`, `on or off`. */
export function allowedWords(field: SettingField): string {
  switch (field.kind) {
    case 'switch':
      return 'on or off'
    case 'choice':
      return field.choices.map(({ value }) => value).join(', ')
    case 'text':
      return field.longest === null ? 'text' : `text of at most ${field.longest} characters`
    case 'number': {
      const range = `${field.above ? 'above ' : ''}${field.min} to ${field.max}`
      return `${range}${field.unit === null ? '' : ` ${field.unit}`}${field.whole ? '' : ', fractions too'}${field.empty === undefined ? '' : `, or nothing for ${field.empty}`}`
    }
  }
}
