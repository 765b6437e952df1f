import { z } from 'zod'
import { learnedFields } from '../../../shared/domain/memory'

/** Dynamic Cheatsheet's memory: one text, written anew after every attempt; the newest is the one in use. */
export const cheatsheetSchema = z.object({
  kind: z.literal('cheatsheet'),
  ...learnedFields,
  content: z.string().min(1),
  /** How often it has been written anew. */
  version: z.number().int().min(1),
})
export type Cheatsheet = z.infer<typeof cheatsheetSchema>
