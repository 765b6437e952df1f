import type { ReactNode } from 'react'

/** The frame of an ordinary screen: title, one sentence, one primary action at the top right, scrolling content. */
export function Screen(props: { title: string; lead?: ReactNode; action?: ReactNode; children: ReactNode }) {
  return (
    <div className="h-full overflow-y-auto">
      <div className="mx-auto flex max-w-4xl flex-col gap-6 p-6">
        <header className="flex items-start gap-6">
          <div className="min-w-0 flex-1">
            <h1 className="text-xl font-semibold">{props.title}</h1>
            {props.lead ? <p className="mt-1 max-w-2xl text-muted">{props.lead}</p> : null}
          </div>
          {props.action}
        </header>
        {props.children}
      </div>
    </div>
  )
}
