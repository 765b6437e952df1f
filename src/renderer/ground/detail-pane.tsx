import { Tabs } from 'radix-ui'
import { useState, type ReactNode } from 'react'
import { classNames } from '../components/class-names'
import { HeadRow } from '../components/screen'

/** One record in full: what it is, what can be done with it, and its parts below. */
export function DetailPane(props: {
  /** Short words that classify it, and when it is from. */
  marks: ReactNode
  title: ReactNode
  /** One line about it. */
  lead?: ReactNode
  actions?: ReactNode
  children: ReactNode
}) {
  return (
    <article className="mx-auto flex max-w-3xl flex-col gap-5 p-6">
      <HeadRow actions={props.actions}>
        {/* Long marks break: they would reach under the buttons. */}
        <div className="flex flex-wrap items-center gap-2 *:h-auto *:max-w-full *:min-h-5 *:whitespace-normal">
          {props.marks}
        </div>
        <h1 className="mt-2 max-h-36 overflow-y-auto text-lg font-medium [overflow-wrap:anywhere] whitespace-pre-line">
          {props.title}
        </h1>
        {props.lead ? <p className="mt-2 text-sm text-muted">{props.lead}</p> : null}
      </HeadRow>
      {props.children}
    </article>
  )
}

/** One part of a record, behind its name. */
export interface Part {
  readonly value: string
  readonly label: string
  readonly content: ReactNode
}

/** The parts of a record, one of them open. `closed` opens none until somebody asks. */
export function PartTabs(props: { label: string; parts: readonly Part[]; closed?: boolean }) {
  const [open, setOpen] = useState(props.closed ? '' : (props.parts[0]?.value ?? ''))
  return (
    <Tabs.Root className="shrink-0" value={open} onValueChange={setOpen}>
      <Tabs.List aria-label={props.label} className="flex flex-wrap gap-x-5 gap-y-1 border-b">
        {props.parts.map(({ value, label }) => (
          <Tabs.Trigger
            key={value}
            value={value}
            className="border-b-2 border-transparent pb-2 text-muted hover:text-ink data-[state=active]:border-accent data-[state=active]:text-ink"
          >
            {label}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      {props.parts.map(({ value, content }) => (
        <Tabs.Content key={value} value={value} className="flex flex-col gap-4 pt-4">
          {content}
        </Tabs.Content>
      ))}
    </Tabs.Root>
  )
}

/** Facts about a record, a line each. */
export function FactList(props: {
  rows: readonly { readonly label: string; readonly value: string }[]
  className?: string
}) {
  return (
    <dl className="divide-y rounded-lg border text-sm">
      {props.rows.map(({ label, value }) => (
        <div key={label} className="flex gap-4 px-4 py-1.5">
          <dt className="w-40 shrink-0 text-muted">{label}</dt>
          <dd className={classNames('min-w-0 flex-1 [overflow-wrap:anywhere]', props.className)}>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
