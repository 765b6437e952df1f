import { Sparkles, X } from '../../../../components/icons'
import { useState } from 'react'
import { z } from 'zod'
import {
  kbStatsSchema,
  type KbStats,
  abstractReportSchema,
} from '../../../../../shared/domain/experience-view'
import { importReportSchema } from '../../../../../shared/domain/format'
import type { JobInfo } from '../../../../../shared/domain/job'
import { leftCount } from '../../../../../shared/domain/reading'
import type { LoamClient } from '../../../../client-type'
import { Button } from '../../../../components/button'
import { Dialog } from '../../../../components/dialog'
import { formatDuration, formatShare, plural, fileName, formatCount } from '../../../../components/format'
import { IconButton } from '../../../../components/icon-button'
import { ProgressBar } from '../../../../components/progress-bar'
import { SkippedRows } from '../../../../components/skipped-rows'
import { useStopJob } from '../../../../ground/ask-cancel'
import { FactList } from '../../../../ground/detail-pane'
import { FormDialog } from '../../../../ground/form-dialog'
import { NumberField } from '../../../../ground/number-field'
import { ModelField } from '../../../../ground/task-choice/model-field'
import { useQuery } from '../../../../ground/use-query'
import { refusalOf } from '../../../../stores/error-shape'
import { useServices, useStored } from '../../../../stores/use-services'

const KINDS: readonly JobInfo['kind'][] = ['import', 'kb-abstract']

/** Work on the experiences of this memory: how far it is, how it ended, and logs that wait to be written up. */
export function KbWork({ memoryId }: { memoryId: string }) {
  const { client } = useServices()
  const job = useStored('jobs', (state) =>
    // What an earlier start of Loam did has no report any more.
    state.data.find(({ kind, subject, earlier }) => KINDS.includes(kind) && subject === memoryId && !earlier),
  )
  const live = useStored('items', ({ counts }) => counts.find(({ kind }) => kind === 'experience')?.live ?? 0)
  const { data: stats } = useQuery(
    memoryId,
    live === 0 ? null : () => readStats(client, memoryId),
    `${live} ${job?.status}`,
  )
  const waitingCount = stats?.waiting ?? 0
  const [starting, setStarting] = useState(false)
  const [report, setReport] = useState<string | null>(null)
  const [dismissed, setDismissed] = useState<string | null>(null)
  const stop = useStopJob()
  const running = job?.status === 'running'
  const ending = job && !running && !job.undone && job.id !== dismissed ? job : null
  return (
    <>
      {job && running ? (
        <div className="flex flex-col gap-1.5 border-b px-3 py-2.5" role="status" aria-label={job.title}>
          <div className="flex items-center gap-2">
            <span className="min-w-0 flex-1 truncate text-sm font-medium">{job.title}</span>
            <Button size="small" onClick={() => stop(job)}>
              Stop
            </Button>
          </div>
          <ProgressBar label={job.title} done={job.done} total={job.total} />
          <p className="text-xs text-muted">{progressWords(job)}</p>
        </div>
      ) : null}
      {ending ? (
        <div className="flex items-center gap-2 border-b px-3 py-2">
          <p className="min-w-0 flex-1 text-xs text-muted">{endWords(ending)}</p>
          {ending.status === 'done' ? (
            <Button size="small" onClick={() => setReport(ending.id)}>
              Report
            </Button>
          ) : null}
          <IconButton icon={X} label="Dismiss" className="size-7" onClick={() => setDismissed(ending.id)} />
        </div>
      ) : null}
      {waitingCount > 0 && !running ? (
        <div className="flex items-center gap-2 border-b px-3 py-2">
          <p className="min-w-0 flex-1 text-xs text-muted">
            {plural(waitingCount, 'log')} that no model has written an experience from.
          </p>
          <Button size="small" icon={Sparkles} onClick={() => setStarting(true)}>
            Write up
          </Button>
        </div>
      ) : null}
      {starting ? (
        <AbstractDialog memoryId={memoryId} waiting={waitingCount} onClose={() => setStarting(false)} />
      ) : null}
      {report === null ? null : <ReportDialog jobId={report} onClose={() => setReport(null)} />}
    </>
  )
}

function progressWords(job: JobInfo): string {
  const restText = job.etaMs === null ? '' : `, about ${formatDuration(job.etaMs)} left`
  if (job.kind === 'import') return `${job.total ? formatShare(job.done / job.total) : ''} read${restText}`
  return `${job.done} of ${plural(job.total ?? 0, 'log')}${restText}`
}

function endWords(job: JobInfo): string {
  if (job.status === 'done') return job.activity
  if (job.status === 'cancelled')
    return job.kind === 'import'
      ? 'Stopped. What was read is kept; importing the file again goes on behind it.'
      : 'Stopped. What was written is kept; “Write up” goes on with the rest.'
  return job.problem ? `${job.problem.title}: ${job.problem.cause}` : 'It failed.'
}

