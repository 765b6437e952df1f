import type { ReactNode } from 'react'
import { Field } from '../components/field'
import { Select, type SelectProps } from './select'

export interface SelectFieldProps<V extends string> extends Omit<SelectProps<V>, 'label' | 'id'> {
  readonly label: ReactNode
  /** Its name where the label is not text, or too short to say it alone. */
  readonly name?: string
  readonly hint?: ReactNode
}

/** A choice of one of several things, with its label above and a hint below. */
export function SelectField<V extends string>({ label, name, hint, ...choice }: SelectFieldProps<V>) {
  return (
    <Field label={label} hint={hint}>
      {(id) => <Select id={id} label={name ?? (typeof label === 'string' ? label : '')} {...choice} />}
    </Field>
  )
}
