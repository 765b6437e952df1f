import { z } from 'zod'
import { itemRefSchema } from './item'
import { verdictSchema } from './verdict'
import { count, integer } from './units'

/**
 * How an item stands in the life of its memory. `carrying`: shown lately, and lately a task was solved with it. `failing`: of the last three tasks it was shown
 * in, none was solved. `fading`: shown before, but in none of the last third of the tasks. `unused`: never shown. `muted`: put aside by hand or by a
 * method, and can be taken back. `gone`: deleted, superseded, or out of its queue.
 */
const itemStandingSchema = z.enum(['carrying', 'failing', 'fading', 'unused', 'muted', 'gone'])
export type ItemStanding = z.infer<typeof itemStandingSchema>

/** The life of one item of a memory. Tasks are counted in the order in which the memory's attempts were made, from 0. */
const itemLifeSchema = z.object({
  ref: itemRefSchema,
  title: z.string(),
  /** Tasks that had been done when it was learned. */
  learned: count,
  /** Tasks that had been done when it went; null while it is there. */
  left: integer.nullable(),
  /** The tasks it was shown in and whether they were solved; null where nobody could tell. */
  uses: z.array(z.object({ at: integer, reward: verdictSchema.nullable() })),
  /** Tasks solved that it was shown in. */
  carried: count,
  /** Since when a newer item says the opposite about the same task: tasks done by then. Null where none does. */
  contradicted: count.nullable(),
  standing: itemStandingSchema,
})
export type ItemLife = z.infer<typeof itemLifeSchema>

/** The life of a memory: what it held, what that cost, and which items carried its tasks. */
export const lifetimeSchema = z.object({
  /** Attempts made in the memory, those of other agents that it began with left out. */
  tasks: count,
  /** By task: items in use once it was done, tokens of what it was shown, and whether it was solved (null: nobody could tell). */
  size: z.array(integer),
  tokens: z.array(integer),
  rewards: z.array(verdictSchema.nullable()),
  /** Items of each standing. */
  standings: z.partialRecord(itemStandingSchema, z.number().int()),
  /** Those that carried most first; at most as many as were asked for. */
  items: z.array(itemLifeSchema),
  /** Items that are not among them. */
  more: count,
})
export type Lifetime = z.infer<typeof lifetimeSchema>
