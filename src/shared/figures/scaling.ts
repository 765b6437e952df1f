import { z } from 'zod'
import { mean } from './mean'

/** What several attempts at each task came to. Rates are over all tasks of the run, in [0, 1]. */
export interface ScalingFigures {
  /** Attempts per task, the mean. */
  readonly attempts: number
  /** Share of tasks whose first attempt was solved (pass@1). */
  readonly first: number
  /** Share of tasks whose reported attempt was solved: the chosen one (best of n), or the last. */
  readonly reported: number
  /** Share of tasks that any attempt solved (pass@n): what no choice can pass. */
  readonly any: number
}
const rateSchema = z.number().min(0).max(1)
/** Named, so that the contract's type stays short. */
export const scalingFiguresSchema: z.ZodType<ScalingFigures> = z.object({
  attempts: z.number(),
  first: rateSchema,
  reported: rateSchema,
  any: rateSchema,
})

/** Tasks with their reported reward and, where several attempts were made, the rewards of all. */
interface Step {
  readonly reward: 0 | 1
  readonly attempts?: readonly (0 | 1)[] | undefined
}

/** The figures of a run; nothing where every task was attempted once. */
export function scalingFigures(steps: readonly Step[]): {
  readonly scaling?: ScalingFigures
} {
  if (!steps.some(({ attempts }) => attempts !== undefined)) return {}
  const all = steps.map(({ reward, attempts = [reward] }) => attempts)
  const rate = (solved: readonly boolean[]): number => mean(solved.map(Number)) ?? 0
  return {
    scaling: {
      attempts: mean(all.map(({ length }) => length)) ?? 0,
      first: rate(all.map(([first]) => first === 1)),
      reported: rate(steps.map(({ reward }) => reward === 1)),
      any: rate(all.map((attempts) => attempts.includes(1))),
    },
  }
}
