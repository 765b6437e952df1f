import { z } from 'zod'
import { itemRefSchema } from './item'
import { count, instant, integer, milliseconds } from './units'

/** A message of an ask and how its first judged try went; while none is judged, its first one. */
const askPointSchema = z.object({
  askId: z.string(),
  /** Its place among the attempts of the ask. */
  attempt: integer,
  title: z.string(),
  model: z.string(),
  method: z.string(),
  /** ISO time at which that try ended. */
  at: instant,
  /** 1 right, 0.5 partly, 0 wrong; null: nobody judged it. */
  right: z.union([z.literal(0), z.literal(0.5), z.literal(1)]).nullable(),
  /** Read and written. */
  tokens: count,
  ms: milliseconds,
  /** Items it recalled. */
  recalled: count,
  /** Its topic's place in the list of topics. */
  topic: integer,
})
export type AskPoint = z.infer<typeof askPointSchema>

/** Asks that are about the same. */
const askTopicSchema = z.object({
  /** The words they share. */
  title: z.string(),
  asks: count,
  judged: count,
  right: count,
})

/** What changed in the memory between two points. */
const lifetimeMomentSchema = z.object({
  /** The points before it. */
  after: integer,
  at: instant,
  added: count,
  edited: count,
  gone: count,
  /** Some of what was added. */
  sample: z.array(itemRefSchema.extend({ title: z.string() })),
})
export type LifetimeMoment = z.infer<typeof lifetimeMomentSchema>

/** Everyday work with one memory over time. */
export const askCurveSchema = z.object({
  /** Oldest first. */
  points: z.array(askPointSchema),
  /** Those with the most asks first. */
  topics: z.array(askTopicSchema),
  moments: z.array(lifetimeMomentSchema),
})
export type AskCurve = z.infer<typeof askCurveSchema>

/** An ask that cannot be a task of a stream, and why. */
export const leftOutSchema = z.object({ askId: z.string(), title: z.string(), why: z.string() })
export type LeftOut = z.infer<typeof leftOutSchema>
