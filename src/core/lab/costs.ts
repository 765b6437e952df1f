import { METHODS } from '../methods'
import { COST_MODULES, type CostModule, type Prices, type RunCosts } from '../../shared/domain/cost'
import type { Trajectory } from '../../shared/domain/trajectory'

interface Tokens {
  readonly promptTokens: number
  readonly completionTokens: number
}
interface Spent extends Tokens {
  readonly calls: number | null
}

const minus = (a: Tokens, b: Tokens): Tokens => ({
  promptTokens: Math.max(0, a.promptTokens - b.promptTokens),
  completionTokens: Math.max(0, a.completionTokens - b.completionTokens),
})

const sum = (all: readonly Tokens[]): Tokens => ({
  promptTokens: all.reduce((total, { promptTokens }) => total + promptTokens, 0),
  completionTokens: all.reduce((total, { completionTokens }) => total + completionTokens, 0),
})

const getCount = (tokens: Tokens, calls: number | null): Spent => ({ ...tokens, calls })

/** What one attempt's tokens were spent on. Retrieval asks no model, so it only counts searches. */
function spentOn(trajectory: Trajectory): Partial<Record<CostModule, Spent>> {
  const { usage, rounds, decisions = [], recallUsage, learnUsage, learnModules, distilUsage } = trajectory
  const costsOf = (module: 'reason' | 'refine') => decisions.flatMap(({ cost }) => cost[module] ?? [])
  const [reasoned, refined] = [costsOf('reason'), costsOf('refine')]
  const searches = decisions.filter(({ retrieved, why }) => retrieved.length > 0 || why === 'nothing-found')
  const tokens = sum([...reasoned, ...refined])
  const learnedTokens = sum(Object.values(learnModules ?? {}))
  const request = METHODS.find(({ info }) => info.id === trajectory.method)?.recallCost ?? 'recall'
  return {
    execution: getCount(usage, rounds.length),
    reason: getCount(sum(reasoned), reasoned.length),
    retrieve: getCount(
      sum([]),
      searches.reduce((total, { queries }) => total + queries.length, 0),
    ),
    refine: getCount(sum(refined), refined.length),
    // Whatever else was asked before the end of the attempt; also where a verdict led to nothing.
    ...(recallUsage && { [request]: getCount(minus(recallUsage, tokens), null) }),
    ...(learnModules?.abstraction && { abstraction: getCount(learnModules.abstraction, null) }),
    ...(learnModules?.ranker && { ranker: getCount(learnModules.ranker, null) }),
    ...(learnUsage && { learn: getCount(minus(learnUsage, learnedTokens), null) }),
    ...(distilUsage && { distil: getCount(distilUsage, null) }),
    ...(trajectory.scaling && {
      scaling: getCount(trajectory.scaling.usage, trajectory.scaling.attempts.length - 1),
    }),
  }
}

/** Token and cost accounting of a run by module (Agent KB, table 6). */
export async function accountRun(
  run: { readonly runId: string; readonly method: string },
  trajectories: AsyncIterable<Trajectory>,
  prices: Prices,
): Promise<RunCosts> {
  const totals = new Map<CostModule, Spent>()
  let attempts = 0
  for await (const trajectory of trajectories) {
    attempts++
    const cost = spentOn(trajectory)
    for (const module of COST_MODULES) {
      const more = cost[module]
      if (!more) continue
      const before = totals.get(module)
      const calls = more.calls === null ? null : (before?.calls ?? 0) + more.calls
      totals.set(module, { ...sum(before ? [before, more] : [more]), calls })
    }
  }
  const costOf = ({ promptTokens, completionTokens }: Tokens): number =>
    (promptTokens * prices.prompt + completionTokens * prices.completion) / 1_000_000
  const all = sum([...totals.values()])
  const tokens = all.promptTokens + all.completionTokens
  const modules = COST_MODULES.flatMap((module) => {
    const cost = totals.get(module)
    if (!cost) return []
    const { promptTokens, completionTokens, calls } = cost
    if (promptTokens + completionTokens + (calls ?? 0) === 0) return []
    const share = tokens === 0 ? null : (promptTokens + completionTokens) / tokens
    return [{ module, calls, promptTokens, completionTokens, cost: costOf(cost), share }]
  })
  const total = { ...all, cost: costOf(all) }
  const perAttempt = attempts === 0 ? null : { tokens: tokens / attempts, cost: total.cost / attempts }
  return { ...run, attempts, prices, modules, total, perAttempt }
}
