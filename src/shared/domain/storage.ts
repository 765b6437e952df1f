import { z } from 'zod'
import { bytes, count, instant } from './units'

/** What a data folder keeps that can be renamed and thrown away. */
export const keptSchema = z.object({
  what: z.enum(['memory', 'run', 'experiment', 'stream']),
  /** Of a stream: its path. */
  id: z.string().min(1),
})
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

/** What the doctor looks at. */
export const CHECKED = ['records', 'lines', 'memories', 'indexes', 'locks', 'modes', 'disk'] as const

/** Something that is not as it should be. Paths are relative to the data folder, and nothing of a person's texts is in it. */
export const findingSchema = z.object({
  of: z.enum(CHECKED),
  place: z.string(),
  problem: z.string(),
  /** What was done about it; null: nothing, and `problem` says what a person can do. */
  done: z.string().nullable(),
})
export type Finding = z.infer<typeof findingSchema>

/** What a check of the data folder came to: how many of each were looked at, and what was found. */
export const checkupSchema = z.object({
  at: instant,
  version: z.string(),
  system: z.string(),
  checked: z.record(z.enum(CHECKED), count),
  freeBytes: bytes,
  findings: z.array(findingSchema),
})
export type Checkup = z.infer<typeof checkupSchema>

/** What a repair of a damaged memory kept, what is lost, and the folder that holds everything as it was before. */
export const memoryRepairSchema = z.object({
  kept: count,
  lost: count,
  evidence: z.string(),
})
