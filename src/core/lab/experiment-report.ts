import type {
  CellPlan,
  CellReport,
  CellStatus,
  Study,
  ExperimentReport,
  ExperimentRow,
} from '../../shared/domain/experiment'
import type { TrialResult, Untrained } from '../../shared/domain/soft-prompt'
import type { LoamErrorShape } from '../../shared/errors'
import { variantOf } from './experiment'
import { attemptCost, costPerTask, costsByOutcome } from '../../shared/figures/costs'
import { estimate, pairedDifference, runSignature, type Sample } from '../../shared/figures/estimate'
import { columnMeans, finiteValues, mean, sum } from '../../shared/figures/mean'
import {
  firstThirdRate,
  lastThirdRate,
  LONG_RECENT,
  recentRate,
  solvedIn,
  successRate,
  type Rewards,
} from '../../shared/figures/rates'
import { skillRates } from '../../shared/figures/skills'
import { forgetting, forwardTransfer } from '../../shared/figures/transfer'
import type { WritingCount } from '../../shared/domain/writing'
import { splitOf } from './split'
import { questionFigures } from '../../shared/figures/question-figures'
import { learnedCount, segments, type Segment } from './protocol'
import type { StepEvent } from './run-record'

/** A cell as far as it came. */
export interface CellResult {
  readonly plan: CellPlan
  readonly status: CellStatus
  readonly problem: LoamErrorShape | null
  readonly steps: readonly StepEvent[]
  /** How texts came out that roles were asked for. Absent: none was. */
  readonly writings?: readonly WritingCount[] | undefined
  /** How soft prompts that the cell trained did on held-out tasks. Absent: none was tried. */
  readonly tried?: readonly TrialResult[] | undefined
  /** Those whose training failed. Absent: none did. */
  readonly untrained?: readonly Untrained[] | undefined
  /** Tokens of what was built between tasks. Absent: nothing was. */
  readonly builtTokens?: number | undefined
}

export const isEnded = (status: CellStatus): status is CellReport['status'] =>
  status === 'done' || status === 'oom' || status === 'failed' || status === 'cancelled'

export const overflowsOf = (steps: readonly StepEvent[]): number =>
  steps.filter((step) => step.finish === 'context-overflow').length

const rewardsOf = (steps: readonly StepEvent[]): (0 | 1)[] => steps.map((step) => step.reward)

const traceOf = (steps: readonly StepEvent[]) => ({
  rewards: rewardsOf(steps),
  tokens: steps.map(({ usage }) => usage.promptTokens + usage.completionTokens),
})

const cut = (rewards: Rewards, { from, to }: Segment, unmeasured = 0): Rewards =>
  rewards.slice(Math.max(from, unmeasured), to)

/** First tasks that no cell is measured on, so that all methods are compared on the same ones. */
const unmeasuredTasks = (definition: Pick<Study, 'methods'>, count: number): number =>
  Math.max(0, ...definition.methods.map((entry) => splitOf(variantOf(entry), count)))

/** pass@1, pass@2 and so on of iterations: the share of tasks that at least one of the iterations so far solved. */
const solvedByThen = (rewards: Rewards, iterations: readonly Segment[], unmeasured: number): number[] =>
  iterations.map((_, i) => {
    const groupedTriedNumbers = iterations.slice(0, i + 1).map(({ from, to }) => rewards.slice(from, to))
    const best = (groupedTriedNumbers[0] ?? []).map((_first, at) =>
      groupedTriedNumbers.some((each) => each[at] === 1) ? 1 : 0,
    )
    return successRate(best.slice(unmeasured))
  })

