import type { ReactNode } from 'react'

/** One figure of a list (`dl`): what it is, and below it how much; in the text's own size where it is `plain`. */
export function Figure(props: { name: ReactNode; plain?: boolean; children: ReactNode }) {
  return (
    <div>
      <dt className="text-xs text-muted">{props.name}</dt>
      <dd className={props.plain ? 'tabular-nums' : 'text-lg'}>{props.children}</dd>
    </div>
  )
}
