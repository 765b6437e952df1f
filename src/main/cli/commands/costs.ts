import type { RunCosts } from '../../../shared/domain/cost'
import type { Command } from './command'
import { BOUNDS } from '../../../shared/domain/bounds'

const row = (cells: readonly string[]): string =>
  cells.map((cell, i) => (i === 0 ? cell.padEnd(12) : cell.padStart(13))).join('')

/** The account as a table. */
export const costLines = ({ modules, total, attempts, perAttempt }: RunCosts): string[] => [
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
