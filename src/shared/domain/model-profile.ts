import { z } from 'zod'
import { count, instant, milliseconds } from './units'

/** How facts stand before a question: as a list in the same message, or as earlier turns of the dialog. */
export const factFormSchema = z.object({
  place: z.enum(['list', 'turns']),
  /** Where the fact stands that fits best. */
  best: z.enum(['first', 'last']),
  /** Most facts that are shown. */
  most: z.number().int().min(1).max(4),
})
export type FactForm = z.infer<typeof factFormSchema>

/** The form seen best before a model was measured. */
export const USUAL_FACT_FORM: FactForm = { place: 'list', best: 'first', most: 2 }

/** The forms that a model is measured with, the usual one first. */
export const FACT_FORMS: readonly FactForm[] = [
  USUAL_FACT_FORM,
  { place: 'list', best: 'last', most: 2 },
  { place: 'list', best: 'first', most: 1 },
  { place: 'list', best: 'first', most: 4 },
  { place: 'turns', best: 'last', most: 2 },
]

/** How one form did: questions about facts that were recalled, and general questions beside which unrelated facts stood. */
export const formTallySchema = z.object({
  form: factFormSchema,
  facts: z.object({ asked: count, right: count }),
  general: z.object({ asked: count, right: count }),
  /** Questions that it had right and the usual form had not, and the other way round. */
  won: count,
  lost: count,
})
export type FormTally = z.infer<typeof formTallySchema>

/** What was found out about how a model reads memory. Kept by the hash of its file. */
export const modelProfileSchema = z.object({
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** The form that its facts are shown in: the usual one, unless another was better beyond chance. */
  form: factFormSchema,
  /** The form a person chose instead; null where none did. */
  choice: factFormSchema.nullable(),
  tallies: z.array(formTallySchema),
  /** Questions that there are; fewer may have been asked so far. */
  questions: count,
  ms: milliseconds,
  measuredAt: instant,
})
export type ModelProfile = z.infer<typeof modelProfileSchema>

/** `2 facts in a list, the best first`. */
export const factFormWords = ({ place, best, most }: FactForm): string =>
  `${most === 1 ? 'one fact' : `${most} facts`} ${place === 'list' ? 'in a list' : 'as earlier turns'}${most === 1 ? '' : `, the best ${best}`}`

/** Whether two forms are the same. */
export const isSameForm = (a: FactForm, b: FactForm): boolean =>
  a.place === b.place && a.best === b.best && a.most === b.most