/** Has a local model write experiences from the logs that wait. Stopping and going on later loses nothing. */
function AbstractDialog(props: { memoryId: string; waiting: number; onClose(): void }) {
  const { memoryId, waiting, onClose } = props
  const { client } = useServices()
  const usable = (useStored('models').data ?? []).filter(({ problem }) => problem === null)
  const [path, setPath] = useState<string | null>(null)
  const [limit, setLimit] = useState<number | null>(null)
  const model =
    usable.find((item) => item.path === path) ?? usable.find(({ demo }) => demo) ?? usable[0] ?? null
  return (
    <FormDialog
      title="Write experiences from logs"
      description={`${plural(waiting, 'log')} wait. The model reads each and writes a plan and advice that other agents can use.`}
      submit={{ label: 'Start', icon: Sparkles }}
      ready={model !== null}
      onSubmit={() =>
        refusalOf(
          client.items.work({
            ...{ memoryId, kind: 'experience', ability: 'abstract' },
            input: { model: model?.path ?? null, limit },
          }),
        )
      }
      onClose={onClose}
    >
      <ModelField model={model} models={usable} onChange={setPath} />
      <NumberField
        label="Logs"
        name="Number of logs"
        hint="Empty: all that wait. You can stop at any time and go on later."
        width="w-32"
        optional
        value={limit}
        bounds={[1, Math.max(1, waiting)]}
        placeholder={`all ${waiting}`}
        onChange={setLimit}
      />
    </FormDialog>
  )
}

/** The experiences of a memory in figures. */
const readStats = async (client: LoamClient, memoryId: string): Promise<KbStats> =>
  kbStatsSchema.parse(await client.items.view({ memoryId, kind: 'experience', ability: 'stats' }))

/** What an ended import or abstraction has to tell. */
const reportSchema = z.union([importReportSchema, abstractReportSchema])
type Report = z.infer<typeof reportSchema>

/** What an import or abstraction did, record by record where something was left out. */
function ReportDialog({ jobId, onClose }: { jobId: string; onClose: () => void }) {
  const { client } = useServices()
  const { data: match, unread } = useQuery(jobId, async () =>
    reportSchema.parse(await client.jobs.report({ jobId })),
  )
  return (
    <Dialog
      onClose={onClose}
      title="Report"
      description={
        match && 'written' in match ? 'What the model wrote.' : 'What was read and what was left out.'
      }
    >
      <div className="flex flex-col gap-4 overflow-y-auto p-4">
        {match ? <Body found={match} /> : unread('the report')}
      </div>
    </Dialog>
  )
}

function Body({ found }: { found: Report }) {
  if ('written' in found) {
    const { written, logs, ranked, candidateWon, failed, usage } = found
    return (
      <>
        <Figures
          rows={[
            ['Logs', logs],
            ['Became experiences', written],
            ['Had a similar one', ranked],
            ['Took its place', candidateWon],
            ['Tokens read', usage.promptTokens],
            ['Tokens written', usage.completionTokens],
          ]}
        />
        <p className="text-sm text-muted">It took {formatDuration(usage.ms)} of the model’s time.</p>
        <Problems
          title="Gave nothing usable; they stay and are tried again next time"
          rows={failed.map(({ id, reason }) => [id, reason])}
        />
      </>
    )
  }
  const { format, file, rows, imported, duplicates, redactions, writtenFor } = found
  const secrets = Object.entries(redactions)
  return (
    <>
      <p className="text-sm text-muted">
        {fileName(file)}, read as {format} (written for {writtenFor}).
      </p>
      <Figures
        rows={[
          ['Rows found', rows],
          ['Imported', imported],
          ['There already', duplicates],
          ['Left out', leftCount(found)],
        ]}
      />
      <section>
        <h3 className="mb-1 text-sm font-medium">Secrets taken out</h3>
        <p className="text-sm text-muted">
          {secrets.length === 0
            ? 'None were found.'
            : secrets.map(([kind, count]) => `${formatCount(count)} × ${kind}`).join(', ')}
        </p>
      </section>
      <SkippedRows report={found} />
    </>
  )
}

function Figures({ rows }: { rows: readonly (readonly [string, number])[] }) {
  return <FactList rows={rows.map(([label, value]) => ({ label, value: formatCount(value) }))} />
}

function Problems(props: { title: string; rows: readonly (readonly [string, string])[] }) {
  if (props.rows.length === 0) return null
  return (
    <section>
      <h3 className="mb-1 text-sm font-medium">{props.title}</h3>
      <ul className="max-h-64 divide-y overflow-y-auto rounded-lg border text-sm">
        {props.rows.map(([place, reason], i) => (
          <li key={i} className="flex gap-3 px-4 py-1.5">
            <span className="w-28 shrink-0 truncate text-muted">{place}</span>
            <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">{reason}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
