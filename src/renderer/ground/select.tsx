import { ChevronDown } from '../components/icons'
import type { MemoryInfo } from '../../shared/domain/memory-info'
import { classNames } from '../components/class-names'
import { Field, type FieldProps } from '../components/field'
import { plural } from '../components/format'
import { nameOfMemory } from '../stores/memories'
import { Menu, MenuChoices, type MenuChoice } from './menu'

export interface SelectProps<V extends string> {
  /** What is chosen here; read out before the value. */
  label: string
  value: V | null
  options: readonly MenuChoice<V>[]
  onChange(value: V): void
  /** Shown while nothing is chosen. */
  placeholder?: string
  disabled?: boolean
  /** Its width. Default: all there is. */
  className?: string
  id?: string
}

/** Chooses one of several things. */
export function Select<V extends string>(props: SelectProps<V>) {
  const choice = props.options.find((option) => option.value === props.value)
  const words = choice?.label ?? props.placeholder
  return (
    <Menu
      label={props.label}
      trigger={
        <button
          type="button"
          id={props.id}
          disabled={props.disabled}
          aria-label={`${props.label}: ${words ?? 'nothing chosen'}`}
          className={classNames(
            'flex h-8 items-center justify-between gap-2 rounded-md border border-line bg-surface px-2.5 text-left transition-colors duration-100 hover:bg-hover disabled:cursor-not-allowed disabled:opacity-50',
            props.className ?? 'w-full',
          )}
        >
          <span className={classNames('truncate', !choice && 'text-faint')}>{words ?? 'Choose'}</span>
          <ChevronDown size={14} aria-hidden className="shrink-0 text-muted" />
        </button>
      }
    >
      <MenuChoices value={props.value} choices={props.options} onChange={(value) => props.onChange(value)} />
    </Menu>
  )
}

interface SelectFieldProps<V extends string> extends FieldProps, Omit<SelectProps<V>, 'label' | 'id'> {
  /** Its name where the label is not text, or too short to say it alone. */
  readonly name?: string
}

/** A choice of one of several things, with its label above and a hint below. */
export function SelectField<V extends string>({ label, name, hint, width, ...choice }: SelectFieldProps<V>) {
  return (
    <Field label={label} hint={hint} width={width}>
      {(id) => <Select id={id} label={name ?? (typeof label === 'string' ? label : '')} {...choice} />}
    </Field>
  )
}

/** Memories to choose from, each with how much is in it. */
export const memoryOptions = (
  memories: readonly MemoryInfo[],
  detail: (memory: MemoryInfo) => string = ({ cases }) => plural(cases, 'case'),
): MenuChoice<string>[] =>
  memories.map((memory) => ({ value: memory.id, label: nameOfMemory(memory), detail: detail(memory) }))
