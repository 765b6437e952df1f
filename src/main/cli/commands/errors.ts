import { ERROR_CLASSES, type RunErrors } from '../../../shared/domain/error-class'
import { modelOf, UsageError } from '../arguments'
import { followJob } from '../follow-job'
import type { Command } from './command'
import type { RunCosts } from '../../../shared/domain/cost'
import { BOUNDS } from '../../../shared/domain/bounds'

const row = (cells: readonly string[]): string =>
  cells.map((cell, i) => (i === 0 ? cell.padEnd(12) : cell.padStart(13))).join('')

/** The account as a table. */
const costLines = ({ modules, total, attempts, perAttempt }: RunCosts): string[] => [
  row(['module', 'calls', 'prompt', 'completion', 'USD', 'share']),
  ...modules.map(({ module, calls, promptTokens, completionTokens, cost, share }) =>
    row([
      module,
      calls === null ? '' : String(calls),
      String(promptTokens),
      String(completionTokens),
      cost.toFixed(4),
      share === null ? '' : `${(100 * share).toFixed(1)}%`,
    ]),
  ),
  row(['total', '', String(total.promptTokens), String(total.completionTokens), total.cost.toFixed(4), '']),
  ...(perAttempt
    ? [
        `${attempts} attempts, ${Math.round(perAttempt.tokens)} tokens and ${perAttempt.cost.toFixed(5)} USD each`,
      ]
    : []),
]

/** `loam costs RUN`: what a run's tokens were spent on, module by module. */
export const costsCommand: Command = async ({ args, io, host }) => {
  const runId = args.word(1, 'Which run? "loam runs" lists them')
  const { client } = await host()
  const { prices } = await client.app.settings()
  const input = {
    prompt: args.decimal('prompt-price', BOUNDS.price) ?? prices.prompt,
    completion: args.decimal('completion-price', BOUNDS.price) ?? prices.completion,
  }
  const costs = await client.runs.costs({ runId, prices: input })
  for (const line of costLines(costs)) io.out(line)
  return costs
}

const line = ({ runId, failed, tasks, counts, unclassified }: RunErrors): string =>
  `${runId}: ${failed} of ${tasks} tasks failed (${ERROR_CLASSES.map((name) => `${name} ${counts[name]}`).join(', ')}, unclassified ${unclassified})`

/** `loam errors RUN [RUN2]`: failures by class, and which of them two runs have in common. */
export const errorsCommand: Command = async ({ args, io, host }) => {
  const runId = args.word(1, 'Which run? "loam runs" lists them')
  const [, , otherId = null, ...more] = args.positionals
  if (more.length > 0) throw new UsageError('At most two runs can be compared')
  const judge = args.text('judge')
  const reached = await host()
  const { client } = reached
  const model = modelOf(args, 'judge') ?? null
  for (const each of judge === 'no' ? [] : [runId, ...(otherId === null ? [] : [otherId])])
    await followJob(reached, (await client.runs.judgeErrors({ runId: each, model })).jobId, io)
  const report = await client.runs.errors({ runId, otherId })
  io.out(line(report.a))
  if (report.b) io.out(line(report.b))
  if (report.overlap) {
    const { compared, both, onlyA, onlyB } = report.overlap
    io.out(
      `Of ${compared} tasks in both: ${both.length} failed in both, ${onlyA.length} only in the first, ${onlyB.length} only in the second`,
    )
  }
  return report
}
