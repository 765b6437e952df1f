import { z } from 'zod'
import { answerCheckSchema } from '../../../shared/domain/answer-check'

/** The environment's id on tasks, trajectories and streams. */
export const QUESTIONS = 'qa'

/** A file that comes with a question. `sha256` is filled in when the stream is loaded from a folder. */
export const attachmentSchema = z.object({
  /** As the task names it; no folders. */
  name: z.string().regex(/^(?!\.{1,2}$)[^/\\\0]+$/, 'is not a plain file name'),
  sha256: z.string().optional(),
})

/** A question task's payload. */
export const questionEntrySchema = z.object({
  /** Answers that count as right; empty when none is known, and then nothing is graded. */
  references: z.array(z.string()),
  /**
   * GAIA's scorer (numbers, lists, text), SQuAD's normalization with several references, the letter or the text of a choice, or the
   * check that the stream chose.
   */
  scorer: z.enum(['gaia', 'open', 'choice', 'check']),
  /** Only with the scorer `check`. */
  check: answerCheckSchema.optional(),
  /** What would be right, where the references say how it is found out and not what it is. */
  solution: z.string().optional(),
  /** GAIA's 1 to 3; null when it has none. */
  level: z.number().int().nullable(),
  /** The dataset it comes from; null when it does not say. */
  dataset: z.string().nullable(),
  attachments: z.array(attachmentSchema),
})
export type QuestionEntry = z.infer<typeof questionEntrySchema>

/** A question as one of the forms reads it. `id` null: the row has none. */
export interface ReadQuestion {
  readonly id: string | null
  readonly instruction: string
  readonly skills: readonly string[]
  readonly entry: QuestionEntry
}

/** A row that is no question for a reason of its own. */
export interface NoQuestion {
  readonly reason: string
}

/** A form that questions are written in. */
export interface QuestionForm {
  /** As people know it. */
  readonly name: string
  /** The fields a row of it has, for telling people which form is nearest. */
  readonly fields: readonly string[]
  /** Whether a row looks like this form, so that it is read (and refused) by it; or the fields that a row has which does. */
  readonly recognises: readonly string[] | ((row: object) => boolean)
  /** @throws ZodError for a row that is not in the form after all */
  read(row: object): ReadQuestion | NoQuestion
}
