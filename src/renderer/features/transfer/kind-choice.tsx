import type { ReactNode } from 'react'
import { formatCount } from '../../components/format'

/** A kind that can come in or leave. */
export interface KindRow {
  readonly kind: string
  readonly title: string
  readonly count: number
  /** What becomes of it, in small type. */
  readonly detail: ReactNode
}

/** Kinds of memory, each with how many there are and whether they go along. */
export function KindChoice(props: {
  label: string
  rows: readonly KindRow[]
  has(kind: string): boolean
  onToggle(kind: string): void
}) {
  return (
    <fieldset>
      <legend className="mb-1 text-sm font-medium">{props.label}</legend>
      <ul className="divide-y rounded-md border text-sm">
        {props.rows.map(({ kind, title, count, detail }) => (
          <li key={kind}>
            <label className="flex items-baseline gap-2 px-3 py-1.5">
              <input
                type="checkbox"
                checked={props.has(kind)}
                onChange={() => props.onToggle(kind)}
                className="translate-y-0.5 accent-(--accent)"
              />
              <span className="shrink-0">
                {title} <span className="text-muted">{formatCount(count)}</span>
              </span>
              <span className="min-w-0 flex-1 text-right text-xs text-muted">{detail}</span>
            </label>
          </li>
        ))}
      </ul>
    </fieldset>
  )
}
