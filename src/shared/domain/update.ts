import { z } from 'zod'
import { loamErrorShape } from './error-shape'
import { bytes } from './units'

/** A version that can be had. */
export const newerVersionSchema = z.object({
  version: z.string().max(60),
  /** Of what is fetched; null where the list of versions does not say. */
  sizeBytes: bytes.nullable(),
  /** What its makers say of it, as plain text; may be empty. */
  notes: z.string(),
})
export type NewerVersion = z.infer<typeof newerVersionSchema>

/** How this Loam stands to newer versions of itself. Nothing of it happens without a person's word. */
export const updateStateSchema = z.object({
  /** Why this Loam cannot renew itself, in words; null where it can. */
  unavailable: z.string().nullable(),
  /** The host that is asked; null where none is. */
  source: z.string().nullable(),
  /**
   * `unasked`: nobody looked yet. `newest`: there was none newer. `offered`: there is one. `ready`: it is here, and its sum is right.
   * `on-quit`: it is installed when Loam is quit.
   */
  status: z.enum(['unasked', 'looking', 'newest', 'offered', 'fetching', 'ready', 'on-quit']),
  newer: newerVersionSchema.nullable(),
  /** What is here of it while it is fetched. */
  doneBytes: bytes,
  /** What failed last; null where nothing did. */
  problem: loamErrorShape.nullable(),
})
export type UpdateState = z.infer<typeof updateStateSchema>
