import type { ReactNode } from 'react'
import { NumberField, type NumberFieldProps } from './number-field'

/** One number of a form: where it is kept, what it is called, and what it may be. */
export interface NumberSpec<K extends string> {
  readonly key: K
  readonly label: ReactNode
  readonly hint: ReactNode
  readonly bounds: readonly [number, number]
  readonly fraction?: boolean
  /** Its name where the label alone says too little. */
  readonly name?: string
  /** The field may be emptied, which gives null; what then stands in it. Default: it may not. */
  readonly placeholder?: string
}

/** A whole number of a form, from the first of `bounds` to the last. */
export function whole<K extends string>(
  key: K,
  label: ReactNode,
  hint: ReactNode,
  bounds: readonly [number, number],
  name?: string,
): NumberSpec<K> {
  return { key, label, hint, bounds, ...(name !== undefined && { name }) }
}

/** Any number of a form, from the first of `bounds` to the last. */
export function decimal<K extends string>(...inputs: Parameters<typeof whole<K>>): NumberSpec<K> {
  return { ...whole(...inputs), fraction: true }
}

/** A number that may be left out; `placeholder` is what then counts. */
export const optional = <K extends string>(spec: NumberSpec<K>, placeholder: string): NumberSpec<K> => ({
  ...spec,
  placeholder,
})

/** Several numbers of one form, one field each; null for one that is left out. */
export function NumberFields<K extends string, V extends number | null>(props: {
  fields: readonly NumberSpec<K>[]
  values: Readonly<Record<K, V>>
  onChange(change: Partial<Record<K, V>>): void
}) {
  return props.fields.map(({ key, ...spec }) => {
    const rest = {
      optional: spec.placeholder !== undefined,
      value: props.values[key],
      onChange: (value: V) => props.onChange({ [key]: value } as Partial<Record<K, V>>),
    }
    return <NumberField key={key} {...({ ...spec, ...rest } as NumberFieldProps)} />
  })
}