/** Figures that need no other cell. `skills[i]` are those of the stream's i-th task. */
function reportCell(
  { plan, problem, steps, writings, tried, untrained, builtTokens = 0 }: CellResult,
  status: CellReport['status'],
  definition: Study,
  allSkills: readonly (readonly string[])[],
): Omit<CellReport, 'forwardTransfer'> {
  const count = allSkills.length
  const learnedLearnedCount = learnedCount(count, definition.protocol)
  const skills = allSkills.slice(0, learnedLearnedCount)
  const rewards = rewardsOf(steps)
  const unmeasured = unmeasuredTasks(definition, count)
  const parts = segments(count, definition.protocol)
  const iterations = parts.filter(({ kind }) => kind === 'iteration')
  const counts = rewards.slice(unmeasured, learnedLearnedCount * definition.protocol.iterations)
  const orNull = (rate: number): number | null => (counts.length === 0 ? null : rate)
  const measurements = steps.slice(unmeasured)
  const attempts = measurements.filter((step) => step.carried !== true)
  const total = (of: (step: StepEvent) => number): number => sum(steps.map(of))
  const cost = costPerTask(attempts.map(attemptCost), builtTokens)
  const measuredSkills = iterations.flatMap(() => skills).slice(unmeasured)
  const trained = steps.filter(({ distilled }) => distilled !== undefined).length
  const retest = parts.find(({ kind }) => kind === 'retest')
  const test = parts.find(({ kind }) => kind === 'test')
  const lastMet = parts.filter(({ kind }) => kind === 'iteration' || kind === 'pass').at(-1)
  // A pass that did not get through the stream has no rate yet.
  const complete = parts.filter(
    ({ kind, to }) => (kind === 'iteration' || kind === 'pass') && to <= rewards.length,
  )
  const questions = questionFigures(measurements)
  return {
    ...plan,
    status,
    problem,
    tasks: counts.length,
    successRate: orNull(successRate(counts)),
    firstRate: orNull(firstThirdRate(counts)),
    lastRate: orNull(lastThirdRate(counts)),
    rewards: counts,
    windowedRate: recentRate(counts, LONG_RECENT).rate,
    solved: solvedIn(counts),
    promptTokens: total(({ usage }) => usage.promptTokens),
    completionTokens: total(({ usage }) => usage.completionTokens),
    wallMs: total(({ ms }) => ms),
    ...(trained > 0 && { softPrompts: trained }),
    ...(tried && { tried: [...tried] }),
    ...(untrained && { untrained: [...untrained] }),
    overflows: overflowsOf(steps),
    stepsPerTask: cost.steps,
    toolCallsPerTask: cost.toolCalls,
    tokensPerTask: cost.tokens,
    ...(builtTokens > 0 && attempts.length > 0 && { buildTokensPerTask: builtTokens / attempts.length }),
    ...costsByOutcome(measurements),
    unmeasured,
    skills: skillRates(counts, measuredSkills).map((rate) => ({
      ...rate,
      ...costsByOutcome(measurements.filter((_, i) => measuredSkills[i]?.includes(rate.skill))),
    })),
    forgetting: retest && lastMet ? forgetting(cut(rewards, lastMet), cut(rewards, retest)) : null,
    iterationRates: complete
      .filter(({ kind }) => kind === 'iteration')
      .map((part) => successRate(cut(rewards, part, unmeasured))),
    // Solved tasks are carried on into later passes, so each pass holds all that are solved by then; iterations try them all again.
    passRates:
      definition.protocol.iterations > 1
        ? solvedByThen(rewards, complete, unmeasured)
        : complete.map((part) => successRate(cut(rewards, part, unmeasured))),
    ...(test && test.to <= rewards.length && { testRate: successRate(cut(rewards, test)) }),
    ...(questions && { questions }),
    ...(writings && { writings: [...writings] }),
  }
}

/** The baseline's cell to compare with: with the same seed and K, or with K 0 when the baseline takes none. */
function baselineOf<C extends CellPlan | CellReport>(
  cells: readonly C[],
  baseline: string | null,
  cell: { readonly seed: number; readonly exp: number },
): C | undefined {
  const same = cells.filter(({ method, seed }) => method === baseline && seed === cell.seed)
  return same.find(({ exp }) => exp === cell.exp) ?? (same.length === 1 ? same[0] : undefined)
}

