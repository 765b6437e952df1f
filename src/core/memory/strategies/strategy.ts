import { z } from 'zod'
import { learnedFields } from '../../../shared/domain/memory'

/** A memory item of ReasoningBank: how to reason about tasks of a kind, drawn from one attempt. */
export const strategySchema = z.object({
  kind: z.literal('strategy'),
  ...learnedFields,
  /** The task it was drawn from, in words; tasks are compared with it. */
  task: z.string(),
  title: z.string().min(1),
  /** One sentence. */
  description: z.string(),
  /** What to do, or what to watch out for. */
  content: z.string().min(1),
  /** Whether the attempt was solved. */
  success: z.boolean(),
})
export type Strategy = z.infer<typeof strategySchema>
