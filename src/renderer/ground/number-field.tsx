import { useEffect, useId, useRef, useState, type ReactNode } from 'react'
import { classNames } from '../components/class-names'
import { Field } from '../components/field'

interface Bounds {
  /** The least and the most. */
  readonly bounds: readonly [number, number]
  /** Numbers between whole ones count too, with a point or a comma. Default false. */
  readonly fraction?: boolean
  /** `min` itself is not allowed. Default false. */
  readonly above?: boolean
}

interface Box extends Bounds {
  readonly id?: string
  /** Its name for those who do not see what stands beside it. */
  readonly label?: string
  /** What stands in an empty field. */
  readonly placeholder?: string
  readonly disabled?: boolean
  /** Enter was pressed. */
  onEnter?(): void
  /** How wide it is. Default: all there is. */
  readonly className?: string
}

interface Required extends Box {
  readonly optional?: false
  readonly value: number
  onChange(value: number): void
}

interface Optional extends Box {
  /** The field may be emptied, which gives null: the default. */
  readonly optional: true
  readonly value: number | null
  onChange(value: number | null): void
}

export type NumberBoxProps = Required | Optional

/**
 * A number to type. What is typed counts as soon as it is in bounds. What is not stays as it was typed, with what it has to be and what counts until
 * then, and its form is not sent: nothing is done with another number than the one that is read.
 */
export function NumberBox(props: NumberBoxProps) {
  const { value, fraction = false, optional = false } = props
  const [draft, setDraft] = useState(textOf(value))
  const [isLeft, setLeft] = useState(false)
  const noteId = useId()
  const box = useRef<HTMLInputElement>(null)
  const before = useRef(value)
  useEffect(() => {
    // A value that was changed from elsewhere takes the place of what was typed.
    if (before.current !== value) setDraft((text) => (readNumber(text) === value ? text : textOf(value)))
    before.current = value
  }, [value])
  const counts = (text: string): boolean =>
    text.trim() === '' ? optional : isInBounds(readNumber(text), props)
  const accept = (text: string) => {
    setDraft(text)
    setLeft(false)
    if (!counts(text)) return
    const read = readNumber(text)
    if (read !== null) props.onChange(read)
    else if (props.optional) props.onChange(null)
  }
  const bad = !counts(draft)
  const rule = boundsWords(props)
  const words = !bad
    ? null
    : isLeft
      ? `${draft.trim() === '' ? 'Empty' : `“${draft.trim()}”`} is not ${rule}. Until it is, ${value === null ? 'the default' : textOf(value)} counts.`
      : sentence(rule)
  useEffect(() => box.current?.setCustomValidity(bad ? sentence(rule) : ''), [bad, rule])
  return (
    <span className={classNames('flex min-w-0 flex-col gap-1', props.className ?? 'w-full')}>
      <input
        ref={box}
        id={props.id}
        aria-label={props.label}
        aria-invalid={bad || undefined}
        aria-describedby={words === null ? undefined : noteId}
        inputMode={fraction ? 'decimal' : 'numeric'}
        value={draft}
        placeholder={props.placeholder}
        disabled={props.disabled}
        onChange={(event) => accept(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !props.onEnter) return
          event.preventDefault()
          props.onEnter()
        }}
        onBlur={() => {
          setLeft(true)
          if (!bad) setDraft(textOf(value))
        }}
        className={classNames(
          'h-8 w-full rounded-md border bg-surface px-2.5 placeholder:text-faint disabled:opacity-50',
          bad && 'border-danger',
        )}
      />
      {words === null ? null : (
        <span id={noteId} role="status" className="text-xs [overflow-wrap:anywhere] text-danger">
          {words}
        </span>
      )}
    </span>
  )
}

type Own = 'id' | 'label' | 'className'

export type NumberFieldProps = (Omit<Required, Own> | Omit<Optional, Own>) & {
  readonly label: ReactNode
  /** Its name where the label on screen is too short to say it alone. */
  readonly name?: string
  readonly hint?: ReactNode
  /** How wide the box is. Default: all there is. */
  readonly width?: string
}

/** A number to type, with its label above and a hint below. */
export function NumberField({ label, name, hint, width, ...rest }: NumberFieldProps) {
  const box = {
    ...rest,
    ...(name !== undefined && { label: name }),
    ...(width !== undefined && { className: width }),
  }
  return (
    <Field label={label} hint={hint}>
      {(id) => <NumberBox {...(box as NumberBoxProps)} id={id} />}
    </Field>
  )
}

const textOf = (value: number | null): string => (value === null ? '' : String(value))

/** The number that a text says, a comma counting as the point; null for an empty text, NaN for anything else. */
function readNumber(text: string): number | null {
  return text.trim() === '' ? null : Number(text.trim().replace(',', '.'))
}

function isInBounds(number: number | null, { bounds: [min, max], fraction, above }: Bounds): boolean {
  if (number === null || (above && number <= min)) return false
  return (fraction ? Number.isFinite(number) : Number.isInteger(number)) && number >= min && number <= max
}

const plain = new Intl.NumberFormat('en', { maximumFractionDigits: 6 })

/** `a whole number from 1 to 64`, `a number above 0, 1 at most`. */
function boundsWords({ bounds, fraction, above }: Bounds): string {
  const [least, most] = bounds.map(plain.format)
  return `a ${fraction ? '' : 'whole '}number ${above ? `above ${least}, ${most} at most` : `from ${least} to ${most}`}`
}

const sentence = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`
