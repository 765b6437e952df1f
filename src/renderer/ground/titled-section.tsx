import { createContext, useId, type ReactNode } from 'react'

/** How deep the headings of what stands inside are: below those of a section where there is one. */
export const HeadingInside = createContext<'h2' | 'h3'>('h2')

/** A part of a screen with its heading, a sentence below it, and what can be done at the right. */
export function TitledSection(props: {
  title: string
  lead?: ReactNode
  action?: ReactNode
  children: ReactNode
}) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="flex flex-col gap-3">
      <header className="flex flex-wrap items-end gap-4">
        <div className="min-w-64 flex-1">
          <h2 id={id} className="text-lg font-semibold">
            {props.title}
          </h2>
          {props.lead ? <p className="max-w-2xl text-sm text-muted">{props.lead}</p> : null}
        </div>
        {props.action}
      </header>
      <HeadingInside value="h3">{props.children}</HeadingInside>
    </section>
  )
}
