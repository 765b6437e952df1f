import { z } from 'zod'

const itemSchema = z.object({
  id: z.string().min(1),
  sort: z.string().min(1),
  kilograms: z.number().positive(),
  town: z.string().min(1),
})
export type Item = z.infer<typeof itemSchema>

/** One task at a workplace: what lies there, and which items are to leave. The workplace itself follows from its seed. */
export const workplaceEntrySchema = z.object({
  id: z.string().min(1),
  /** Seed text of the workplace. */
  workplace: z.string().min(1).max(200),
  instruction: z.string().min(1),
  items: z.array(itemSchema).min(1).max(50),
  /** The items that are to leave, in the order in which the solution takes them. */
  wanted: z.array(z.string()).min(1),
  /** Whether the task is worded in a way that no training text has. */
  phrasing: z.enum(['usual', 'held-out']),
  /** How much is left to do where nobody says otherwise. Default: 3. */
  level: z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)]).optional(),
  /** Whether the right tags of the towns in the room are shown at level 0. Default false. */
  open: z.boolean().optional(),
  skill_list: z.array(z.string()).default([]),
})
export type WorkplaceEntry = z.infer<typeof workplaceEntrySchema>
