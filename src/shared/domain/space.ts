import { z } from 'zod'

/** A space is one memory: a journal, a case bank and what was learned. */
export const spaceInfoSchema = z.object({
  id: z.string(),
  name: z.string(),
  path: z.string(),
  createdAt: z.string(),
  cases: z.number().int(),
  trajectories: z.number().int(),
  embedder: z.string(),
  bytes: z.number(),
  /** Why it cannot be opened, in words; absent when nothing is wrong. */
  problem: z.string().optional(),
})
export type SpaceInfo = z.infer<typeof spaceInfoSchema>

export const settingsSchema = z.object({
  theme: z.enum(['system', 'light', 'dark']).default('system'),
  /** Nothing leaves the machine until a person turns this on. */
  network: z.boolean().default(false),
  modelFolders: z.array(z.string()).default([]),
  embedder: z.string().default('lexical-384'),
  gpuLayers: z.union([z.enum(['auto', 'max', 'cpu']), z.number().int().nonnegative()]).default('auto'),
  threads: z.number().int().min(1).max(256).default(1),
  sidebarCollapsed: z.boolean().default(false),
})
export type Settings = z.infer<typeof settingsSchema>
