import { z } from 'zod'
import { count, milliseconds } from './units'

/** Tokens and time one or more model calls took. `reused` counts prompt tokens answered from the kept prefix. */
export const usageSchema = z.object({
  promptTokens: count,
  completionTokens: count,
  reusedTokens: count,
  /** Those of `completionTokens` that were thoughts; absent when there were none, or nobody counted them. */
  thoughtTokens: z.number().int().positive().optional(),
  /** Wall time in milliseconds. */
  ms: milliseconds,
})
export type Usage = z.infer<typeof usageSchema>

export const NO_USAGE: Usage = { promptTokens: 0, completionTokens: 0, reusedTokens: 0, ms: 0 }

export const addUsage = (a: Usage, b: Usage): Usage => ({
  ...((a.thoughtTokens ?? b.thoughtTokens) !== undefined && {
    thoughtTokens: (a.thoughtTokens ?? 0) + (b.thoughtTokens ?? 0),
  }),
  promptTokens: a.promptTokens + b.promptTokens,
  completionTokens: a.completionTokens + b.completionTokens,
  reusedTokens: a.reusedTokens + b.reusedTokens,
  ms: a.ms + b.ms,
})
