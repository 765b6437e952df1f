import { BookOpen } from '../components/icons'
import {
  type MethodPreset,
  type PresetValues,
  presetNames,
  presetTitle,
  readPreset,
} from '../../shared/domain/preset'
import { settingValue, type SettingChanges, type SettingGroupInfo } from '../../shared/domain/setting'
import { Button } from '../components/button'
import { formatCount } from '../components/format'
import { SelectField } from './select'

export interface PresetChoiceProps {
  presets: readonly MethodPreset[]
  /** What the tasks are of; null while that is not known. */
  environment: string | null
  /** Groups that presets can set, for their words. */
  groups: readonly SettingGroupInfo[]
  changes: SettingChanges
  /** The preset that was taken over, as it is recorded; null: none. */
  taken: string | null
  /** The preset that is looked at; null: none. */
  choice: string | null
  /** Another one is looked at. With null the settings stay, but no longer go by a preset's name. */
  onChoose(choice: string | null): void
  /** Takes over what a preset sets, and its name. */
  onApply(values: PresetValues, name: string): void
}

const NONE = ''

const getLabel = (value: unknown): string => (value === true ? 'on' : value === false ? 'off' : String(value))

/** What a preset sets, one sentence each: numbers of the run, then settings that are otherwise now. */
function effects(
  { k, temperature, maxTokens, contextSize, settings }: PresetValues,
  groups: readonly SettingGroupInfo[],
  changes: SettingChanges,
): string[] {
  const numbers = [
    ...(k === undefined ? [] : [`K: ${k}`]),
    ...(temperature === undefined ? [] : [`Temperature: ${temperature}`]),
    ...(maxTokens === undefined ? [] : [`Longest reply: ${formatCount(maxTokens)} tokens`]),
    ...(contextSize === undefined
      ? []
      : [`Context: ${formatCount(contextSize)} tokens, as far as the model reads`]),
  ]
  const own = Object.entries(settings).flatMap(([id, set]) =>
    Object.entries(set).flatMap(([key, value]) => {
      const group = groups.find((one) => one.id === id)
      const field = group?.fields.find((one) => one.key === key)
      if (!group || !field) return [`${id}.${key}: ${getLabel(value)}`]
      const now = settingValue(group, field, changes)
      if (now === value) return []
      const words = (of: unknown): string =>
        field.kind === 'choice'
          ? (field.choices.find((choice) => choice.value === of)?.title ?? String(of))
          : getLabel(of)
      return [`${field.title}: ${words(value)}, now ${words(now)}`]
    }),
  )
  return [...numbers, ...own]
}

/** Chooses a preset, says what it would change, and takes it over. Nothing where a method has none. */
export function PresetChoice(props: PresetChoiceProps) {
  const { presets, environment, groups, changes, taken, choice, onChoose, onApply } = props
  if (presets.length === 0) return null
  const preset = choice === null ? null : readPreset(presets, choice, environment)
  const lines = preset ? effects(preset.values, groups, changes) : []
  const names = presetNames(presets, environment)
  return (
    <div className="flex flex-col gap-2">
      <SelectField
        label="Preset"
        value={(preset && choice) ?? NONE}
        options={[
          { value: NONE, label: 'None' },
          ...names.flatMap((name) => {
            const one = readPreset(presets, name, environment)
            if (!one) return []
            const benchmark = name.includes('/') ? one.benchmark : null
            return [
              {
                value: name,
                label: presetTitle(presets, name),
                detail: (benchmark ?? one.preset).source,
              },
            ]
          }),
        ]}
        onChange={(name) => onChoose(name === NONE ? null : name)}
      />
      {preset && choice ? (
        <>
          <p className="text-xs text-muted">{(preset.benchmark ?? preset.preset).source}</p>
          {lines.length === 0 ? (
            <p className="text-sm text-muted">It changes nothing: everything is set as it says.</p>
          ) : (
            <ul aria-label="What the preset sets" className="list-disc pl-5 text-sm">
              {lines.map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          )}
          <Button icon={BookOpen} className="self-start" onClick={() => onApply(preset.values, choice)}>
            Take it over
          </Button>
          {taken === choice ? (
            <p className="text-sm text-muted">
              Taken over: its name is kept with the run, as is what is changed since.
            </p>
          ) : null}
        </>
      ) : null}
    </div>
  )
}
