import { z } from 'zod'
import { itemRefSchema } from './item'
import { memoryInfoSchema } from './memory-info'
import { count, instant } from './units'

/** My memory, and what a person still has to say about it. */
export const myMemorySchema = z.object({
  memory: memoryInfoSchema,
  /** Memories of which one may be the person's own: they are asked once. Empty in general. */
  candidates: z.array(memoryInfoSchema),
  /** Id of what was My memory and whose folder is gone; null in general. */
  lost: z.string().nullable(),
  /** Memories whose items are offered to be taken into My memory. */
  offers: z.array(memoryInfoSchema),
})
export type MyMemoryInfo = z.infer<typeof myMemorySchema>

/** What taking a lab memory into My memory would bring, kind by kind. */
export const takePreviewSchema = z.object({
  from: memoryInfoSchema,
  kinds: z.array(
    z.object({
      kind: z.string(),
      title: z.string(),
      /** Items that My memory does not hold. */
      fresh: count,
      /** Items that it holds, reading the same. */
      same: count,
      /** Items that it holds under the same name, reading differently: those are not taken. */
      differs: count,
      /** Whether it is taken where no kinds are chosen: passages of own files are not. */
      usual: z.boolean(),
      /** Some that would be taken. */
      samples: z.array(itemRefSchema.extend({ title: z.string() })),
    }),
  ),
})
export type TakePreview = z.infer<typeof takePreviewSchema>

/** What is to be taken. */
export const takeInputSchema = z.object({
  /** The lab memory. */
  from: z.string().min(1),
  /** Null: all but passages of own files. */
  kinds: z.array(z.string()).nullable().default(null),
  /** Only these; null for all of the kinds. */
  items: z.array(itemRefSchema).max(10_000).nullable().default(null),
  /** The project they go to; null: all projects share them. */
  project: z.string().trim().min(1).max(100).nullable().default(null),
})
export type TakeInput = z.infer<typeof takeInputSchema>

/** A taking of items into My memory: one change, which can be undone as one. */
export const takeSchema = z.object({
  id: z.string(),
  from: z.string(),
  fromName: z.string(),
  /** The memory they went to. */
  into: z.string(),
  at: instant,
  items: z.array(itemRefSchema),
  /** False while it goes on, and where it was interrupted. */
  done: z.boolean(),
  undoneAt: instant.nullable(),
})
export type Take = z.infer<typeof takeSchema>
