import { useStore } from 'zustand'
import type { CostModule, RunCosts } from '../../../shared/domain/cost'
import { ErrorNotice } from '../../components/error-notice'
import { formatCount, formatShare, plural } from '../../components/format'
import { Loading } from '../../components/loading'
import { useQuery } from '../../ground/use-query'
import { useServices } from '../../stores/use-services'
import { PlainTable, type PlainColumn } from '../../ground/plain-table'

const MODULES: Readonly<Record<CostModule, string>> = {
  execution: 'Working on the tasks',
  reason: 'Reason: queries',
  retrieve: 'Retrieve: searches',
  refine: 'Refine: plans',
  critic: 'Critic',
  abstraction: 'Abstraction',
  ranker: 'Ranker',
  recall: 'Recalling',
  learn: 'Learning',
  distil: 'Distilling',
  scaling: 'Further attempts',
}

type CostRow = RunCosts['modules'][number]

/** What a run's tokens were spent on, module by module. `done` is how many tasks it has finished. */
export function CostTable({ runId, done }: { runId: string; done: number }) {
  const { client, settings } = useServices()
  const prices = useStore(settings, (state) => state.settings?.prices)
  const {
    data: costs,
    problem,
    reload,
  } = useQuery(runId, () => client.runs.costs({ runId }), `${done}/${JSON.stringify(prices)}`)
  if (problem) return <ErrorNotice problem={problem} alwaysRetry onRetry={reload} />
  if (!costs) return <Loading what="the account" />
  if (!costs.perAttempt) return <p className="text-sm text-muted">No task is finished yet.</p>
  const priced = costs.prices.prompt + costs.prices.completion > 0
  const { total, perAttempt } = costs
  const columns: readonly PlainColumn<CostRow>[] = [
    { head: 'Module', cell: ({ module }) => MODULES[module], foot: 'All' },
    { head: 'Calls', cell: ({ calls }) => (calls === null ? '' : formatCount(calls)) },
    {
      head: 'Read',
      cell: ({ promptTokens }) => formatCount(promptTokens),
      foot: formatCount(total.promptTokens),
    },
    {
      head: 'Written',
      cell: ({ completionTokens }) => formatCount(completionTokens),
      foot: formatCount(total.completionTokens),
    },
    ...(priced
      ? [{ head: 'USD', cell: ({ cost }: CostRow) => cost.toFixed(4), foot: total.cost.toFixed(4) }]
      : []),
    { head: 'Share', cell: ({ share }) => (share === null ? '' : formatShare(share)) },
  ]
  return (
    <div className="flex flex-col gap-2">
      <PlainTable
        caption="Tokens by module"
        columns={columns}
        rows={costs.modules}
        keyOf={({ module }) => module}
      />
      <p className="text-xs text-muted">
        {plural(costs.attempts, 'attempt')}, {formatCount(Math.round(perAttempt.tokens))} tokens
        {priced ? ` and ${perAttempt.cost.toFixed(5)} USD` : ''} each.{' '}
        {priced ? '' : 'Prices per million tokens can be set under Settings.'}
      </p>
    </div>
  )
}
