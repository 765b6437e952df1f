import { z } from 'zod'
import { modelFitSchema } from './model'
import { count, integer, milliseconds } from './units'

/** Something to know before a run begins. `refuse`: it cannot go well; `warn`: it may not. */
const preflightNoteSchema = z.object({
  level: z.enum(['refuse', 'warn']),
  text: z.string(),
  /** What to do about it. */
  suggestion: z.string(),
  /** The error that starting it would fail with; absent where starting does not look at it. */
  code: z.string().optional(),
})
export type PreflightNote = z.infer<typeof preflightNoteSchema>

/** What is known of a run before it is started. */
export const preflightSchema = z.object({
  notes: z.array(preflightNoteSchema),
  /** What the model would take; null where it runs elsewhere, or cannot be measured. */
  fit: modelFitSchema.nullable(),
  /** Tokens one dialog could hold; null where that is not known before it is loaded. */
  contextSize: count.nullable(),
  /** About how long the longest first prompt of the first tasks is, nothing recalled; null where no task could be opened. */
  promptTokens: count.nullable(),
  /** How many items it recalls for each task, 0 for none; null where its settings could not be read. */
  k: integer.nullable(),
  /** Milliseconds, at the pace of earlier runs with the same model and method; null where there are none. */
  etaMs: milliseconds.nullable(),
})
export type Preflight = z.infer<typeof preflightSchema>
