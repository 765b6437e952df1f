import type { SuiteReport } from '../../../../shared/domain/suite'
import { classNames } from '../../../components/class-names'
import { Hint } from '../../../components/icon-button'
import { intervalWords, points } from '../figure-words'
import { bestFirst, livesOf, sparkOf } from './suite-lines'

/** Which stream, and which method's life in it, is looked at. */
export interface Looked {
  readonly stream: string
  readonly method: string
}

/** Methods by streams: the success rate of each, with its course in small. Choosing one shows it below. */
export function SuiteGrid(props: {
  report: SuiteReport
  titleOf(method: string): string
  colourOf(method: string): string
  looked: Looked
  onLook(looked: Looked): void
}) {
  const { report, titleOf, colourOf, looked, onLook } = props
  return (
    <div className="overflow-x-auto rounded-lg border bg-surface">
      <table className="w-full border-collapse text-sm">
        <caption className="sr-only">Success rate in percent, by method and stream</caption>
        <thead>
          <tr className="border-b text-right text-xs whitespace-nowrap text-muted">
            <th scope="col" className="sticky left-0 bg-surface px-2.5 py-2 text-left font-medium">
              Method
            </th>
            <th scope="col" className="px-2.5 py-2 font-medium">
              Suite
            </th>
            {report.streams.map(({ id, title, about, companion }) => (
              <th key={id} scope="col" className="px-2.5 py-2 font-medium">
                <Hint text={about} side="top">
                  <span className={classNames(companion && 'text-faint', looked.stream === id && 'text-ink')}>
                    {title}
                  </span>
                </Hint>
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y">
          {bestFirst(report).map((method) => {
            const own = report.suite.find((one) => one.method === method)
            return (
              <tr key={method}>
                <th
                  scope="row"
                  className="sticky left-0 max-w-44 truncate bg-surface px-2.5 py-1 text-left font-normal"
                >
                  {titleOf(method)}
                </th>
                <td className="px-2.5 py-1 text-right font-medium whitespace-nowrap">
                  {own?.mean === null || own === undefined ? '' : points(own.mean)}
                  <span className="block text-2xs font-normal text-muted">
                    {own?.low !== null && own?.high !== null && own !== undefined
                      ? intervalWords([own.low, own.high], points)
                      : ''}
                  </span>
                </td>
                {report.streams.map(({ id, title }) => (
                  <td key={id} className="p-0.5 text-right">
                    <GridCell
                      report={report}
                      look={{ stream: id, method }}
                      name={`${titleOf(method)} on ${title}`}
                      colour={colourOf(method)}
                      on={looked.stream === id && looked.method === method}
                      onLook={onLook}
                    />
                  </td>
                ))}
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

function GridCell(props: {
  report: SuiteReport
  look: Looked
  name: string
  colour: string
  on: boolean
  onLook(looked: Looked): void
}) {
  const { report, look, name, colour, on, onLook } = props
  const lives = livesOf(report.cells, look.stream, look.method)
  const row = report.summary.find(({ stream, method }) => stream === look.stream && method === look.method)
  if (lives.length === 0) return null
  const rate = row?.mean ?? null
  return (
    <button
      type="button"
      aria-pressed={on}
      aria-label={`${name}: ${rate === null ? 'under way' : `${points(rate)} percent`}`}
      onClick={() => onLook(look)}
      className={classNames(
        'inline-flex h-10 w-19 flex-col items-end justify-center rounded-md border px-1.5 hover:border-ink',
        on ? 'border-ink bg-sunken' : 'border-transparent',
      )}
    >
      <span className={rate === null ? 'text-faint' : undefined}>{rate === null ? '…' : points(rate)}</span>
      <Spark values={sparkOf(lives)} colour={colour} />
    </button>
  )
}

/** The course of a rate from 0 to 1, without figures. */
function Spark({ values, colour }: { values: readonly number[]; colour: string }) {
  const path = values.map((value, i) => `${(i * 60) / Math.max(1, values.length - 1)},${12 - 11 * value}`)
  return (
    <svg aria-hidden viewBox="0 0 60 13" className="block h-3 w-15">
      <polyline points={path.join(' ')} fill="none" strokeWidth="1.5" style={{ stroke: `var(${colour})` }} />
    </svg>
  )
}
