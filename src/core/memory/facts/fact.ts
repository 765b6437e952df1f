import { z } from 'zod'
import { learnedFields } from '../../../shared/domain/memory'

export const FACT_KIND = 'fact'

/** The relation of a link that says what kind of thing its subject is. */
export const ENTITY_TYPE = 'entity type'

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
  /** How it was said: as something to remember, in the place of a wrong answer, or by a program. */
  source: z.enum(['remember', 'correction', 'program']),
  /** The program that told it; null for a person. */
  by: z.string().nullable().default(null),
  /** What it links its subject with, where it says no more than that: `{ relation: 'works at', to: 'Vela' }`. Null for a sentence. */
  link: z
    .object({ relation: z.string().min(1), to: z.string().min(1) })
    .nullable()
    .default(null),
  /** Ids of the facts that it took the place of. */
  replaces: z.array(z.string()).default([]),
})
export type Fact = z.infer<typeof factSchema>

/** What puts a fact out of use when a later one says otherwise. */
export const replacedEvent = (itemId: string, at: string) =>
  ({ kind: 'item-quarantined', of: FACT_KIND, itemId, at, why: 'contradicted' }) as const
