import { z } from 'zod'
import { itemRefSchema } from './item'
import { count, instant, integer } from './units'

/**
 * What came of a recall. `right`: something shown says what was right. `other`: something was shown, none of it says so. `missed`: nothing was shown,
 * though an item near to the request says it. `silent`: nothing was shown, and nothing near says it.
 */
const recallOutcomeSchema = z.enum(['right', 'other', 'missed', 'silent'])
export type RecallOutcome = z.infer<typeof recallOutcomeSchema>

/** An item that is shown, and whether it says what was right. */
const shownItemSchema = itemRefSchema.extend({ title: z.string(), says: z.boolean() })

/** A judged ask, and what it would be shown today of what its memory held before it. */
const pastRecallSchema = z.object({
  askId: z.string(),
  /** Its place among the attempts of the ask. */
  attempt: integer,
  title: z.string(),
  /** When it was asked. */
  at: instant,
  /** What a person took for right. */
  reference: z.string(),
  /** The best first. */
  shown: z.array(shownItemSchema),
  outcome: recallOutcomeSchema,
})
export type PastRecall = z.infer<typeof pastRecallSchema>

/** What a memory would have recalled for the judged asks of its past. */
export const recallHistorySchema = z.object({
  /** Oldest first. */
  asks: z.array(pastRecallSchema),
  /** Judged asks that nothing can be said of. */
  unusable: z.array(z.object({ why: z.string(), count })),
})
export type RecallHistory = z.infer<typeof recallHistorySchema>
