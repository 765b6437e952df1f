import { z } from 'zod'
import { formerly } from './former-names'
import { itemRefSchema } from './item'
import { MY_MEMORY } from './memory-info'
import { count, figure, instant, milliseconds } from './units'
import { BOUNDS, integerIn } from './bounds'
import { evidenceSchema } from './verdict'

/** What a program outside wrote, or wants to write, into a memory. */
export const proposalSchema = z.object({
  id: z.string(),
  at: instant,
  /** By which name the program is known. */
  client: z.string(),
  /** What it is, in words. */
  what: z.string(),
  /** `held`: waits for a person. `kept`: in the memory. `refused`: a person said no. `undone`: was in the memory, is in its trash. */
  state: z.enum(['held', 'kept', 'refused', 'undone']),
  /** Items it added. */
  adds: z.array(itemRefSchema),
  /** Items it put out of use. */
  ends: z.array(itemRefSchema).default([]),
  /** Of a lesson that the memory proxy drew without being told: where it comes from. */
  drawnFrom: z
    .object({
      /** The attempt it was drawn from. */
      attempt: z.string(),
      request: z.string(),
      /** What the person wrote next; null for nothing. */
      next: z.string().nullable(),
      evidence: z.array(evidenceSchema),
    })
    .optional(),
})

/** What an upstream of the proxy speaks: Chat and Responses, Chat alone, or Anthropic's Messages. */
export const UPSTREAM_DIALECTS = ['openai-responses', 'openai-chat', 'anthropic-messages'] as const
export type UpstreamDialect = (typeof UPSTREAM_DIALECTS)[number]

/** `both`: recalls into requests and learns from them; `recall` and `record`: one of the two; `off`: passes requests on. */
export const PROXY_MODES = ['both', 'recall', 'record', 'off'] as const

/** How a client is served, as a person writes it. What is left out is as for everybody. */
export const clientTermsSchema = z.strictObject({
  /** Folder of a memory. */
  memory: z.string().min(1).optional(),
  mode: z.enum(PROXY_MODES).optional(),
  /** Most tokens of what is recalled. */
  budget: integerIn(BOUNDS.recallTokens).optional(),
  method: z.string().optional(),
  k: integerIn(BOUNDS.k).optional(),
  environment: z.string().min(1).max(80).optional(),
  judge: z.boolean().optional(),
})
export type GivenTerms = z.infer<typeof clientTermsSchema>

/** By the name that a client's key was given to. */
export const clientsFileSchema = z.record(z.string(), formerly({ space: 'memory' }, clientTermsSchema))

/** A request that was served, and what of the memory was given with it. */
const servedRequestSchema = z.object({
  at: instant,
  client: z.string(),
  /** What was asked for, such as a model's reply or a search. */
  what: z.string(),
  recalled: z.array(
    z.object({
      kind: z.string(),
      title: z.string(),
      score: figure,
      /** Null where they were not counted. */
      tokens: figure,
    }),
  ),
  recallMs: milliseconds,
  /** Tokens that a model read and wrote; null where none was asked. */
  tokens: z.object({ read: count, written: count }).nullable(),
})
export type ServedRequest = z.infer<typeof servedRequestSchema>

/** Something that is served on this machine. */
export const servedNowSchema = z.object({
  id: z.string(),
  what: z.string(),
  since: z.string(),
  url: z.string(),
  key: z.string(),
  memory: z.object({ id: z.string(), path: z.string() }),
  /** The newest first, at most 50. */
  requests: z.array(servedRequestSchema),
})
export type ServedNowInfo = z.infer<typeof servedNowSchema>

/** What a key opens. */
export const keyBindingSchema = z.object({
  /** The one memory it opens, by id; null: every memory, and what was worked on in all of them, for reading alone. */
  memory: z.string().min(1).max(80).nullable().default(MY_MEMORY),
  /** The project whose part of the memory it opens, beside what all projects share; null: all of the memory. */
  project: z.string().trim().min(1).max(100).nullable().default(null),
})
export type KeyBinding = z.infer<typeof keyBindingSchema>

/** What a key opens, in words. `title` says what a memory is called. */
export const keyBindingWords = (
  { memory, project }: KeyBinding,
  title: (memoryId: string) => string = (id) => id,
): string => {
  const where =
    memory === null ? 'every memory, reading only' : memory === MY_MEMORY ? 'My memory' : title(memory)
  return project === null ? where : `${where}, project ${project}`
}

/** A key that a person gave a program, without the key. */
export const programKeySchema = keyBindingSchema.extend({
  name: z.string(),
  scopes: z.array(z.enum(['read', 'write'])),
  createdAt: instant,
})

/** Where something is served on this machine, told once it listens. `key` goes into each request as `Authorization: Bearer KEY`. */
export const servedSchema = z.object({
  url: z.string(),
  key: z.string(),
  memory: z.object({ id: z.string(), path: z.string() }),
})
export type Served = z.infer<typeof servedSchema>
