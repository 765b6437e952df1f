import { z } from 'zod'
import { loamErrorShape } from './error-shape'
import { milliseconds } from './units'

/** A model server under a name of the person's own. Its key is kept elsewhere. */
export const modelServerSchema = z.object({
  /** Lower-case letters, digits, dots and hyphens. */
  name: z
    .string()
    .regex(/^[a-z0-9][a-z0-9._-]{0,39}$/, 'lower-case letters, digits, dots and hyphens, at most 40'),
  /** Id of the provider that speaks to it. */
  provider: z.string(),
  /** Its address, up to where paths like `/chat/completions` begin. */
  url: z.url({ protocol: /^https?$/ }),
})
export type ModelServer = z.infer<typeof modelServerSchema>

/** A program with models that answers on this machine. */
export const localServerSchema = z.object({
  title: z.string(),
  /** As it would be kept, under a name that may have to give way to one that is there. */
  server: modelServerSchema,
  /** Those that write. */
  models: z.array(z.string()).readonly(),
  /** Why it did not tell; null where it did. */
  problem: loamErrorShape.nullable(),
})
export type LocalServer = z.infer<typeof localServerSchema>

/** What asking a server came to. */
export const modelServerReportSchema = z.object({
  url: z.string(),
  /** What answers there, in words. */
  program: z.string(),
  models: z.array(z.string()).readonly(),
  /** Those of them that compare texts and write none; absent where it does not tell. */
  embeddingModels: z.array(z.string()).readonly().optional(),
  /** What a model said to a short greeting; absent when none was to be asked. */
  reply: z
    .object({ model: z.string(), contextSize: z.number(), text: z.string(), ms: milliseconds })
    .optional(),
})
export type ModelServerReport = z.infer<typeof modelServerReportSchema>
