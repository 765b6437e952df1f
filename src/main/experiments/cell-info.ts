import { isEnded, overflowsOf, type CellResult } from '../../core/lab/experiment-report'
import { ONCE, scheduledTotal } from '../../core/lab/protocol'
import { sum } from '../../shared/figures/mean'
import { msPerStep, sharedTimeMs } from '../../shared/figures/pace'
import type { CellInfo, CellPlan, ExperimentHead, ExperimentInfo } from '../../shared/domain/experiment'
import type { RunInfo } from '../../shared/domain/run'
import type { RunQueue } from '../runs/run-queue'
import type { ExperimentRecord } from './experiment-store'

/** The part of the run queue that tells how far cells are. */
export type RunsSeen = Pick<RunQueue, 'has' | 'get' | 'steps' | 'report'>

/** How a cell stands: what its run says, or, before it has one, what the experiment says. */
export function cellResult(record: ExperimentRecord, plan: CellPlan, runs: RunsSeen): CellResult {
  const refusal = record.refused[plan.key]
  if (refusal) return { plan, status: 'failed', problem: refusal, steps: [] }
  if (!runs.has(plan.runId)) {
    const never = record.status === 'cancelled' || record.status === 'failed'
    return { plan, status: never ? 'cancelled' : 'queued', problem: null, steps: [] }
  }
  const { status, problem, tried, untrained } = runs.get(plan.runId)
  const steps = runs.steps(plan.runId)
  return {
    ...{ plan, status: status === 'done' && overflowsOf(steps) > 0 ? 'oom' : status, problem, steps },
    ...{ tried, untrained },
    // Read by reports alone.
    get writings() {
      return runs.report(plan.runId).writings
    },
    get builtTokens() {
      return runs.report(plan.runId).built?.tokens
    },
  }
}

/** Milliseconds per attempt, from the cells that are most alike and have begun: same method and K, same method, any. */
function paceOf({ method, exp }: CellPlan, cellResults: readonly CellResult[]): number | null {
  const uniformFields = [
    cellResults.filter(({ plan }) => plan.method === method && plan.exp === exp),
    cellResults.filter(({ plan }) => plan.method === method),
    cellResults,
  ].find((group) => group.length > 0)
  return msPerStep((uniformFields ?? []).flatMap(({ steps }) => steps))
}

const distillingOf = ({ distilling }: RunInfo) => (distilling ? { distilling } : {})

/** Everything about an experiment as it stands, ETAs included: per cell at the pace of its like, in all divided by the cells in flight. */
export function experimentInfo(record: ExperimentRecord, runs: RunsSeen): ExperimentInfo {
  const { definition } = record
  const results = record.cells.map((plan) => cellResult(record, plan, runs))
  const cellResults = results.filter(({ steps }) => steps.length > 0)
  const totalOf = ({ tasks }: CellPlan): number =>
    scheduledTotal(tasks ?? record.skills.length, definition.protocol ?? ONCE)
  const cells = results.map(({ plan, status, problem, steps }): CellInfo => {
    const pace = isEnded(status) ? null : paceOf(plan, cellResults)
    const total = totalOf(plan)
    return {
      ...plan,
      status,
      problem,
      done: steps.length,
      total,
      solved: steps.filter((step) => step.reward === 1).length,
      rewards: steps.map((step) => step.reward),
      overflows: overflowsOf(steps),
      ...(runs.has(plan.runId) && distillingOf(runs.get(plan.runId))),
      etaMs: pace === null ? null : Math.round(pace * (total - steps.length)),
    }
  })
  const open = cells.filter(({ status }) => !isEnded(status))
  const times = open.flatMap(({ etaMs }) => (etaMs === null ? [] : [etaMs]))
  const working = cells.filter(({ status }) => status === 'running').length
  const active = record.status === 'running' || record.status === 'paused'
  const head: ExperimentHead = {
    id: record.id,
    name: record.name,
    definition,
    status: record.status,
    problem: record.problem,
    createdAt: record.createdAt,
    finishedAt: record.finishedAt,
    done: sum(cells.map((cell) => (isEnded(cell.status) ? cell.total : cell.done))),
    total: sum(cells.map(({ total }) => total)),
    etaMs: active ? sharedTimeMs(times, Math.max(definition.settings.inFlight, working)) : null,
  }
  return { ...head, cells }
}
