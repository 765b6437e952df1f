import type { ReactNode } from 'react'
import { classNames } from './class-names'
import { PageHead } from './page-head'

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
