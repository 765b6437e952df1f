import { z } from 'zod'
import { memoryRefSchema } from './memory-item'

/** A message of an ask and how its first judged try went; while none is judged, its first one. */
const askPointSchema = z.object({
  askId: z.string(),
  /** Its place among the attempts of the ask. */
  attempt: z.number().int(),
  title: z.string(),
  model: z.string(),
  method: z.string(),
  /** ISO time at which that try ended. */
  at: z.string(),
  /** 1 right, 0.5 partly, 0 wrong; null: nobody judged it. */
  right: z.union([z.literal(0), z.literal(0.5), z.literal(1)]).nullable(),
  /** Read and written. */
  tokens: z.number().int(),
  ms: z.number(),
  /** Items it recalled. */
  recalled: z.number().int(),
  /** Its topic's place in the list of topics. */
  topic: z.number().int(),
})
export type AskPoint = z.infer<typeof askPointSchema>

/** Asks that are about the same. */
const askTopicSchema = z.object({
  /** The words they share. */
  title: z.string(),
  asks: z.number().int(),
  judged: z.number().int(),
  right: z.number().int(),
})

/** What changed in the memory between two points. */
const memoryMomentSchema = z.object({
  /** The points before it. */
  after: z.number().int(),
  at: z.string(),
  added: z.number().int(),
  edited: z.number().int(),
  gone: z.number().int(),
  /** Some of what was added. */
  sample: z.array(memoryRefSchema.extend({ title: z.string() })),
})
export type MemoryMoment = z.infer<typeof memoryMomentSchema>

/** Everyday work with one memory over time. */
export const askCurveSchema = z.object({
  /** Oldest first. */
  points: z.array(askPointSchema),
  /** Those with the most asks first. */
  topics: z.array(askTopicSchema),
  moments: z.array(memoryMomentSchema),
})
export type AskCurve = z.infer<typeof askCurveSchema>

/** An ask that cannot be a task of a stream, and why. */
export const leftOutSchema = z.object({ askId: z.string(), title: z.string(), why: z.string() })
export type LeftOut = z.infer<typeof leftOutSchema>
