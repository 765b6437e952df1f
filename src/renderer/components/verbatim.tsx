import type { ReactNode } from 'react'
import { classNames } from './class-names'

interface VerbatimProps {
  /** Its name, for those who do not see what stands around it. Needed where it scrolls. */
  readonly label?: string
  /** It is at most some lines high, and the keyboard reaches it to scroll. Default false: as high as the text. */
  readonly scroll?: boolean
  /** What it lies on. Default: a sunken box. */
  readonly ground?: string
  readonly children: ReactNode
}

/** Text as it was written: never markup, its lines kept, long words broken. */
export function Verbatim({ label, scroll = false, ground, children }: VerbatimProps) {
  return (
    <pre
      aria-label={label}
      {...(scroll && { tabIndex: 0, role: 'group' })}
      className={classNames(
        'text-xs leading-[1.125rem] whitespace-pre-wrap [overflow-wrap:anywhere]',
        ground ?? 'rounded-md bg-sunken px-2.5 py-2',
        scroll && 'max-h-64 overflow-auto',
      )}
    >
      {children}
    </pre>
  )
}
