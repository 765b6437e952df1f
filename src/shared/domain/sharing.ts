import { z } from 'zod'
import { memoryRefSchema } from './memory-item'

/** What a program outside wrote, or wants to write, into a space. */
export const agentWriteSchema = z.object({
  id: z.string(),
  at: z.string(),
  /** By which name the program is known. */
  client: z.string(),
  /** What it is, in words. */
  what: z.string(),
  /** `held`: waits for a person. `kept`: in the memory. `refused`: a person said no. `undone`: was in the memory, is in its trash. */
  state: z.enum(['held', 'kept', 'refused', 'undone']),
  /** Items it added. */
  adds: z.array(memoryRefSchema),
})
export type AgentWriteInfo = z.infer<typeof agentWriteSchema>

/** `both`: recalls into requests and learns from them; `recall` and `record`: one of the two; `off`: passes requests on. */
export const PROXY_MODES = ['both', 'recall', 'record', 'off'] as const

/** How a client is served, as a person writes it. What is left out is as for everybody. */
export const clientTermsSchema = z.strictObject({
  /** Folder of a space. */
  space: z.string().min(1).optional(),
  mode: z.enum(PROXY_MODES).optional(),
  /** Most tokens of what is recalled. */
  budget: z.number().int().min(0).max(1_000_000).optional(),
  method: z.string().optional(),
  k: z.number().int().min(0).max(64).optional(),
  environment: z.string().min(1).max(80).optional(),
  judge: z.boolean().optional(),
})
export type GivenTerms = z.infer<typeof clientTermsSchema>

/** By the name that a client's key was given to. */
export const clientsFileSchema = z.record(z.string(), clientTermsSchema)

/** Where something is served on this machine, told once it listens. `key` goes into each request as `Authorization: Bearer KEY`. */
export const servedSchema = z.object({
  url: z.string(),
  key: z.string(),
  space: z.object({ id: z.string(), path: z.string() }),
})
export type Served = z.infer<typeof servedSchema>
