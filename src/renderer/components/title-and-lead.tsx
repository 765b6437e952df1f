import type { ReactNode } from 'react'
import { classNames } from './class-names'

/** What something is called and a line about it below, in the width that is left beside its buttons. */
export function TitleAndLead(props: {
  title: ReactNode
  /** Left out where there is nothing to say. */
  lead?: ReactNode | undefined
  /** A heading where it heads a part of the page. Default: a paragraph. */
  as?: 'p' | 'h2' | 'h3'
  /** Whether the line is as small as a note. Default false. */
  small?: boolean
  /** From which width on it takes a line of its own. Default: from none. */
  className?: string
  /** More about it. */
  children?: ReactNode
}) {
  const { as: Title = 'p', lead = null } = props
  return (
    <div className={classNames('flex-1', props.className ?? 'min-w-0')}>
      <Title className="font-medium">{props.title}</Title>
      {lead === null ? null : (
        <p className={classNames('text-muted', props.small ? 'text-xs' : 'text-sm')}>{lead}</p>
      )}
      {props.children}
    </div>
  )
}
