import { useEffect, useState } from 'react'
import { classNames } from './class-names'

export interface NumberInputProps {
  id?: string
  label?: string
  /** Null shows `placeholder` and means "the default". */
  value: number | null
  min: number
  max: number
  placeholder?: string
  onChange(value: number | null): void
  disabled?: boolean
  /** Numbers between whole ones are allowed too. Default false. */
  fraction?: boolean
  /** Emptying the field is allowed and gives null. Default false. */
  optional?: boolean
  /** Enter was pressed with a value that counts. */
  onEnter?(): void
  className?: string
}

/** A whole number, or any with `fraction`. What is typed counts once it is in range; leaving the field shows the value that counts. */
export function NumberInput(props: NumberInputProps) {
  const { value } = props
  const [draft, setDraft] = useState(value === null ? '' : String(value))
  useEffect(() => setDraft(value === null ? '' : String(value)), [value])
  const accept = (text: string) => {
    setDraft(text)
    if (text.trim() === '') return props.optional ? props.onChange(null) : undefined
    const number = Number(text)
    if (inRange(number, props)) props.onChange(number)
  }
  const bad = draft.trim() === '' ? !props.optional : !inRange(Number(draft), props)
  return (
    <input
      id={props.id}
      aria-label={props.label}
      aria-invalid={bad || undefined}
      inputMode={props.fraction ? 'decimal' : 'numeric'}
      value={draft}
      placeholder={props.placeholder}
      disabled={props.disabled}
      onChange={(event) => accept(event.target.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !props.onEnter) return
        event.preventDefault()
        props.onEnter()
      }}
      onBlur={() => setDraft(value === null ? '' : String(value))}
      className={classNames(
        'h-8 w-full rounded-md border bg-surface px-2.5 placeholder:text-faint disabled:opacity-50',
        bad && 'border-danger',
        props.className,
      )}
    />
  )
}

function inRange(value: number, { min, max, fraction }: NumberInputProps): boolean {
  return (fraction ? Number.isFinite(value) : Number.isInteger(value)) && value >= min && value <= max
}
