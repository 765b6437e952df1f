import type { ReactNode } from 'react'
import { HeadRow } from './head-row'

/** The head of a page: its title with what classifies it, a sentence below, and what can be done at the right. */
export function PageHead(props: {
  title: ReactNode
  /** Short words behind the title. */
  marks?: ReactNode
  lead?: ReactNode
  /** Buttons. */
  actions?: ReactNode
}) {
  return (
    <HeadRow actions={props.actions}>
      <div className="flex flex-wrap items-center gap-2">
        <h1 className="text-xl font-semibold [overflow-wrap:anywhere]">{props.title}</h1>
        {props.marks}
      </div>
      {props.lead ? <p className="mt-1 max-w-2xl text-muted">{props.lead}</p> : null}
    </HeadRow>
  )
}
