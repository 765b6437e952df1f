import { useState } from 'react'
import { useStore } from 'zustand'
import {
  ERROR_CLASSES,
  type ErrorClass,
  type ErrorOverlap,
  type RunErrors,
} from '../../../shared/domain/error-class'
import type { RunInfo } from '../../../shared/domain/run'
import type { LoamErrorShape } from '../../../shared/errors'
import { Badge } from '../../components/badge'
import { Button } from '../../components/button'
import { ErrorNotice } from '../../components/error-notice'
import { formatWhen, plural } from '../../components/format'
import { Loading } from '../../components/loading'
import { ProgressBar } from '../../components/progress-bar'
import { Select } from '../../ground/select'
import { Term } from '../../components/term'
import { refusalOf } from '../../stores/error-shape'
import { useQuery } from '../../ground/use-query'
import { useServices } from '../../stores/use-services'
import { ErrorVenn } from './error-venn'
import { methodTitle } from '../../ground/run-title'
import { RowLink } from '../../components/row-link'
import { PlainTable, type PlainColumn } from '../../ground/plain-table'

const NOTHING = ''

/** Failed tasks by class, and which of them another run of the same stream shares. */
export function ErrorView({ run, others }: { run: RunInfo; others: readonly RunInfo[] }) {
  const { client, jobs, methods } = useServices()
  const [otherId, setOtherId] = useState<string | null>(null)
  const [refused, setRefused] = useState<LoamErrorShape | null>(null)
  const job = useStore(jobs, (state) =>
    state.data.find(({ kind, subject }) => kind === 'errors' && subject === run.id),
  )
  const methodList = useStore(methods, (state) => state.data)
  const ending = job && job.status !== 'running' ? job.id : null
  const {
    data: report,
    problem: unread,
    reload,
  } = useQuery(
    run.id,
    () => client.runs.errors({ runId: run.id, otherId }),
    `${run.done}/${otherId}/${ending}`,
  )
  const judge = async () => {
    setRefused(await refusalOf(client.runs.judgeErrors({ runId: run.id })))
  }
  if (unread) return <ErrorNotice problem={unread} alwaysRetry onRetry={reload} />
  if (!report) return <Loading what="the failures" />
  const { a, overlap } = report
  const nameOf = (other: RunInfo) => `${methodTitle(other, methodList)}, ${formatWhen(other.createdAt)}`
  return (
    <div className="flex flex-col gap-4">
      {refused ? <ErrorNotice problem={refused} onRetry={() => void judge()} /> : null}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <p className="min-w-48 flex-1 text-sm">
          {a.failed} of {plural(a.tasks, 'task')} failed. {a.byRule} classed by rules, {a.byJudge} by the
          model
          {a.unclassified > 0 ? `, ${a.unclassified} not yet` : ''}.
        </p>
        {a.unclassified > 0 && job?.status !== 'running' ? (
          <Button size="small" onClick={() => void judge()}>
            Let the model judge
          </Button>
        ) : null}
        <Select
          label="Compare with"
          className="w-64 max-w-full"
          value={otherId ?? NOTHING}
          options={[
            { value: NOTHING, label: 'Compare with no other run' },
            ...others
              .filter(({ id }) => id !== run.id)
              .map((other) => ({ value: other.id, label: nameOf(other) })),
          ]}
          onChange={(value) => setOtherId(value === NOTHING ? null : value)}
        />
      </div>
      {job?.status === 'running' ? <ProgressBar label={job.title} done={job.done} total={job.total} /> : null}
      {overlap ? <Compared overlap={overlap} /> : <Alone errors={a} />}
      <Failures errors={a} />
    </div>
  )
}

function Bar({ value, most, colour }: { value: number; most: number; colour: string }) {
  return (
    <span className="flex items-center gap-2">
      <span className="h-2 flex-1 overflow-hidden rounded-full bg-hover">
        <span
          className={`block h-full rounded-full ${colour}`}
          style={{ width: `${most === 0 ? 0 : (100 * value) / most}%` }}
        />
      </span>
      <span className="w-8 text-right">{value}</span>
    </span>
  )
}

function Alone({ errors }: { errors: RunErrors }) {
  const most = Math.max(...ERROR_CLASSES.map((name) => errors.counts[name]))
  return (
    <dl className="flex flex-col gap-1 text-sm">
      {ERROR_CLASSES.map((name) => (
        <div key={name} className="grid grid-cols-[6rem_1fr] items-center gap-3">
          <dt>
            <Term name={name} />
          </dt>
          <dd>
            <Bar value={errors.counts[name]} most={most} colour="bg-accent" />
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Compared({ overlap }: { overlap: ErrorOverlap }) {
  const most = Math.max(...overlap.classes.flatMap((each) => [each.a, each.b]))
  const columns: readonly PlainColumn<ErrorOverlap['classes'][number]>[] = [
    { head: 'Class', cell: (each) => <Term name={each.class} /> },
    {
      head: 'This run, other run',
      words: true,
      width: 'w-1/3',
      cell: (each) => (
        <>
          <Bar value={each.a} most={most} colour="bg-accent" />
          <Bar value={each.b} most={most} colour="bg-line-strong" />
        </>
      ),
    },
    { head: 'In both', cell: ({ both }) => both },
    { head: 'Only this', cell: ({ onlyA }) => onlyA },
    { head: 'Only other', cell: ({ onlyB }) => onlyB },
  ]
  return (
    <div className="flex flex-wrap items-center gap-x-6 gap-y-4">
      <ErrorVenn overlap={overlap} />
      <div className="min-w-72 flex-1">
        <PlainTable
          caption="Errors of both runs by class"
          columns={columns}
          rows={overlap.classes}
          keyOf={(each) => each.class}
        />
      </div>
    </div>
  )
}

function Failures({ errors }: { errors: RunErrors }) {
  const { runs } = useServices()
  const [only, setOnly] = useState<ErrorClass | 'all'>('all')
  const views = errors.failures.filter((failure) => only === 'all' || failure.class === only)
  if (errors.failures.length === 0) return null
  return (
    <section>
      <div className="mb-1 flex items-center justify-between gap-3">
        <h3 className="text-xs font-medium text-muted">Failed tasks</h3>
        <Select<ErrorClass | 'all'>
          label="Class"
          className="w-40"
          value={only}
          options={[
            { value: 'all', label: 'Every class' },
            ...ERROR_CLASSES.map((name) => ({ value: name, label: name })),
          ]}
          onChange={setOnly}
        />
      </div>
      <ul className="max-h-72 divide-y overflow-y-auto rounded-md border">
        {views.map((failure) => (
          <li key={failure.taskId} className="flex flex-col gap-0.5 px-2.5 py-1.5">
            <RowLink onClick={() => runs.getState().showTask(failure.index)} className="text-sm">
              {' '}
              {failure.index + 1}. {failure.instruction}
            </RowLink>
            <p className="flex flex-wrap items-center gap-2 text-xs text-muted">
              <Badge>{failure.class ?? 'no class yet'}</Badge>
              {failure.by === 'judge' ? 'The model says: ' : ''}
              {failure.reason}
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}
