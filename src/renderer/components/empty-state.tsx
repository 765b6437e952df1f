import type { IconType } from './icons'
import type { ReactNode } from 'react'

/** What a place says when there is nothing in it yet, with the next step. */
export function EmptyState(props: {
  icon: IconType
  title: string
  children?: ReactNode
  action?: ReactNode
  /** It is all there is on the screen, so that its title is the screen’s. Default false. */
  alone?: boolean
}) {
  const Icon = props.icon
  const Heading = props.alone ? 'h1' : 'h2'
  return (
    <div className="mx-auto flex max-w-md flex-col items-center gap-3 px-6 py-12 text-center">
      <Icon size={28} strokeWidth={1.25} aria-hidden className="text-faint" />
      <Heading className="text-lg font-medium">{props.title}</Heading>
      {props.children ? <div className="text-muted">{props.children}</div> : null}
      {props.action ? <div className="mt-1">{props.action}</div> : null}
    </div>
  )
}
