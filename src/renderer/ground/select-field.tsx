import { Field, type FieldProps } from '../components/field'
import { Select, type SelectProps } from './select'

export interface SelectFieldProps<V extends string> extends FieldProps, Omit<SelectProps<V>, 'label' | 'id'> {
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
