import { hasInterval } from '../../../shared/figures/seed-band'
import { classNames } from '../../components/class-names'
import type { Figure } from './figure'
import { LineSample } from './line-sample'
import { formatPlace, formatValue } from './words'

/** A place in the chart that is being looked at. */
export interface Hover {
  /** Index on the figure's grid. */
  readonly at: number
  /** Index of the nearest line; -1 when none has a value there. */
  readonly line: number
  /** Where the point is in the chart, in px. */
  readonly left: number
  readonly top: number
  /** Width of the chart in px. */
  readonly width: number
}

const MOST_ROWS = 8
const WIDTH = 304

/** The numbers at one place: every line with its value, interval and n, the nearest one first when there are too many. */
export function ChartTooltip({ hover, figure }: { hover: Hover; figure: Figure }) {
  const { at, line: nearest, left, top } = hover
  const records = figure.lines
    .map((line, index) => ({ line, index, value: line.mean[at] ?? Number.NaN }))
    .filter(({ value }) => !Number.isNaN(value))
    .sort((a, b) => b.value - a.value)
  const place = records.findIndex(({ index }) => index === nearest)
  const from = Math.max(0, Math.min(records.length - MOST_ROWS, place - MOST_ROWS / 2))
  const rows = records.slice(from, from + MOST_ROWS)
  const sameN = rows.length > 0 && rows.every(({ line }) => line.n[at] === rows[0]?.line.n[at])
  const colour = figure.lines[nearest]?.look.colour
  const toLeft = left + WIDTH + 24 > hover.width
  const marker = figure.markers.filter(({ x }) => Math.abs(x - (figure.grid[at] ?? 0)) <= nearby(figure))
  return (
    <>
      {colour ? (
        <span
          aria-hidden
          className="pointer-events-none absolute size-2.5 -translate-1/2 rounded-full border-2 border-surface"
          style={{ left, top, background: `var(${colour})` }}
        />
      ) : null}
      <div
        role="status"
        className="pointer-events-none absolute top-6 z-10 rounded-lg border bg-surface px-3 py-2 text-xs shadow-menu"
        style={{ width: WIDTH, left: toLeft ? Math.max(4, left - WIDTH - 14) : left + 14 }}
      >
        <p className="mb-1 flex justify-between font-medium">
          {formatPlace(figure.grid[at] ?? 0, figure.axis)}
          {sameN ? <span className="font-normal text-muted">n = {rows[0]?.line.n[at]}</span> : null}
        </p>
        {marker.map(({ label, x }) => (
          <p key={`${label} ${x}`} className="mb-1 text-muted">
            {label}
          </p>
        ))}
        {rows.length === 0 ? <p className="text-muted">No run has reached this task.</p> : null}
        <ul className="flex flex-col gap-0.5">
          {rows.map(({ line, index, value }) => (
            <li key={line.series.key} className="flex items-center gap-2">
              <LineSample look={line.look} />
              <span className={classNames('min-w-0 flex-1 truncate', index === nearest && 'font-semibold')}>
                {line.series.label}
                {line.series.detail ? (
                  <span className="font-normal text-muted"> {line.series.detail}</span>
                ) : null}
              </span>
              <span className="shrink-0 text-right">
                {formatValue(value, figure.measure, figure.difference)}
                <span className="ml-1.5 text-muted">
                  {hasInterval(line, at)
                    ? `[${bare(line.low[at], figure)}, ${bare(line.high[at], figure)}]`
                    : ''}
                  {sameN ? '' : ` n = ${line.n[at] ?? 0}`}
                </span>
              </span>
            </li>
          ))}
        </ul>
        {records.length > rows.length ? (
          <p className="mt-1 text-muted">and {records.length - rows.length} more lines</p>
        ) : null}
        {rows.length > 0 ? <p className="mt-1.5 text-muted">Click for the attempt behind it</p> : null}
      </div>
    </>
  )
}

/** Half a hundredth of the axis. */
const nearby = ({ grid }: Figure) => (grid.at(-1) ?? 0) / 200

/** A value without its unit. */
const bare = (value: number | undefined, figure: Figure) =>
  formatValue(value ?? Number.NaN, figure.measure, figure.difference).replace(/ (%|points)$/, '')
