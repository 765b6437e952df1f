import { z } from 'zod'
import { count } from './units'

/** An answer that waits for a person's word. */
export const reviewEntrySchema = z.object({
  askId: z.string(),
  title: z.string(),
  /** The attempt, from 0. */
  attempt: count,
  request: z.string(),
  answer: z.string(),
  /** What the person wrote next; null where they wrote nothing. */
  next: z.string().nullable(),
  /** What the rules take it for, and why; null where nothing is settled. */
  supposed: z.object({ verdict: z.enum(['right', 'wrong']), because: z.string() }).nullable(),
  /** Requests like it, itself among them. */
  often: count,
})
export type ReviewEntry = z.infer<typeof reviewEntrySchema>

/** Most answers that are handed out at once, and most letters of each text. */
export const MOST_REVIEWED = 50
export const REVIEW_LETTERS = 1200

/** Answers that wait for a person's word: by how often such a request comes, then by doubt. */
export const reviewSchema = z.object({
  entries: z.array(reviewEntrySchema).max(MOST_REVIEWED),
  /** All that wait. */
  total: count,
  /** Whether the person may be asked today: there is something, and they were not asked yet. */
  due: z.boolean(),
})
export type Review = z.infer<typeof reviewSchema>
