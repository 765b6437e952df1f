import { z } from 'zod'
import { learnedFields } from '../../../shared/domain/memory'

export const FACT_KIND = 'fact'

/** One sentence about a person, a project or a thing, as somebody said it. */
export const factSchema = z.object({
  kind: z.literal(FACT_KIND),
  ...learnedFields,
  statement: z.string().min(1),
  /** What it is about: `me`, or a subject as the statement names it; empty where that is not known. */
  about: z.string().default(''),
  /** The question it answers and the answer, where it came from a correction; null where it did not. */
  question: z.string().nullable().default(null),
  answer: z.string().nullable().default(null),
  /** How it was said: as something to remember, or in the place of a wrong answer. */
  source: z.enum(['remember', 'correction']),
  /** Ids of the facts that it took the place of. */
  replaces: z.array(z.string()).default([]),
})
export type Fact = z.infer<typeof factSchema>
