import { z } from 'zod'
import { learnedFields } from '../../../shared/domain/memory'
import { daySchema } from '../items/last-day'

export const FACT_KIND = 'fact'

const noteValue = z.union([z.string().max(1000), z.number(), z.boolean(), z.null()])
/** Notes of a fact. */
const MOST_NOTES = 30

/** What a program notes beside a fact for itself, by name: texts, numbers, yes or no, or lists of them. Nothing is recalled by it. */
export const factNotesSchema = z
  .record(z.string().max(100), z.union([noteValue, z.array(noteValue).max(50)]))
  .refine((notes) => Object.keys(notes).length <= MOST_NOTES, { message: `at most ${MOST_NOTES} are kept` })
export type FactNotes = z.infer<typeof factNotesSchema>

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
  /** How it was said: as something to remember, in the place of a wrong answer, by a program, or in a chat with another program. */
  source: z.enum(['remember', 'correction', 'program', 'chat']),
  /** The person's words in a chat that it was read from. Absent: it was not. */
  words: z.string().optional(),
  /** The program that told it; null for a person. */
  by: z.string().nullable().default(null),
  /** What it links its subject with, where it says no more than that: `{ relation: 'works at', to: 'Vela' }`. Null for a sentence. */
  link: z
    .object({ relation: z.string().min(1), to: z.string().min(1) })
    .nullable()
    .default(null),
  /** The last day on which it holds. Absent: it has no end. */
  until: daySchema.optional(),
  /** What the program that told it noted beside it. Absent: nothing. */
  notes: factNotesSchema.optional(),
  /** Ids of the facts that it took the place of. */
  replaces: z.array(z.string()).default([]),
})
export type Fact = z.infer<typeof factSchema>

/** What puts a fact out of use when a later one says otherwise. */
export const replacedEvent = (itemId: string, at: string) =>
  ({ kind: 'item-quarantined', of: FACT_KIND, itemId, at, why: 'contradicted' }) as const
