import { z } from 'zod'

/**
 * A method changed something it had written before: a count went up, a text says more. What `change` may hold and what it does is said by the
 * kind of the text (`changed` of its `learnedKind`).
 */
export const learnedChangedSchema = z.object({
  kind: z.literal('memory-changed'),
  memoryId: z.string().min(1),
  /** The attempt that brought the change; one change per text and attempt. */
  by: z.string().min(1),
  change: z.record(z.string(), z.unknown()),
  at: z.string(),
})
export type LearnedChanged = z.infer<typeof learnedChangedSchema>
