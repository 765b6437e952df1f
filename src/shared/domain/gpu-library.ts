import { z } from 'zod'
import { bytes } from './units'

/** What graphics cards are computed on with. */
export const gpuKindSchema = z.enum(['cuda', 'vulkan'])
export type GpuKind = z.infer<typeof gpuKindSchema>

/** llama.cpp's libraries for graphics cards: too large to come with Loam, so they are fetched once a person wants them. */
export const gpuLibrarySchema = z.object({
  kind: gpuKindSchema,
  title: z.string(),
  about: z.string(),
  /** The host that it is fetched from. */
  source: z.string(),
  /** What is fetched. */
  sizeBytes: bytes,
  isHere: z.boolean(),
  /** Whether this machine may have a card for it. */
  isUseful: z.boolean(),
})
export type GpuLibrary = z.infer<typeof gpuLibrarySchema>
