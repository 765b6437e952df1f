import { Switch as Primitive } from 'radix-ui'
import type { ReactNode } from 'react'
import { classNames } from './class-names'

/** Turns one thing on or off. */
export function Switch(props: {
  id?: string
  label: string
  checked: boolean
  onChange(isChecked: boolean): void
}) {
  return (
    <Primitive.Root
      id={props.id}
      aria-label={props.label}
      checked={props.checked}
      onCheckedChange={props.onChange}
      className="relative h-5 w-9 shrink-0 rounded-full border border-line-strong bg-sunken transition-colors duration-100 data-[state=checked]:border-accent data-[state=checked]:bg-accent"
    >
      <Primitive.Thumb className="block size-3.5 translate-x-0.5 rounded-full bg-line-strong transition-transform duration-100 data-[state=checked]:translate-x-[18px] data-[state=checked]:bg-accent-ink" />
    </Primitive.Root>
  )
}

/** A switch with its words beside it, and a smaller line below them. */
export function SwitchLine(props: {
  label: string
  /** What it means to turn it on. */
  detail?: ReactNode
  checked: boolean
  onChange(isChecked: boolean): void
  className?: string
}) {
  const { label, detail } = props
  return (
    <label className={classNames('flex items-start gap-3 text-sm', props.className)}>
      <Switch label={label} checked={props.checked} onChange={props.onChange} />
      <span>
        {label}
        {detail ? <span className="block text-xs text-muted">{detail}</span> : null}
      </span>
    </label>
  )
}
