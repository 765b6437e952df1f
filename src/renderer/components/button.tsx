import type { IconType } from './icons'
import type { ComponentPropsWithRef } from 'react'
import { classNames } from './class-names'

const LOOKS = {
  primary: 'bg-accent text-accent-ink hover:bg-accent-hover font-medium',
  secondary: 'border border-line bg-surface hover:bg-hover',
  quiet: 'text-muted hover:bg-hover hover:text-ink',
  danger: 'border border-line bg-surface text-danger hover:bg-danger-soft',
} as const

export interface ButtonProps extends ComponentPropsWithRef<'button'> {
  /** How much it asks for attention; one `primary` per screen. Default `secondary`. */
  look?: keyof typeof LOOKS
  icon?: IconType
  /** Default `medium` (32 px high); `small` is 28 px. */
  size?: 'small' | 'medium'
}

/** A button with words. */
export function Button(props: ButtonProps) {
  const { look = 'secondary', icon: Icon, size = 'medium', className, children, ...rest } = props
  return (
    <button
      type="button"
      className={classNames(
        'inline-flex shrink-0 items-center justify-center gap-2 rounded-md whitespace-nowrap transition-colors duration-100 disabled:cursor-not-allowed disabled:opacity-50',
        size === 'small' ? 'h-7 px-2.5 text-sm' : 'h-8 px-3',
        LOOKS[look],
        className,
      )}
      {...rest}
    >
      {Icon ? <Icon size={16} strokeWidth={1.75} aria-hidden className="shrink-0" /> : null}
      {children}
    </button>
  )
}
