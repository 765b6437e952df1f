import { failureRate, type WritingCount } from '../../../shared/domain/writing'
import { ErrorNotice } from '../../components/error-notice'
import { formatCount, formatShare } from '../../components/format'
import { Loading } from '../../components/loading'
import { PlainTable, type PlainColumn } from '../../ground/plain-table'
import { useQuery } from '../../ground/use-query'
import { useServices } from '../../stores/use-services'

const COLUMNS: readonly PlainColumn<WritingCount>[] = [
  { head: 'What is written', cell: ({ role }) => role },
  { head: 'Texts', cell: ({ asked }) => formatCount(asked) },
  { head: 'Not usable', cell: (one) => `${formatCount(one.failed)} (${formatShare(failureRate(one))})` },
  { head: 'Repaired output', cell: ({ mended }) => formatCount(mended) },
  { head: 'Asked twice', cell: ({ again }) => formatCount(again) },
]

/** How the texts came out that a run asked for: lessons, strategies, documents. `done` is how many tasks it has finished. */
export function WritingTable({ runId, done }: { runId: string; done: number }) {
  const { client } = useServices()
  const {
    data: report,
    problem,
    reload,
  } = useQuery(`writings ${runId}`, () => client.runs.report({ runId }), String(done))
  if (problem) return <ErrorNotice problem={problem} alwaysRetry onRetry={reload} />
  if (!report) return <Loading what="what was written" />
  const { writings = [] } = report
  if (writings.length === 0)
    return <p className="text-sm text-muted">No text was asked for in this run so far.</p>
  return <PlainTable caption="Texts by role" columns={COLUMNS} rows={writings} keyOf={({ role }) => role} />
}
