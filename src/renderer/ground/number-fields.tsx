import type { ReactNode } from 'react'
import { NumberField } from './number-field'

/** One number of a form: where it is kept, what it is called, and what it may be. */
export interface NumberSpec<K extends string> {
  readonly key: K
  readonly label: ReactNode
  readonly hint: ReactNode
  readonly bounds: readonly [number, number]
  readonly fraction?: boolean
  /** Its name where the label alone says too little. */
  readonly name?: string
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
export function decimal<K extends string>(...given: Parameters<typeof whole<K>>): NumberSpec<K> {
  return { ...whole(...given), fraction: true }
}

/** Several numbers of one form, one field each. */
export function NumberFields<K extends string>(props: {
  fields: readonly NumberSpec<K>[]
  values: Readonly<Record<K, number>>
  onChange(change: Partial<Record<K, number>>): void
}) {
  return props.fields.map(({ key, ...spec }) => (
    <NumberField
      key={key}
      {...spec}
      value={props.values[key]}
      onChange={(value) => props.onChange({ [key]: value } as Partial<Record<K, number>>)}
    />
  ))
}
