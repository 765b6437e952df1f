import { z } from 'zod'
import { errorClassSchema } from './error-class'
import { itemRefSchema } from './item'
import { finishSchema, trajectorySchema } from './trajectory'
import { count, instant, integer } from './units'

/** An attempt that is asked about. */
export const attemptPlaceSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('run'), runId: z.string(), index: z.coerce.number().int().nonnegative() }),
  z.object({ kind: z.literal('ask'), askId: z.string(), attempt: z.coerce.number().int().nonnegative() }),
])
export type AttemptPlace = z.infer<typeof attemptPlaceSchema>

/** What an attempt is played again without: one recalled item, all memory, or nothing (as it was, for comparison). */
export const replayWithoutSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('item'), item: itemRefSchema }),
  z.object({ kind: z.literal('memory') }),
  z.object({ kind: z.literal('nothing') }),
])
export type ReplayWithout = z.infer<typeof replayWithoutSchema>

/** An attempt that was played again with what it recalled then, but for something. Nothing is learned from it. */
export const replaySchema = z.object({
  id: z.string(),
  without: replayWithoutSchema,
  at: instant,
  trajectory: trajectorySchema,
})
export type Replay = z.infer<typeof replaySchema>

/** Why an attempt did not solve its task, as far as rules can tell. */
export const whySchema = z.object({
  instruction: z.string(),
  /** What would have solved it; null where nobody knows. */
  expected: z.string().nullable(),
  /** What it did or answered, in the same form. */
  given: z.string(),
  /** Null: no rule fits. */
  error: z.object({ class: errorClassSchema, reason: z.string() }).nullable(),
  /** The first step that went wrong, from 0, and why it is said of it; null when none stands out. */
  badStep: z.object({ step: integer, name: z.string(), reason: z.string() }).nullable(),
  /** Recalled items that may have misled it, the likeliest first. */
  suspects: z.array(itemRefSchema.extend({ title: z.string(), reason: z.string() })),
  /** What else it recalled, as far as it is still there. */
  others: z.array(itemRefSchema.extend({ title: z.string() })),
  /** Items it recalled. */
  recalled: count,
  /** What came of the most similar tasks of the memory, the most similar first. */
  similar: z.array(
    z.object({
      trajectoryId: z.string(),
      instruction: z.string(),
      solved: z.boolean(),
      /** Cosine to this task. */
      score: z.number(),
    }),
  ),
  /** Why it cannot be played again here; null when it can. */
  cannotReplay: z.string().nullable(),
  /** Newest last; of asks they are tries of their own, and not here. */
  replays: z.array(
    replaySchema.omit({ trajectory: true }).extend({
      finish: finishSchema,
      reward: z.number(),
      /** Why nobody could say whether it was right; null where somebody could. */
      ungraded: z.string().nullable(),
      given: z.string(),
      recalled: count,
    }),
  ),
})
export type Why = z.infer<typeof whySchema>
