import { z } from 'zod'
import { count, figure } from './units'
import { BOUNDS, numberIn } from './bounds'

/** US dollars per million tokens. A local model costs nothing. */
export const pricesSchema = z.object({
  prompt: numberIn(BOUNDS.price).default(0),
  completion: numberIn(BOUNDS.price).default(0),
})
export type Prices = z.infer<typeof pricesSchema>

/**
 * What tokens were spent on (Agent KB, table 6). `execution`: the agent's own rounds. `recall` and `learn`: what other methods ask the
 * model before and after an attempt. `distil`: soft prompts. `scaling`: further attempts at the same
 * task.
 */
export const COST_MODULES = [
  'execution',
  'reason',
  'retrieve',
  'refine',
  'critic',
  'abstraction',
  'ranker',
  'recall',
  'learn',
  'distil',
  'scaling',
] as const
export type CostModule = (typeof COST_MODULES)[number]

const cost = {
  promptTokens: count,
  completionTokens: count,
  /** US dollars. */
  cost: z.number().nonnegative(),
}

const moduleCostSchema = z.object({
  module: z.enum(COST_MODULES),
  /** Rounds, passes, searches; null where they are not counted. */
  calls: count.nullable(),
  ...cost,
  /** Of all tokens, in [0, 1]; null when there were none. */
  share: figure,
})

/** What a run's tokens were spent on. */
export const runCostsSchema = z.object({
  runId: z.string(),
  method: z.string(),
  attempts: count,
  prices: pricesSchema,
  /** Those that were used, in the order of `COST_MODULES`. */
  modules: z.array(moduleCostSchema),
  total: z.object(cost),
  /** Per attempt; null before the first. */
  perAttempt: z.object({ tokens: z.number(), cost: z.number() }).nullable(),
})
export type RunCosts = z.infer<typeof runCostsSchema>
