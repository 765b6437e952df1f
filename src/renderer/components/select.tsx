import { Check, ChevronDown } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { classNames } from './class-names'

export interface SelectOption<V extends string> {
  readonly value: V
  readonly label: string
  /** A second line: one sentence that helps to choose. */
  readonly detail?: string
  readonly disabled?: boolean
}

export interface SelectProps<V extends string> {
  /** What is chosen here; read out before the value. */
  label: string
  value: V | null
  options: readonly SelectOption<V>[]
  onChange(value: V): void
  /** Shown while nothing is chosen. */
  placeholder?: string
  disabled?: boolean
  /** Its width. Default: all there is. */
  className?: string
  id?: string
}

/**
 * Chooses one of several things. Built on Radix's non-modal menu with radio items: Radix Select writes style elements
 * into the page, which the content security policy refuses.
 */
export function Select<V extends string>(props: SelectProps<V>) {
  const chosen = props.options.find((option) => option.value === props.value)
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger
        id={props.id}
        disabled={props.disabled}
        aria-label={`${props.label}: ${chosen?.label ?? props.placeholder ?? 'nothing chosen'}`}
        className={classNames(
          'flex h-8 items-center justify-between gap-2 rounded-md border border-line bg-surface px-2.5 text-left transition-colors duration-100 hover:bg-hover disabled:cursor-not-allowed disabled:opacity-50',
          props.className ?? 'w-full',
        )}
      >
        <span className={classNames('truncate', !chosen && 'text-faint')}>
          {chosen?.label ?? props.placeholder ?? 'Choose'}
        </span>
        <ChevronDown size={14} aria-hidden className="shrink-0 text-muted" />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="start"
          sideOffset={4}
          collisionPadding={8}
          loop
          aria-label={props.label}
          className="z-40 max-h-96 max-w-96 min-w-(--radix-dropdown-menu-trigger-width) overflow-y-auto rounded-lg border bg-surface p-1 shadow-menu"
        >
          <DropdownMenu.RadioGroup
            value={props.value ?? ''}
            onValueChange={(value) => {
              const option = props.options.find((candidate) => candidate.value === value)
              if (option) props.onChange(option.value)
            }}
          >
            {props.options.map((option) => (
              <DropdownMenu.RadioItem
                key={option.value}
                value={option.value}
                disabled={option.disabled ?? false}
                textValue={option.label}
                className="flex gap-2 rounded-md px-2 py-1.5 outline-none data-[disabled]:opacity-50 data-[highlighted]:bg-hover"
              >
                <span className="flex size-4 shrink-0 translate-y-0.5 items-center justify-center">
                  <DropdownMenu.ItemIndicator>
                    <Check size={14} aria-hidden />
                  </DropdownMenu.ItemIndicator>
                </span>
                <span className="min-w-0">
                  <span className="block">{option.label}</span>
                  {option.detail ? <span className="block text-xs text-muted">{option.detail}</span> : null}
                </span>
              </DropdownMenu.RadioItem>
            ))}
          </DropdownMenu.RadioGroup>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}
