import { z } from 'zod'
import { bytes, count, instant } from './units'

/** What a data folder keeps that can be renamed and thrown away. */
export const keptSchema = z.object({ what: z.enum(['memory', 'run', 'experiment']), id: z.string().min(1) })
export type Kept = z.infer<typeof keptSchema>

/** Something in the trash. It stays there until the trash is emptied. */
export const trashItemSchema = keptSchema.extend({
  /** Names it in the trash. */
  trashId: z.string(),
  /** As it was called. */
  name: z.string(),
  /** ISO time it was thrown away. */
  at: instant,
  bytes,
})
export type TrashItem = z.infer<typeof trashItemSchema>

/** Bytes on disk. An experiment's are its own folder, memories of its cells included, and its cells' runs. */
export const diskUseSchema = z.object({
  memories: z.record(z.string(), z.number()),
  runs: z.record(z.string(), z.number()),
  experiments: z.record(z.string(), z.number()),
  trash: z.number(),
})
export type DiskUse = z.infer<typeof diskUseSchema>

/** What a repair of a damaged memory kept, what is lost, and the folder that holds everything as it was before. */
export const memoryRepairSchema = z.object({
  kept: count,
  lost: count,
  evidence: z.string(),
})
