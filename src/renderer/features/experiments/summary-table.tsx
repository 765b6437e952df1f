import type { ReactNode } from 'react'
import { useStore } from 'zustand'
import type { ExperimentInfo, ExperimentRow } from '../../../shared/domain/experiment'
import { countWords, sampleWords } from '../../../shared/figures/estimate'
import { classNames } from '../../components/class-names'
import { ErrorNotice } from '../../components/error-notice'
import { formatCount } from '../../components/format'
import { Loading } from '../../components/loading'
import { Select } from '../../ground/select'
import { Term } from '../../components/term'
import { hasEnded } from '../../stores/experiment-feed'
import { useServices } from '../../stores/use-services'
import { figureNotes, intervalWords, isClear, meanWords, points, signedPoints } from './figure-words'
import { useMethodNames } from './use-method-names'

const NOTHING = ''

/** The figures over seeds: mean, interval, last third, and the difference to a baseline. */
export function SummaryTable({ info }: { info: ExperimentInfo }) {
  const { experiments } = useServices()
  const report = useStore(experiments, (state) => state.report)
  const problem = useStore(experiments, (state) => state.reportProblem)
  const choice = useStore(experiments, (state) => state.baseline)
  const names = useMethodNames(info.definition)
  const endCount = info.cells.filter(({ status }) => hasEnded(status)).length
  const entries = info.definition.methods.map((entry) => (typeof entry === 'string' ? entry : entry.name))
  const target = choice === undefined ? info.definition.baseline : choice
  const baseline = target !== null && entries.includes(target) ? target : null
  const rows = report?.summary ?? []
  return (
    <section aria-label="Figures" className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h2 className="min-w-48 flex-1 font-medium">
          <Term name="success rate">Success rate</Term> in percent
        </h2>
        <div className="flex items-center gap-3">
          <span className="text-sm text-muted">
            Compare with the <Term name="baseline" />
          </span>
          <Select
            label="Baseline"
            className="w-44"
            value={baseline ?? NOTHING}
            options={[
              ...entries.map((name) => ({ value: name, label: names(name).title })),
              { value: NOTHING, label: 'Nothing' },
            ]}
            onChange={(value) => experiments.getState().compareWith(value === NOTHING ? null : value)}
          />
        </div>
      </div>
      {problem ? (
        <ErrorNotice problem={problem} alwaysRetry onRetry={() => void experiments.getState().loadReport()} />
      ) : null}
      {report === null && !problem ? <Loading what="the figures" /> : null}
      {report !== null && rows.length === 0 ? (
        <p className="rounded-lg border border-dashed p-4 text-center text-muted">
          {endCount === info.cells.length
            ? 'No cell came far enough to give figures.'
            : 'Figures appear as soon as the first cell has ended.'}
        </p>
      ) : null}
      {rows.length > 0 ? (
        <>
          <div className="overflow-x-auto rounded-lg border bg-surface">
            <table className="w-full border-collapse text-sm">
              <thead>
                <tr className="border-b text-right text-xs whitespace-nowrap text-muted">
                  <Head left>Method</Head>
                  <Head>
                    <Term name="K" />
                  </Head>
                  <Head>n</Head>
                  <Head>Mean</Head>
                  <Head>
                    <Term name="95 % CI" />
                  </Head>
                  <th scope="col" className="w-22 max-[1100px]:hidden">
                    <span className="sr-only">Mean, drawn</span>
                  </th>
                  <Head>Last third</Head>
                  {baseline === null ? null : (
                    <>
                      <Head wrap>vs {names(baseline).title}</Head>
                      <Head>
                        <Term name="95 % CI" />
                      </Head>
                    </>
                  )}
                  <Head>Tokens / task</Head>
                </tr>
              </thead>
              <tbody className="divide-y">
                {rows.map((row) => (
                  <Row
                    key={`${row.method}-${row.exp}`}
                    row={row}
                    title={names(row.method).title}
                    takesExp={names(row.method).takesExp}
                    isBaseline={row.method === baseline}
                    compared={baseline !== null}
                  />
                ))}
              </tbody>
            </table>
          </div>
          <p className="text-xs text-muted">{figureNotes(rows, info.cells).join(' ')}</p>
        </>
      ) : null}
    </section>
  )
}

