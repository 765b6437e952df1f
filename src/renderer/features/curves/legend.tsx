import { countWords, sampleWords } from '../../../shared/figures/estimate'
import { classNames } from '../../components/class-names'
import { formatCount } from '../../components/format'
import type { LineLook } from './line-looks'
import { LineSample } from './line-sample'
import type { SeriesSummary } from './summary'
import { formatDelta, formatRate, leftOutWords } from './words'

export interface LegendProps {
  readonly rows: readonly SeriesSummary[]
  readonly looks: ReadonlyMap<string, LineLook>
  readonly hidden: ReadonlySet<string>
  /** Whether any series is compared with a baseline. */
  readonly compared: boolean
  onToggle(key: string): void
  /** Leaves only this series on; all of them when it is the only one already. */
  onOnly(key: string): void
  onEmphasise(key: string | null): void
}

/** Every series with its switch and its figures; pointing at one brings its line forward. */
export function Legend(props: LegendProps) {
  const { rows, looks, hidden, compared } = props
  return (
    <table className="w-full text-sm" onMouseLeave={() => props.onEmphasise(null)}>
      <caption className="sr-only">Legend: series and their figures over all finished tasks</caption>
      <thead className="sticky top-0 bg-surface text-xs text-muted">
        <tr className="*:pb-1 *:font-normal">
          <th scope="col" className="text-left">
            Series
          </th>
          <th scope="col" className="w-12 text-right">
            n
          </th>
          <th scope="col" className="w-24 text-right">
            Tasks
          </th>
          <th scope="col" className="w-36 text-right">
            Solved [95 % CI]
          </th>
          {compared ? (
            <th scope="col" className="w-44 text-right">
              Points to baseline [95 % CI]
            </th>
          ) : null}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => {
          const { series, tasks } = row
          const on = !hidden.has(series.key)
          const look = looks.get(series.key)
          const restText = leftOutWords(series)
          return (
            <tr
              key={series.key}
              data-testid="legend-row"
              className={classNames('h-7 hover:bg-hover', !on && 'text-faint')}
              onMouseEnter={() => props.onEmphasise(on ? series.key : null)}
            >
              <th scope="row" className="max-w-0 text-left font-normal">
                <label className="flex cursor-pointer items-center gap-2 px-1">
                  <input
                    type="checkbox"
                    checked={on}
                    className="accent-(--accent)"
                    onChange={() => props.onToggle(series.key)}
                    onClick={(event) => {
                      if (!event.altKey) return
                      event.preventDefault()
                      props.onOnly(series.key)
                    }}
                    onFocus={() => props.onEmphasise(on ? series.key : null)}
                    onBlur={() => props.onEmphasise(null)}
                  />
                  {look ? <LineSample look={look} /> : null}
                  <span className="min-w-0 truncate">
                    {series.label}
                    {series.detail ? <span className="text-muted"> {series.detail}</span> : null}
                    {restText ? <span className="text-notice"> · {restText}</span> : null}
                  </span>
                </label>
              </th>
              <td className="text-right">{countWords(row.rate)}</td>
              <td className="text-right">{tasksWords(tasks)}</td>
              <td className="text-right">{formatRate(row.rate)}</td>
              {compared ? (
                <td className="text-right">
                  {row.baseline ? (
                    <>
                      {formatDelta(row.delta)} <span className="text-muted">{sampleWords(row.delta)}</span>
                    </>
                  ) : (
                    '–'
                  )}
                </td>
              ) : null}
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

/** `120`, or `40 to 120` when the seeds are not equally far. */
export const tasksWords = ([fewest, most]: readonly [number, number]) =>
  fewest === most ? formatCount(most) : `${formatCount(fewest)} to ${formatCount(most)}`
