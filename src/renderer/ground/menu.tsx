import { Check, type IconType } from '../components/icons'
import { DropdownMenu } from 'radix-ui'
import type { ReactNode } from 'react'
import { classNames } from '../components/class-names'

/** Menus lie above dialogs, which have menus in them. */
const SHEET =
  'z-60 max-h-[min(24rem,var(--radix-dropdown-menu-content-available-height))] overflow-y-auto rounded-lg border bg-surface p-1 shadow-menu'
const ROW =
  'flex w-full gap-2 rounded-md px-2 py-1.5 text-left outline-none data-[disabled]:opacity-50 data-[highlighted]:bg-hover'

/**
 * What opens from a button. Built on Radix's non-modal menu: Radix Select, and menus that are modal, write style elements
 * into the page, which the content security policy refuses.
 */
export function Menu(props: {
  label: string
  /** The button; it must take a ref and say what it opens. */
  trigger: ReactNode
  /** Which side it lines up with. Default `start`. */
  align?: 'start' | 'end'
  /** How wide it is. Default: at least as wide as the button. */
  width?: string
  children: ReactNode
}) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{props.trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align={props.align ?? 'start'}
          sideOffset={4}
          collisionPadding={8}
          loop
          aria-label={props.label}
          onCloseAutoFocus={(event) => {
            // What was chosen may have opened a field to write in, which keeps the focus.
            if (document.activeElement?.matches('input, textarea')) event.preventDefault()
          }}
          className={classNames(SHEET, props.width ?? 'max-w-96 min-w-(--radix-dropdown-menu-trigger-width)')}
        >
          {props.children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

/** Something to do. */
export function MenuItem(props: {
  icon?: IconType
  detail?: ReactNode
  danger?: boolean
  disabled?: boolean
  onSelect(): void
  children: ReactNode
}) {
  const { icon: Icon } = props
  return (
    <DropdownMenu.Item
      disabled={props.disabled ?? false}
      onSelect={() => props.onSelect()}
      className={classNames(ROW, props.danger && 'text-danger')}
    >
      {Icon ? <Icon size={16} aria-hidden className="shrink-0 translate-y-0.5 text-muted" /> : null}
      <Words detail={props.detail}>{props.children}</Words>
    </DropdownMenu.Item>
  )
}

export interface MenuChoice<V extends string> {
  readonly value: V
  readonly label: string
  /** A second line: one sentence that helps to choose. */
  readonly detail?: ReactNode
  /** A few words at the right. */
  readonly aside?: ReactNode
  readonly disabled?: boolean
}

/** One of several things; the one that is on has a tick. */
export function MenuChoices<V extends string>(props: {
  value: V | null
  choices: readonly MenuChoice<V>[]
  onChange(value: V): void
}) {
  return (
    <DropdownMenu.RadioGroup
      value={props.value ?? ''}
      onValueChange={(value) => {
        const choice = props.choices.find((candidate) => candidate.value === value)
        if (choice) props.onChange(choice.value)
      }}
    >
      {props.choices.map((choice) => (
        <DropdownMenu.RadioItem
          key={choice.value}
          value={choice.value}
          disabled={choice.disabled ?? false}
          textValue={choice.label}
          className={ROW}
        >
          <span className="flex size-4 shrink-0 translate-y-0.5 items-center justify-center">
            <DropdownMenu.ItemIndicator>
              <Check size={14} aria-hidden />
            </DropdownMenu.ItemIndicator>
          </span>
          <Words detail={choice.detail}>{choice.label}</Words>
          {choice.aside ? (
            <span className="shrink-0 text-xs leading-5 text-muted">{choice.aside}</span>
          ) : null}
        </DropdownMenu.RadioItem>
      ))}
    </DropdownMenu.RadioGroup>
  )
}

/** A sentence about what the menu is for. */
export function MenuNote({ children }: { children: ReactNode }) {
  return <DropdownMenu.Label className="px-2 py-1.5 text-xs text-muted">{children}</DropdownMenu.Label>
}

/** A line between two groups. */
export function MenuLine() {
  return <DropdownMenu.Separator className="my-1 h-px bg-line" />
}

function Words({ detail, children }: { detail?: ReactNode; children: ReactNode }) {
  return (
    <span className="min-w-0 flex-1">
      <span className="block [overflow-wrap:anywhere]">{children}</span>
      {detail ? <span className="block text-xs text-muted">{detail}</span> : null}
    </span>
  )
}
