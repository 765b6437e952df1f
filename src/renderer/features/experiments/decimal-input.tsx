import { useEffect, useState } from 'react'
import { classNames } from '../../components/class-names'

export interface DecimalInputProps {
  id: string
  value: number
  min: number
  max: number
  onChange(value: number): void
}

/** A number that may have decimals. What is typed counts once it is in range; leaving the field shows the value that counts. */
export function DecimalInput({ id, value, min, max, onChange }: DecimalInputProps) {
  const [draft, setDraft] = useState(String(value))
  useEffect(() => setDraft((before) => (read(before) === value ? before : String(value))), [value])
  const inRange = (number: number) => number >= min && number <= max
  return (
    <input
      id={id}
      inputMode="decimal"
      value={draft}
      aria-invalid={!inRange(read(draft)) || undefined}
      onChange={(event) => {
        setDraft(event.target.value)
        const number = read(event.target.value)
        if (inRange(number)) onChange(number)
      }}
      onBlur={() => setDraft(String(value))}
      className={classNames(
        'h-8 w-full rounded-md border bg-surface px-2.5',
        !inRange(read(draft)) && 'border-danger',
      )}
    />
  )
}

/** The number that a text says; a comma counts as the point. NaN for anything else, which is in no range. */
function read(text: string): number {
  return text.trim() === '' ? Number.NaN : Number(text.replace(',', '.'))
}
