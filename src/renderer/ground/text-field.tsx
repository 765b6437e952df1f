import type { ComponentProps } from 'react'
import { classNames } from '../components/class-names'
import { Field, hintId, type FieldProps } from '../components/field'

interface Labelled extends FieldProps {
  readonly value: string
  onChange(value: string): void
}

const LOOK = 'rounded-md border bg-surface px-2.5 placeholder:text-faint disabled:opacity-60'

type TextFieldProps = Labelled & Omit<ComponentProps<'input'>, keyof Labelled | 'id' | 'ref'>

/** One line of text, with its label above and a hint below. */
export function TextField({ label, hint, width, onChange, className = 'w-full', ...rest }: TextFieldProps) {
  const look = classNames('h-8', LOOK, className)
  return (
    <Field label={label} hint={hint} width={width}>
      {(id) => (
        <input
          {...rest}
          id={id}
          aria-describedby={hint ? hintId(id) : undefined}
          onChange={(event) => onChange(event.target.value)}
          className={look}
        />
      )}
    </Field>
  )
}

type TextAreaProps = Labelled &
  Omit<ComponentProps<'textarea'>, keyof Labelled | 'id' | 'ref' | 'className'> & {
    /** For code and logs: fixed width letters, no spelling marks. Default false. */
    readonly code?: boolean
  }

/** Several lines of text, with their label above and a hint below. */
export function TextArea({ label, hint, width, onChange, code = false, ...rest }: TextAreaProps) {
  return (
    <Field label={label} hint={hint} width={width}>
      {(id) => (
        <textarea
          {...rest}
          id={id}
          aria-describedby={hint ? hintId(id) : undefined}
          spellCheck={!code}
          onChange={(event) => onChange(event.target.value)}
          className={classNames('w-full resize-y py-1.5', LOOK, code && 'font-mono text-xs')}
        />
      )}
    </Field>
  )
}
