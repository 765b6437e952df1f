import { capital, formatCount } from '../../components/format'

/** A kind that can come in or leave. */
export interface KindRow {
  readonly kind: string
  readonly title: string
  readonly count: number
  /** What becomes of it, in small type. */
  readonly detail: string
  /** The first of them. */
  readonly samples?: readonly { readonly title: string }[]
}

/** Kinds of memory, each with how many there are and whether they go along. */
export function KindChoice(props: {
  label: string
  rows: readonly KindRow[]
  has(kind: string): boolean
  onToggle(kind: string): void
}) {
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 text-sm font-medium">{props.label}</legend>
      <ul className="divide-y rounded-md border text-sm">
        {props.rows.map(({ kind, title, count, detail, samples = [] }) => (
          <li key={kind}>
            <label className="flex items-baseline gap-2 px-3 py-1.5">
              <input
                type="checkbox"
                checked={props.has(kind)}
                onChange={() => props.onToggle(kind)}
                className="translate-y-0.5 accent-(--accent)"
              />
              <span className="min-w-0 flex-1">
                <span className="flex items-baseline gap-2">
                  <span className="shrink-0">
                    {capital(title)} <span className="text-muted">{formatCount(count)}</span>
                  </span>
                  <span className="min-w-0 flex-1 text-right text-xs text-muted">{detail}</span>
                </span>
                {samples.length > 0 ? (
                  <span className="block truncate text-xs text-muted">
                    {samples.map((sample) => `“${sample.title}”`).join(', ')}
                  </span>
                ) : null}
              </span>
            </label>
          </li>
        ))}
      </ul>
    </fieldset>
  )
}
