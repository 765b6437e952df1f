import type { ReactNode } from 'react'
import { classNames } from './class-names'

/** The frame of an ordinary screen: title, one sentence, one primary action at the top right, scrolling content. */
export function Screen(props: { title: string; lead?: ReactNode; action?: ReactNode; children: ReactNode }) {
  return (
    <Page>
      <PageHead title={props.title} lead={props.lead} actions={props.action} />
      {props.children}
    </Page>
  )
}

/** A page that scrolls, as wide as lines stay readable, and far enough that what is last comes out from under the notes at the lower right. */
export function Page({ wide = false, children }: { wide?: boolean; children: ReactNode }) {
  return (
    <div className="h-full overflow-y-auto">
      <div className={classNames('mx-auto flex flex-col gap-6 p-6 pb-44', wide ? 'max-w-6xl' : 'max-w-4xl')}>
        {children}
      </div>
    </div>
  )
}

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
