import type { HttpBindings } from '@hono/node-server'
import type { Context, Hono } from 'hono'
import { z } from 'zod'
import type { LanguageModel } from '../../core/ground/chat'
import type { Embedder } from '../../core/ground/ports'
import type { ModelInfo } from '../../shared/domain/model'
import type { MemoryProxy, ProxyReply } from '../share/proxy/memory-proxy'
import type { ReplyHead } from '../share/proxy/openai-chat'
import type { Asked, ClientTerms } from '../share/proxy/request'
import type { createGateway } from './gateway-http'
import { readJsonBody } from '../ground/json-body'
import type { KeyRing } from './program-keys'

/** What the proxy serves with. */
export interface ProxyHttpDeps {
  readonly proxy: MemoryProxy
  readonly keys: KeyRing
  /** How a client is served. */
  readonly termsOf: (client: string) => Promise<ClientTerms>
  /** What `/v1/models` lists; the first one is the default, also called `loam`. */
  readonly models: () => Promise<readonly ModelInfo[]>
  /** A model as a client calls it; default: nobody of a name. @throws LoamError `NOT_FOUND` for a model there is not */
  readonly modelNamed: (name: string, client?: string) => Promise<LanguageModel>
  readonly embedder: () => Promise<Embedder>
  /** Where requests are passed on to instead of being answered by a model of Loam's. Default: nowhere. */
  readonly gateway?: Gateway
}
export type Gateway = ReturnType<typeof createGateway>

export interface ProxyEnvironment {
  readonly Variables: { client: string; carrier: string }
  readonly Bindings: HttpBindings
}
export type ProxyApp = Hono<ProxyEnvironment>
export type ProxyContext = Context<ProxyEnvironment>

export const outcomeSchema = z.object({ outcome: z.enum(['success', 'failure']) })

/** The body of a request, checked. */
export const bodyOf = async <T>(context: ProxyContext, schema: z.ZodType<T>): Promise<T> =>
  schema.parse(await readJsonBody(await context.req.text()))

/** Takes in what a header says of an earlier attempt. */
export async function hearOutcome(context: ProxyContext, deps: ProxyHttpDeps): Promise<void> {
  const client = context.get('client')
  const message = context.req.header('x-loam-outcome')
  if (message !== undefined) {
    const { outcome } = outcomeSchema.parse({ outcome: message })
    await deps.proxy.outcome(client, context.req.header('x-loam-attempt') ?? null, outcome)
  }
}

/** Who asks, after what a header says of an earlier attempt. */
export async function askedBy(context: ProxyContext, deps: ProxyHttpDeps, model: string): Promise<Asked> {
  const client = context.get('client')
  await hearOutcome(context, deps)
  return { client, terms: await deps.termsOf(client), model: await deps.modelNamed(model, client) }
}

/** What names a reply on the wire. */
export const headOf = (prefix: string, model: string, reply: ProxyReply): ReplyHead => ({
  ...getBeginning(prefix, model, reply.attempt),
  id: `${prefix}-${reply.attempt}.${reply.round}`,
  loam: { attempt: reply.attempt, recalled: reply.log.recalled, recallMs: reply.log.recallMs },
})
export const getBeginning = (prefix: string, model: string, attempt: string) => ({
  id: `${prefix}-${attempt}`,
  model,
  created: Math.floor(Date.now() / 1000),
})
