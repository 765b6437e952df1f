import { z } from 'zod'
import { count, instant, milliseconds, share } from './units'

/** How a method did in replays of the same judged asks as the method in use. */
export const methodComparisonSchema = z.object({
  method: z.string(),
  /** Asks that both were replayed on. */
  n: count,
  /** Right of them. */
  right: count,
  /** Right of them with the method in use. */
  rightNow: count,
  /** Right with one of the two alone. */
  onlyThis: count,
  onlyNow: count,
  /** Chance of as many more or worse if neither were better (exact sign test, one-sided), at the last look; null before the first. */
  chance: share.nullable(),
  /** The asks of the last look; null before the first. */
  look: count.nullable(),
  /** `better`: by more than luck. `open`: not told apart yet. `behind`: ten or more fewer right, so it is replayed no more. */
  standing: z.enum(['better', 'open', 'behind']),
})
export type MethodComparison = z.infer<typeof methodComparisonSchema>

/** A reason that some things share, in words. */
const reasonCountSchema = z.object({ why: z.string(), count })

/** A change of the method that asks use where nobody chose one. */
export const methodSwitchSchema = z.object({ from: z.string(), to: z.string(), at: instant })

/** What Loam chooses for everyday asks, and what it rests on. */
export const methodChoiceSchema = z.object({
  /** What asks use where nobody chose a method. */
  method: z.string(),
  /** The last change; null while it is the recommended one from the start. */
  changed: methodSwitchSchema.nullable(),
  /** What would be worth changing to; null for nothing. */
  offer: methodComparisonSchema.nullable(),
  /** Every method that was compared, besides the one in use. */
  comparisons: z.array(methodComparisonSchema),
  /** Judged asks that can be replayed, and those that all methods were replayed on. */
  usable: count,
  replayed: count,
  /** Why others cannot be. */
  unusable: z.array(reasonCountSchema),
  /** The model that is replayed with; null where there is none. */
  model: z.string().nullable(),
  /** The next look, in asks; null after the last. */
  nextLook: count.nullable(),
  /** One sentence in words: what came of it so far, or what is lacking. */
  sentence: z.string(),
  /** Why nothing is compared right now; null while it is, or may be at the next quiet moment. */
  rests: z.string().nullable(),
  /** The job that compares now; null: none. */
  jobId: z.string().nullable(),
  /** Of today. */
  spentMs: milliseconds,
  budgetMs: milliseconds,
  /** About how long the replays up to the next look take; null where that is not known. */
  forecastMs: milliseconds.nullable(),
})
export type MethodChoice = z.infer<typeof methodChoiceSchema>
