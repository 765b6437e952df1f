import type { ReactNode } from 'react'
import { classNames } from './class-names'
import { Switch } from './switch'

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
