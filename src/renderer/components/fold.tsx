import { ChevronRight } from './icons'
import { useState, type ReactNode } from 'react'
import { classNames } from './class-names'

/** A part of a list's row that is folded away behind its name, in small type unless `look` says otherwise. */
export function SmallFold(props: { title: ReactNode; look?: string; children: ReactNode }) {
  const { title, look = 'text-xs text-muted hover:text-ink', children } = props
  return (
    <details>
      <summary className={classNames('w-fit cursor-pointer rounded-sm', look)}>{title}</summary>
      {children}
    </details>
  )
}

/** A part that most people leave alone, behind its name; drawn once somebody opens it. */
export function Fold(props: { title: ReactNode; className?: string; children: ReactNode }) {
  const [wasOpened, setOpened] = useState(false)
  return (
    <details className={classNames('group', props.className)} onToggle={() => setOpened(true)}>
      <Summary>{props.title}</Summary>
      {wasOpened ? props.children : null}
    </details>
  )
}

/** What opens a part that is folded away; stands first in a `details` of the class `group`. */
export function Summary({ children }: { children: ReactNode }) {
  return (
    <summary className="flex w-fit cursor-pointer list-none items-center gap-1 rounded-sm text-sm font-medium">
      <ChevronRight
        size={14}
        aria-hidden
        className="text-muted transition-transform duration-100 group-open:rotate-90"
      />
      {children}
    </summary>
  )
}
