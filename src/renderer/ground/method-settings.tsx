import type { MethodInfo } from '../../shared/domain/method'
import type { PresetValues } from '../../shared/domain/preset'
import { withSetting, type SettingChanges, type SettingGroupInfo } from '../../shared/domain/setting'
import { GeneratedForm } from './generated-form'
import { PresetChoice } from './preset-choice'

export interface MethodSettingsProps {
  method: MethodInfo
  changes: SettingChanges
  onChange(changes: SettingChanges): void
  /** What the tasks are of; null or left out while that is not known. */
  environment?: string | null
  /** Other groups that a preset can set, for their words: of the environment, of planner and executor. Default: none. */
  others?: readonly SettingGroupInfo[]
  /** The preset that was taken over. */
  preset: string | null
  /** The preset that is looked at before it is taken over; null: none but one that was taken over. */
  presetChoice: string | null
  onPresetChoice(choice: string | null): void
  /** Keeps a preset's name, with its K, temperature and lengths; or none any more. */
  onPreset(preset: string | null, numbers: Omit<PresetValues, 'settings'>): void
}

/** Settings as a preset has them: its method's own wholly, those of others where it names them. */
function presetChanges(
  { settings }: PresetValues,
  groups: readonly SettingGroupInfo[],
  own: string,
  changes: SettingChanges,
): SettingChanges {
  const { [own]: _before, ...others } = changes
  return Object.entries(settings).reduce<SettingChanges>((so, [id, set]) => {
    const group = groups.find((one) => one.id === id)
    if (!group) return { ...so, [id]: { ...so[id], ...set } }
    return Object.entries(set).reduce((all, [key, value]) => withSetting(group, key, value, all), so)
  }, others)
}

/** What can be changed about one method, by a preset or one by one; each switch is an ablation. */
export function MethodSettings(props: MethodSettingsProps) {
  const {
    method,
    changes,
    onChange,
    environment = null,
    others = [],
    preset,
    presetChoice,
    onPresetChoice,
    onPreset,
  } = props
  const { id, settings, presets } = method
  if (!settings && presets.length === 0) return null
  const groups = [...(settings ? [settings] : []), ...others]
  return (
    <div className="flex flex-col gap-3">
      <PresetChoice
        presets={presets}
        environment={environment}
        groups={groups}
        changes={changes}
        taken={preset}
        choice={presetChoice ?? preset}
        onChoose={(choice) => {
          onPresetChoice(choice)
          if (choice === null) onPreset(null, {})
        }}
        onApply={(values, name) => {
          onChange(presetChanges(values, groups, id, changes))
          const { settings: _settings, ...numbers } = values
          onPreset(name, numbers)
        }}
      />
      {settings ? <GeneratedForm group={settings} changes={changes} onChange={onChange} /> : null}
    </div>
  )
}
