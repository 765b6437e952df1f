import { z } from 'zod'
import { learnedFields } from '../../../shared/domain/memory'

/** The kind's id. */
export const PASSAGE_KIND = 'passage'

/** Where passages count as being from: they are of no environment's tasks. */
export const PASSAGE_ENVIRONMENT = 'documents'

/** A part of a file in a folder that a person let a memory read. */
export const passageSchema = z.object({
  kind: z.literal(PASSAGE_KIND),
  ...learnedFields,
  /** From no attempt. */
  trajectoryIds: z.array(z.string()),
  /** Which of the memory's folders it is from, and the file below it, with slashes. */
  folderId: z.string(),
  path: z.string().min(1),
  /** Lines of the file, from 1, as they were when it was read. */
  from: z.number().int().min(1),
  to: z.number().int().min(1),
  /** The headings above it, the outermost first; empty where there are none. */
  headings: z.array(z.string()),
  text: z.string().min(1),
  /** What a person wants agents to know of it; empty without one. */
  note: z.string(),
})
export type Passage = z.infer<typeof passageSchema>

/** A passage as an agent reads it, with where it is from. */
export const passageText = ({ path, from, to, headings, text, note }: Passage): string =>
  [
    `${path}, lines ${from} to ${to}${headings.length === 0 ? '' : ` (${headings.join(' > ')})`}:`,
    text,
    ...(note === '' ? [] : [`Note: ${note}`]),
  ].join('\n')
