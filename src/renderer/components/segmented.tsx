import { useId } from 'react'

export interface SegmentedProps<V extends string> {
  label: string
  /** Null: none is on yet. */
  value: V | null
  options: readonly { readonly value: V; readonly label: string }[]
  onChange(value: V): void
}

/** Two to four choices side by side, one of them on. Arrows choose. */
export function Segmented<V extends string>({ label, value, options, onChange }: SegmentedProps<V>) {
  const name = useId()
  return (
    <div
      role="radiogroup"
      aria-label={label}
      className="inline-flex h-8 shrink-0 items-stretch rounded-md border bg-sunken p-0.5"
    >
      {options.map((option) => (
        <label
          key={option.value}
          className="relative inline-flex items-center rounded px-2.5 text-sm text-muted outline-offset-1 outline-accent hover:text-ink has-checked:bg-surface has-checked:text-ink has-checked:ring-1 has-checked:ring-line has-focus-visible:outline-2"
        >
          {/* Over its words, unseen: the browser's own, so that arrows choose however fast they are pressed. */}
          <input
            type="radio"
            name={name}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
            onKeyDown={(event) => {
              // It would send the form that it stands in.
              if (event.key === 'Enter') event.preventDefault()
            }}
            className="absolute inset-0 m-0 size-full appearance-none opacity-0"
          />
          {option.label}
        </label>
      ))}
    </div>
  )
}
