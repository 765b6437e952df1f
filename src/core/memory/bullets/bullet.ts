import { z } from 'zod'
import { learnedFields } from '../../../shared/domain/memory'

/** The sections of a playbook, in the order in which they are read. */
export const SECTIONS = ['strategies', 'facts', 'mistakes'] as const
export type Section = (typeof SECTIONS)[number]

/** One bullet of ACE's playbook: a piece of advice, and how often a reflector found that it helped or misled. */
export const bulletSchema = z.object({
  kind: z.literal('bullet'),
  ...learnedFields,
  section: z.enum(SECTIONS),
  content: z.string().min(1),
  /** Attempts it was shown to and found helpful, and harmful, in. */
  helpful: z.number().int().nonnegative(),
  harmful: z.number().int().nonnegative(),
})
export type Bullet = z.infer<typeof bulletSchema>

/** What an attempt changed about a bullet: counts that are added, a text that says more, one more attempt it rests on. */
export const bulletChangeSchema = z.object({
  helpful: z.number().int().nonnegative().optional(),
  harmful: z.number().int().nonnegative().optional(),
  content: z.string().min(1).optional(),
  trajectoryIds: z.array(z.string()).optional(),
})
export type BulletChange = z.infer<typeof bulletChangeSchema>
