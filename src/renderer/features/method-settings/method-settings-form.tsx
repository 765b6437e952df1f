import { useId } from 'react'
import type { FullMethodSettings, MethodSettings } from '../../../shared/domain/method-settings'
import { classNames } from '../../components/class-names'
import { NumberInput } from '../../components/number-input'
import { Select } from '../../components/select'
import { Switch } from '../../components/switch'
import { SETTING_FIELDS, settingValue, withSetting, type SettingField } from './fields'

export interface MethodSettingsFormProps {
  method: keyof FullMethodSettings
  settings: MethodSettings
  onChange(settings: MethodSettings): void
}

/** What can be changed about one method; each switch is an ablation. */
export function MethodSettingsForm({ method, settings, onChange }: MethodSettingsFormProps) {
  return (
    <ul className="flex flex-col gap-2.5">
      {SETTING_FIELDS[method].map((field) => (
        <SettingRow key={field.key} field={field} method={method} settings={settings} onChange={onChange} />
      ))}
    </ul>
  )
}

function SettingRow({
  field,
  method,
  settings,
  onChange,
}: MethodSettingsFormProps & { field: SettingField }) {
  const id = useId()
  const value = settingValue(method, field.key, settings)
  const normal = settingValue(method, field.key, {})
  const change = (next: boolean | number | string) => onChange(withSetting(method, field.key, next, settings))
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <div className="min-w-32 flex-1">
        <label htmlFor={id} className={classNames('text-sm', value !== normal && 'font-medium')}>
          {field.label}
          {value !== normal ? <span className="text-accent"> · changed</span> : null}
        </label>
        <p className="text-xs text-muted">{field.hint}</p>
      </div>
      {field.kind === 'switch' ? (
        <Switch id={id} label={field.label} checked={value === true} onChange={change} />
      ) : field.kind === 'number' ? (
        <NumberInput
          id={id}
          value={typeof value === 'number' ? value : null}
          min={field.min}
          max={field.max}
          fraction={field.fraction ?? false}
          onChange={(next) => (next === null ? undefined : change(next))}
          className="max-w-20"
        />
      ) : (
        <Select
          id={id}
          label={field.label}
          className="w-32"
          value={typeof value === 'string' ? value : null}
          options={field.options}
          onChange={change}
        />
      )}
    </li>
  )
}
