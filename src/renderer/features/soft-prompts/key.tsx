import type { ReactNode } from 'react'
import { classNames } from '../../components/class-names'

/** What a line or dot of a chart stands for. */
export function Key(props: { colour: string; dot?: boolean; children: ReactNode }) {
  return (
    <span className="flex items-center gap-1.5 text-muted tabular-nums">
      <span
        aria-hidden
        className={classNames('shrink-0 rounded-full', props.dot ? 'size-1.5' : 'h-0.5 w-3')}
        style={{ background: `var(${props.colour})` }}
      />
      <span>{props.children}</span>
    </span>
  )
}
