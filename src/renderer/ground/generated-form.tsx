import { useId } from 'react'
import {
  settingValue,
  withSetting,
  type SettingChanges,
  type SettingField,
  type SettingGroupInfo,
  type SettingValue,
} from '../../shared/domain/setting'
import { cannotWrite, type ModelInfo } from '../../shared/domain/model'
import { classNames } from '../components/class-names'
import { Switch } from '../components/switch'
import { NumberBox } from './number-field'
import { Select } from './select'

export interface GeneratedFormProps {
  /** What is asked for, as the host tells it. */
  group: SettingGroupInfo
  /** Changes of this group and of others; the others are passed on untouched. */
  changes: SettingChanges
  onChange(changes: SettingChanges): void
  /** Keys to leave out. Default: none. */
  without?: readonly string[]
  /** What a setting that names a model may name. Default: none. */
  models?: readonly ModelInfo[]
}

/** A form made of settings' own words and bounds. What differs from its default is marked. */
export function GeneratedForm({ group, changes, onChange, without = [], models = [] }: GeneratedFormProps) {
  return (
    <ul className="flex flex-col gap-2.5">
      {group.fields
        .filter(({ key }) => !without.includes(key))
        .map((field) => (
          <SettingRow
            key={field.key}
            field={field}
            models={models}
            value={settingValue(group, field, changes)}
            onChange={(value) => onChange(withSetting(group, field.key, value, changes))}
          />
        ))}
    </ul>
  )
}

interface SettingRowProps {
  field: SettingField
  models: readonly ModelInfo[]
  value: SettingValue
  onChange(value: SettingValue): void
}

function SettingRow({ field, models, value, onChange }: SettingRowProps) {
  const id = useId()
  const isChanged = value !== field.default
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <div className="min-w-32 flex-1">
        <label htmlFor={id} className={classNames('text-sm', isChanged && 'font-medium')}>
          {field.title}
          {isChanged ? <span className="text-accent"> · changed</span> : null}
        </label>
        <p id={`${id}-help`} className="text-xs text-muted">
          {field.help}
          {field.source === null ? null : <span className="text-faint"> {field.source}.</span>}
        </p>
      </div>
      <SettingInput id={id} field={field} models={models} value={value} onChange={onChange} />
    </li>
  )
}

const numberProps = (id: string, { min, max, above, whole }: Extract<SettingField, { kind: 'number' }>) => ({
  ...{ id, above },
  bounds: [min, max] as const,
  fraction: !whole,
})

/** The run's own model, those that can be used, and what was chosen before even where it is gone. */
const modelOptions = (models: readonly ModelInfo[], choice: SettingValue) => [
  { value: '', label: 'The run’s model' },
  ...models.map((model) => {
    const problem = cannotWrite(model)
    const { path, name, foundIn } = model
    return {
      value: path,
      label: name,
      ...(problem === null
        ? { detail: foundIn ?? 'on a model server' }
        : { detail: problem, disabled: true }),
    }
  }),
  ...(typeof choice === 'string' && choice !== '' && !models.some(({ path }) => path === choice)
    ? [{ value: choice, label: choice }]
    : []),
]

function SettingInput({ id, field, models, value, onChange }: SettingRowProps & { id: string }) {
  switch (field.kind) {
    case 'switch':
      return <Switch id={id} label={field.title} checked={value === true} onChange={onChange} />
    case 'number':
      return (
        <span className="flex items-center gap-1.5">
          {field.empty === undefined ? (
            <NumberBox
              {...numberProps(id, field)}
              value={typeof value === 'number' ? value : Number.NaN}
              onChange={onChange}
              className="w-20"
            />
          ) : (
            <NumberBox
              {...numberProps(id, field)}
              optional
              value={typeof value === 'number' ? value : null}
              placeholder={field.empty}
              onChange={(number) => onChange(number ?? '')}
              className="w-28"
            />
          )}
          {field.unit === null ? null : <span className="text-xs text-muted">{field.unit}</span>}
        </span>
      )
    case 'choice':
      return (
        <Select
          id={id}
          label={field.title}
          className="w-32"
          value={typeof value === 'string' ? value : null}
          options={field.choices.map((choice) => ({ value: choice.value, label: choice.title }))}
          onChange={onChange}
        />
      )
    case 'text':
      if (field.look === 'model') {
        return (
          <Select
            id={id}
            label={field.title}
            className="w-full max-w-56"
            value={typeof value === 'string' ? value : ''}
            options={modelOptions(models, value)}
            onChange={onChange}
          />
        )
      }
      return (
        <input
          id={id}
          type={field.look === 'secret' ? 'password' : 'text'}
          aria-describedby={`${id}-help`}
          value={typeof value === 'string' ? value : ''}
          maxLength={field.longest ?? undefined}
          onChange={(event) => onChange(event.target.value)}
          className="h-8 w-full rounded-md border bg-surface px-2.5 placeholder:text-faint sm:w-56"
        />
      )
  }
}
