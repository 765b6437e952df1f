import { z } from 'zod'
import { learnedFields } from '../../../shared/domain/memory'
import type { NoteEvolved } from './events'

/** A note of A-MEM: m = {content, time, keywords, tags, context, links}; its content is the attempt itself. */
export const noteSchema = z.object({
  kind: z.literal('note'),
  ...learnedFields,
  /** The task in words. */
  title: z.string(),
  keywords: z.array(z.string()),
  tags: z.array(z.string()),
  context: z.string(),
  /** Ids of related notes. */
  links: z.array(z.string()),
})
export type Note = z.infer<typeof noteSchema>

/** A note with what a later one brought to it. */
export const evolvedNote = (note: Note, change: NoteEvolved): Note => ({
  ...note,
  context: change.context ?? note.context,
  tags: change.tags ?? note.tags,
  links: [...new Set([...note.links, ...(change.links ?? [])])],
})