function rowOf(
  group: readonly CellReport[],
  all: readonly CellReport[],
  baseline: string | null,
  signatures: ReadonlyMap<string, string>,
): ExperimentRow {
  const [first] = group
  const counts = group.filter(({ status }) => status === 'done')
  const whole = group.filter(({ status }) => status === 'done' || status === 'oom')
  const bySeed = (cells: readonly CellReport[]): Map<number, Sample> =>
    new Map(
      cells.map(({ key, seed, successRate: value }) => [
        seed,
        { value, signature: signatures.get(key) ?? key },
      ]),
    )
  const opposite = counts.flatMap((cell) => {
    const other = cell.method === baseline ? undefined : baselineOf(all, baseline, cell)
    return other?.status === 'done' ? [other] : []
  })
  const rate = estimate([...bySeed(counts).values()])
  const delta = pairedDifference(bySeed(counts), bySeed(opposite))
  return {
    method: first?.method ?? '',
    exp: first?.exp ?? 0,
    n: rate.n,
    distinct: rate.distinct,
    oom: whole.length - counts.length,
    mean: rate.mean,
    ci95: rate.ci95 ? [...rate.ci95] : null,
    firstMean: mean(finiteValues(counts.map((cell) => cell.firstRate))),
    lastMean: mean(finiteValues(counts.map((cell) => cell.lastRate))),
    deltaToBaseline: delta.mean,
    deltaCi95: delta.ci95 ? [...delta.ci95] : null,
    deltaN: delta.n,
    deltaDistinct: delta.distinct,
    meanWithOom: mean(finiteValues(whole.map((cell) => cell.successRate))),
    tokensPerTask: mean(finiteValues(counts.map((cell) => cell.tokensPerTask))),
    ...buildMean(counts),
    passMeans: columnMeans(counts.map((cell) => cell.passRates)),
    iterationMeans: columnMeans(counts.map((cell) => cell.iterationRates)),
    ...testMean(counts),
  }
}

const testMean = (cells: readonly CellReport[]): Pick<ExperimentRow, 'testMean'> => {
  const rates = cells.flatMap(({ testRate }) => (testRate === undefined ? [] : [testRate]))
  const foundCount = mean(rates)
  return foundCount === null ? {} : { testMean: foundCount }
}

const buildMean = (cells: readonly CellReport[]): Pick<ExperimentRow, 'buildTokensPerTask'> =>
  cells.some(({ buildTokensPerTask }) => buildTokensPerTask !== undefined)
    ? { buildTokensPerTask: mean(cells.map((cell) => cell.buildTokensPerTask ?? 0)) ?? 0 }
    : {}

/** The cells that have ended, and what they amount to over seeds. `skills[i]` are those of the stream's i-th task. */
export function reportResults(
  definition: Study,
  results: readonly CellResult[],
  skills: readonly (readonly string[])[],
): Pick<ExperimentReport, 'cells' | 'pending' | 'summary' | 'averages'> {
  const { baseline } = definition
  const endings = results.flatMap((result) =>
    isEnded(result.status) ? [reportCell(result, result.status, definition, skills)] : [],
  )
  const curves = new Map(endings.map((cell) => [cell.key, cell.rewards]))
  const signatures = new Map(results.map(({ plan, steps }) => [plan.key, runSignature(traceOf(steps))]))
  const cells = endings.map((cell): CellReport => {
    const plans = results.map(({ plan }) => plan)
    const other = cell.method === baseline ? undefined : baselineOf(plans, baseline, cell)
    const without = other && curves.get(other.key)
    return { ...cell, forwardTransfer: without ? forwardTransfer(cell.rewards, without) : null }
  })
  const groups = new Map<string, CellReport[]>()
  for (const cell of cells) {
    const name = `${cell.method} ${cell.exp}`
    groups.set(name, [...(groups.get(name) ?? []), cell])
  }
  const names = definition.methods.map((entry) => variantOf(entry).name)
  const place = ({ method, exp }: { method: string; exp: number }): number =>
    names.indexOf(method) * 1000 + exp
  const summary = [...groups.values()]
    .map((group) => rowOf(group, cells, baseline, signatures))
    .sort((a, b) => place(a) - place(b))
  const averages = [...new Set(summary.map((row) => row.method))].map((method) => {
    const means = finiteValues(summary.filter((row) => row.method === method).map((row) => row.mean))
    return { method, n: means.length, mean: mean(means) }
  })
  return { cells, pending: results.length - endings.length, summary, averages }
}
