import type { ReactNode } from 'react'
import { useStore } from 'zustand'
import { sampleWords, type Estimate } from '../../../shared/figures/estimate'
import { hasInterval } from '../../../shared/figures/seed-band'
import { optionsOf } from '../../components/options'
import { formatCount } from '../../components/format'
import { Segmented } from '../../components/segmented'
import { DataTable } from '../../ground/data-table'
import { useServices } from '../../stores/use-services'
import type { Figure } from './figure'
import { tasksWords } from './legend'
import type { Series } from './series'
import type { SeriesSummary } from './summary'
import { formatAmount, formatDelta, formatPlace, formatRate, formatValue, leftOutWords } from './words'

const TABLES = optionsOf({ figures: 'Figures', points: 'Every point', skills: 'Per skill' })

/** The numbers behind the chart. */
export function TableView({ rows, figure }: { rows: readonly SeriesSummary[]; figure: Figure }) {
  const { curves } = useServices()
  const table = useStore(curves, (state) => state.controls.table)
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-3">
      <div className="flex items-center gap-3">
        <Segmented
          label="Table"
          value={table}
          options={TABLES}
          onChange={(next) => curves.getState().change({ table: next })}
        />
        <p className="text-xs text-muted">
          Means over n seeds, with 95 % bootstrap intervals in brackets; with three seeds they are lowest to
          highest.
        </p>
      </div>
      {table === 'figures' ? <FiguresTable rows={rows} /> : null}
      {table === 'points' ? <PointsTable figure={figure} /> : null}
      {table === 'skills' ? <SkillsTable rows={rows} /> : null}
    </div>
  )
}

const withN = (words: string, over: Estimate) => (over.n === 0 ? '–' : `${words}, ${sampleWords(over)}`)

const FIGURES: readonly { readonly title: string; readonly of: (row: SeriesSummary) => string }[] = [
  { title: 'Tasks per seed', of: ({ tasks }) => tasksWords(tasks) },
  { title: 'Success rate', of: ({ rate }) => withN(formatRate(rate), rate) },
  { title: 'First third', of: ({ first }) => withN(formatRate(first), first) },
  { title: 'Last third', of: ({ last }) => withN(formatRate(last), last) },
  { title: 'Last 100 tasks', of: ({ window }) => withN(formatRate(window), window) },
  { title: 'Tasks solved', of: ({ solved }) => withN(formatAmount(solved, 1), solved) },
  { title: 'Baseline', of: ({ baseline }) => (baseline ? nameOf(baseline) : '–') },
  { title: 'Points to baseline', of: ({ delta }) => withN(formatDelta(delta), delta) },
  {
    title: 'Forward transfer, points',
    of: (row) => withN(formatDelta(row.forwardTransfer), row.forwardTransfer),
  },
  { title: 'Forgetting, points', of: ({ forgetting }) => withN(formatDelta(forgetting), forgetting) },
  { title: 'Steps per task', of: ({ steps }) => withN(formatAmount(steps, 1), steps) },
  { title: 'Tokens per task', of: ({ tokens }) => withN(formatAmount(tokens), tokens) },
  { title: 'Seconds per task', of: ({ seconds }) => withN(formatAmount(seconds, 2), seconds) },
  { title: 'Not in the means', of: ({ series }) => leftOutWords(series) || '–' },
]

const nameOf = ({ label, detail }: Series) => [label, detail].filter(Boolean).join(', ')

/** What each series has of each row. One column per row would be wider than any window, so series are the columns. */
function SeriesTable<Row>(props: {
  caption: string
  first: string
  series: readonly SeriesSummary[]
  rows: readonly Row[]
  nameOf(row: Row): string
  cellOf(row: Row, series: SeriesSummary): ReactNode
}) {
  const { series, rows, nameOf, cellOf, ...words } = props
  return (
    <DataTable
      {...words}
      columns={series.map((one) => one.series)}
      rows={rows.length}
      nameOf={(at) => {
        const row = rows[at]
        return row === undefined ? null : nameOf(row)
      }}
      cellOf={(at, column) => {
        const [row, one] = [rows[at], series[column]]
        return row === undefined || one === undefined ? null : cellOf(row, one)
      }}
    />
  )
}

function FiguresTable({ rows }: { rows: readonly SeriesSummary[] }) {
  return (
    <SeriesTable
      caption="Figures of each series"
      first="Figure"
      series={rows}
      rows={FIGURES}
      nameOf={({ title }) => title}
      cellOf={({ of }, one) => of(one)}
    />
  )
}

function SkillsTable({ rows }: { rows: readonly SeriesSummary[] }) {
  const skills = [...new Set(rows.flatMap((row) => row.skills.map(({ skill }) => skill)))].sort()
  if (skills.length === 0) {
    return (
      <p className="text-muted">These streams name no skills, or are no longer the ones that were run.</p>
    )
  }
  return (
    <SeriesTable
      caption="Success rate per skill"
      first="Skill"
      series={rows}
      rows={skills}
      nameOf={(skill) => skill}
      cellOf={(skill, one) => {
        const summary = one.skills.find((item) => item.skill === skill)
        return summary ? (
          <>
            {withN(formatRate(summary.rate), summary.rate)}
            <span className="text-muted">, {formatCount(summary.attempts)} attempts</span>
          </>
        ) : (
          '–'
        )
      }}
    />
  )
}

/** What the chart draws, place by place. */
function PointsTable({ figure }: { figure: Figure }) {
  return (
    <DataTable
      caption="Every point of the chart"
      first="Place"
      columns={figure.lines.map(({ series }) => series)}
      rows={figure.grid.length}
      nameOf={(row) => formatPlace(figure.grid[row] ?? 0, figure.axis)}
      cellOf={(row, column) => {
        const line = figure.lines[column]
        return line ? <Point line={line} index={row} figure={figure} /> : null
      }}
    />
  )
}

function Point({ line, index, figure }: { line: Figure['lines'][number]; index: number; figure: Figure }) {
  return (
    <>
      {cell(line.mean[index], figure)}
      {hasInterval(line, index) ? (
        <span className="text-muted">
          {' '}
          [{cell(line.low[index], figure)}, {cell(line.high[index], figure)}]
        </span>
      ) : null}
      {(line.n[index] ?? 0) > 0 ? <span className="text-muted"> n = {line.n[index]}</span> : null}
    </>
  )
}

const cell = (value: number | undefined, { measure, difference }: Figure) =>
  formatValue(value ?? Number.NaN, measure, difference)
