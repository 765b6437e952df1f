import type { ReactNode } from 'react'

/** The head of a page or of a record: what it is, and at the right (below where that is too narrow) what can be done with it. */
export function HeadRow(props: {
  children: ReactNode
  /** Buttons. */
  actions?: ReactNode
}) {
  return (
    <header className="flex flex-wrap items-start gap-x-4 gap-y-3">
      <div className="flex min-w-64 flex-1 flex-col">{props.children}</div>
      {props.actions ? <div className="flex flex-wrap gap-2">{props.actions}</div> : null}
    </header>
  )
}
