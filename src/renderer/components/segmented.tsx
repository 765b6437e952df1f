import { ToggleGroup } from 'radix-ui'

export interface SegmentedProps<V extends string> {
  label: string
  /** Null: none is on yet. */
  value: V | null
  options: readonly { readonly value: V; readonly label: string }[]
  onChange(value: V): void
}

/** Two to four choices side by side, one of them on. */
export function Segmented<V extends string>({ label, value, options, onChange }: SegmentedProps<V>) {
  return (
    <ToggleGroup.Root
      type="single"
      aria-label={label}
      value={value ?? ''}
      onValueChange={(next) => {
        const option = options.find((candidate) => candidate.value === next)
        if (option) onChange(option.value)
      }}
      className="inline-flex h-8 shrink-0 items-stretch rounded-md border bg-sunken p-0.5"
    >
      {options.map((option) => (
        <ToggleGroup.Item
          key={option.value}
          value={option.value}
          className="rounded px-2.5 text-sm text-muted hover:text-ink data-[state=on]:bg-surface data-[state=on]:text-ink data-[state=on]:ring-1 data-[state=on]:ring-line"
        >
          {option.label}
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  )
}
