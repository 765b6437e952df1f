import { Mountain } from '../../../../components/icons'
import { caseLandscapeSchema, type CaseLandscape } from '../../../../../shared/domain/case'
import { classNames } from '../../../../components/class-names'
import { EmptyState } from '../../../../components/empty-state'
import { plural } from '../../../../components/format'
import { Term } from '../../../../components/term'
import { useQuery } from '../../../../ground/use-query'
import { useServices, useStored } from '../../../../stores/use-services'
import { CaseLink, LearnerBar } from './learner-bar'

const GRID = 'grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)_5.5rem] items-center gap-x-3'

/** Rows of cells, one row per case and one cell per moment; the colour is Q. */
export function LandscapeChart({ landscape: { moments, trust, rows } }: { landscape: CaseLandscape }) {
  const knownNumbers = rows.flatMap(({ values }) => values.filter((value) => value !== null))
  const low = Math.min(...knownNumbers)
  const high = Math.max(...knownNumbers)
  const share = (value: number): number => (high > low ? (value - low) / (high - low) : 1)
  return (
    <div className="flex flex-col gap-1 text-xs">
      <div className={classNames(GRID, 'pb-1 text-muted')}>
        <span>Case, highest Q first</span>
        <span className="flex justify-between">
          <span>{moments[0] ?? 0}</span>
          <span>{plural(moments.at(-1) ?? 0, 'case')}</span>
        </span>
        <span className="text-right">Q now, recalled</span>
      </div>
      <div className={classNames(GRID, 'pb-2')}>
        <span>How far Q counts</span>
        <span className="flex h-6 items-end gap-px" aria-hidden>
          {trust.map((value, i) => (
            <span
              key={moments[i]}
              title={`After ${moments[i]} cases Q made up ${Math.round(100 * value)} % of a score`}
              className="min-h-px flex-1 bg-line-strong"
              style={{ height: `${100 * value}%` }}
            />
          ))}
        </span>
        <span className="text-right">{Math.round(100 * (trust.at(-1) ?? 0))} %</span>
      </div>
      {rows.map((row) => (
        <Row key={row.case.id} row={row} moments={moments} share={share} />
      ))}
      <p className="flex items-center gap-2 pt-2 text-muted">
        {low.toFixed(2)}
        <span aria-hidden className="flex h-2.5 w-28 overflow-hidden rounded-sm">
          {Array.from({ length: 12 }, (_, i) => (
            <span key={i} className="flex-1" style={{ backgroundColor: shade(i / 11) }} />
          ))}
        </span>
        {high.toFixed(2)}
      </p>
    </div>
  )
}

const shade = (share: number): string =>
  `color-mix(in oklab, var(--series-2) ${Math.round(8 + 92 * share)}%, var(--surface))`

function Row(props: {
  row: CaseLandscape['rows'][number]
  moments: readonly number[]
  share(value: number): number
}) {
  const {
    row: { case: record, uses, values },
    moments,
    share,
  } = props
  const last = values.at(-1)
  return (
    <div className={GRID}>
      <CaseLink record={record} />
      <span className="flex h-3.5" aria-hidden>
        {values.map((value, i) => (
          <span
            key={moments[i]}
            title={value === null ? undefined : `Q ${value.toFixed(2)} after ${moments[i]} cases`}
            className="flex-1"
            style={value === null ? undefined : { backgroundColor: shade(share(value)) }}
          />
        ))}
      </span>
      <span className="text-right">
        {last === null || last === undefined ? '–' : last.toFixed(2)}
        <span className="ml-2 inline-block w-8 text-muted" title={`Recalled for ${plural(uses, 'attempt')}`}>
          {uses} ×
        </span>
      </span>
    </div>
  )
}

/** How Q of the cases moved while the memory was written. */
export function LandscapeView() {
  const { client } = useServices()
  const { memoryId, method, version } = useStored('caseValues')
  const { data, unread } = useQuery(
    memoryId ?? '',
    memoryId === null
      ? null
      : async (signal) => {
          const view = { memoryId, kind: 'case', ability: 'landscape', input: { method } }
          return caseLandscapeSchema.parse(await client.items.view(view, { signal }))
        },
    `${version} ${method}`,
  )
  return (
    <div className="mx-auto flex max-w-4xl flex-col gap-4 p-6">
      <LearnerBar learner={data?.learner ?? null} />
      {data === null ? (
        unread('how Q moved')
      ) : data.rows.length === 0 ? (
        <EmptyState icon={Mountain} title="No case to follow">
          The memory holds no case of this environment yet.
        </EmptyState>
      ) : (
        <>
          <p className="max-w-2xl text-sm text-muted">
            Each line is a case, from its writing to now; a stronger colour is a higher{' '}
            <Term name="Q value" />, the mean over {plural(data.probes, 'task')} of this memory.
            {data.left > 0
              ? ` ${plural(data.left, 'case')} recalled less often ${data.left === 1 ? 'is' : 'are'} left out.`
              : ''}
          </p>
          <LandscapeChart landscape={data} />
        </>
      )}
    </div>
  )
}
