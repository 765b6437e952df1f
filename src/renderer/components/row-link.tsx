import type { ReactNode } from 'react'
import { classNames } from './class-names'

/** The name of something in a list, on one line; opens it. */
export function RowLink(props: { onClick(): void; className?: string; children: ReactNode }) {
  return (
    <button
      type="button"
      onClick={props.onClick}
      className={classNames(
        'truncate rounded-sm text-left hover:text-accent hover:underline',
        props.className,
      )}
    >
      {props.children}
    </button>
  )
}

/** A way to somewhere else within a sentence. */
export function TextLink({ onClick, children }: { onClick(): void; children: ReactNode }) {
  return (
    <button type="button" className="rounded-sm text-accent underline underline-offset-3" onClick={onClick}>
      {children}
    </button>
  )
}
