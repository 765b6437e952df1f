import type { ReactNode } from 'react'
import type { SuiteReport, SuiteRow } from '../../../../shared/domain/suite'
import { formatCount } from '../../../components/format'
import { Term } from '../../../components/term'
import { PlainTable, type PlainColumn } from '../../../ground/plain-table'
import { LearningPlot, LinePlot } from '../../../ground/plot/plots'
import { intervalWords, points, signedPoints } from '../figure-words'
import type { Looked } from './suite-grid'
import { bestFirst, lineColours, livesOf, meanRewards, meanTokens } from './suite-lines'

/** Lines drawn at most, the one looked at among them: more cannot be told apart. */
const LINES = 5

const signed = (value: number | null): string => (value === null ? '' : signedPoints(value))

const COLUMNS: readonly (PlainColumn<SuiteRow> & { readonly id: string })[] = [
  { id: 'mean', head: 'Success', cell: ({ mean }) => (mean === null ? '' : points(mean)) },
  {
    id: 'ci',
    head: <Term name="95 % CI" />,
    cell: ({ low, high }) => (low === null || high === null ? '' : intervalWords([low, high], points)),
  },
  { id: 'n', head: 'n', cell: ({ n, over }) => `${n} ${n === 1 ? over.slice(0, -1) : over}` },
  { id: 'last', head: 'Last', cell: ({ last }) => (last === null ? '' : points(last)) },
  {
    id: 'forgetting',
    head: <Term name="forgetting">Forgetting</Term>,
    cell: ({ forgetting }) => signed(forgetting),
  },
  {
    id: 'forward',
    head: <Term name="forward transfer">Forward</Term>,
    cell: ({ forwardTransfer }) => signed(forwardTransfer),
  },
  {
    id: 'backward',
    head: <Term name="backward transfer">Backward</Term>,
    cell: ({ backwardTransfer }) => signed(backwardTransfer),
  },
  {
    id: 'adaptation',
    head: <Term name="adaptation time">Back after</Term>,
    cell: ({ adaptation }) => (adaptation === null ? '' : `${Math.round(adaptation)} tasks`),
  },
  { id: 'damage', head: 'Damage', cell: ({ damage }) => signed(damage) },
  {
    id: 'tokens',
    head: 'Tokens / task',
    cell: ({ tokensPerTask }) => (tokensPerTask === null ? '' : formatCount(Math.round(tokensPerTask))),
  },
]

/** A stream of the suite: how success and tokens went over its tasks, and every figure by method. */
export function SuiteStream(props: {
  report: SuiteReport
  looked: Looked
  titleOf(method: string): string
  colourOf(method: string): string
}) {
  const { report, looked, titleOf, colourOf } = props
  const { stream } = looked
  const rows = bestFirst(report).flatMap(
    (method) => report.summary.find((row) => row.stream === stream && row.method === method) ?? [],
  )
  const playing = bestFirst(report).filter((method) => livesOf(report.cells, stream, method).length > 0)
  const draws = [...new Set([looked.method, ...playing])]
    .filter((one) => playing.includes(one))
    .slice(0, LINES)
  const colours = lineColours(draws, colourOf)
  const lines = draws.map((method, i) => {
    const lives = livesOf(report.cells, stream, method)
    const colour = colours[i] ?? colourOf(method)
    return { method, colour, rewards: meanRewards(lives), tokens: meanTokens(lives), lives: lives.length }
  })
  const tasks = Math.max(1, ...lines.map(({ rewards }) => rewards.length))
  // A figure that no method has on this stream has no column.
  const columns: PlainColumn<SuiteRow>[] = [
    { head: 'Method', cell: ({ method }) => titleOf(method) },
    ...COLUMNS.filter(({ cell }) => rows.some((row) => cell(row) !== '')),
  ]
  return (
    <>
      <div className="grid grid-cols-[minmax(0,3fr)_minmax(0,2fr)] gap-4 max-[1100px]:grid-cols-1">
        <Plotted title="Success over the last 20 tasks" words={draws.map(titleOf).join(', ')}>
          <LearningPlot
            kind="window"
            tasks={tasks}
            series={lines.map(({ method, colour, rewards, lives }) => ({
              id: method,
              label: titleOf(method),
              detail: lives > 1 ? `${lives} lives` : '',
              colour,
              outcomes: rewards,
              focused: method === looked.method && lives === 1,
            }))}
          />
        </Plotted>
        <Plotted title="Tokens per task, over the last 20" words={draws.map(titleOf).join(', ')}>
          <LinePlot
            x={Array.from({ length: tasks }, (_, i) => i + 1)}
            end={tasks}
            lines={lines.map(({ method, colour, tokens }) => ({
              label: titleOf(method),
              colour,
              values: Array.from({ length: tasks }, (_, i) => tokens[i] ?? null),
            }))}
          />
        </Plotted>
      </div>
      <PlainTable
        caption={`Figures on ${stream}, in percent and percentage points`}
        columns={columns}
        rows={rows}
        keyOf={({ method }) => method}
      />
    </>
  )
}

function Plotted({ title, words, children }: { title: string; words: string; children: ReactNode }) {
  return (
    <figure className="flex min-w-0 flex-col gap-1">
      <figcaption className="text-sm text-muted">
        {title}
        <span className="sr-only">: {words}</span>
      </figcaption>
      <div className="relative h-64 min-w-0 overflow-hidden rounded-lg border bg-surface">{children}</div>
    </figure>
  )
}
