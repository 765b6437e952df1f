import { z } from 'zod'
import { abstractReportSchema } from '../../../../../shared/domain/experience-view'
import { importReportSchema } from '../../../../../shared/domain/format'
import { leftCount } from '../../../../../shared/domain/reading'
import { Dialog } from '../../../../components/dialog'
import { fileName, formatCount, formatDuration } from '../../../../components/format'
import { SkippedRows } from '../../../../components/skipped-rows'
import { FactList } from '../../../../ground/detail-pane'
import { useQuery } from '../../../../ground/use-query'
import { useServices } from '../../../../stores/use-services'

/** What an ended import or abstraction has to tell. */
const reportSchema = z.union([importReportSchema, abstractReportSchema])
type Report = z.infer<typeof reportSchema>

/** What an import or abstraction did, record by record where something was left out. */
export function ReportDialog({ jobId, onClose }: { jobId: string; onClose: () => void }) {
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