function Head(props: { left?: boolean; wrap?: boolean; children: ReactNode }) {
  const { left = false, wrap = false, children } = props
  return (
    <th
      scope="col"
      className={classNames(
        'px-2.5 py-2 font-medium max-[1100px]:px-1.5 max-[1100px]:whitespace-normal',
        left && 'text-left',
        wrap && 'whitespace-normal',
      )}
    >
      {children}
    </th>
  )
}

function Row(props: {
  row: ExperimentRow
  title: string
  takesExp: boolean
  isBaseline: boolean
  compared: boolean
}) {
  const { row, title, takesExp, isBaseline, compared } = props
  const clear = isClear(row.deltaCi95)
  return (
    <tr className="text-right whitespace-nowrap">
      <th scope="row" className="px-2.5 py-1.5 max-[1100px]:px-1.5 text-left font-normal">
        {title}
      </th>
      <td className="px-2.5 py-1.5 max-[1100px]:px-1.5 text-muted">{takesExp ? row.exp : '–'}</td>
      <td className="px-2.5 py-1.5 max-[1100px]:px-1.5 text-muted">{countWords(row)}</td>
      <td className="px-2.5 py-1.5 max-[1100px]:px-1.5 font-medium">{meanWords(row)}</td>
      <td className="px-2.5 py-1.5 max-[1100px]:px-1.5 text-muted">{intervalWords(row.ci95, points)}</td>
      <td className="w-22 px-1 max-[1100px]:hidden">
        <Whisker row={row} />
      </td>
      <td className="px-2.5 py-1.5 max-[1100px]:px-1.5">
        {row.lastMean === null ? '' : points(row.lastMean)}
      </td>
      {compared ? (
        isBaseline ? (
          <td colSpan={2} className="px-2.5 py-1.5 max-[1100px]:px-1.5 text-muted">
            baseline
          </td>
        ) : (
          <>
            <td className={classNames('px-2.5 py-1.5 max-[1100px]:px-1.5', clear && 'font-medium')}>
              {row.deltaToBaseline === null ? '' : signedPoints(row.deltaToBaseline)}
            </td>
            <td className="px-2.5 py-1.5 max-[1100px]:px-1.5 text-muted">
              {intervalWords(row.deltaCi95, signedPoints)}
              {row.deltaN > 0 && row.deltaN !== row.n
                ? ` (${sampleWords({ n: row.deltaN, distinct: row.deltaDistinct })})`
                : ''}
            </td>
          </>
        )
      ) : null}
      <td className="px-2.5 py-1.5 max-[1100px]:px-1.5 text-muted">
        {row.tokensPerTask === null ? '' : formatCount(Math.round(row.tokensPerTask))}
      </td>
    </tr>
  )
}

/** Mean and interval on a scale from 0 to 100 %; the figures stand beside it. */
function Whisker({ row: { mean, ci95 } }: { row: ExperimentRow }) {
  if (mean === null) return null
  return (
    <svg aria-hidden viewBox="0 0 104 15.6" className="block h-3 w-20">
      <line x1="2" x2="102" y1="7.8" y2="7.8" className="stroke-line" strokeWidth="1" />
      {ci95 ? (
        <line
          x1={2 + 100 * ci95[0]}
          x2={2 + 100 * ci95[1]}
          y1="7.8"
          y2="7.8"
          className="stroke-accent"
          strokeWidth="4"
          strokeLinecap="round"
          opacity=".45"
        />
      ) : null}
      <circle cx={2 + 100 * mean} cy="7.8" r="4" className="fill-accent" />
    </svg>
  )
}
