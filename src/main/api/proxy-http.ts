import { Hono, type Context } from 'hono'
import type { ServerResponse } from 'node:http'
import type { HttpBindings } from '@hono/node-server'
import { bodyLimit } from 'hono/body-limit'
import { z } from 'zod'
import type { ChatMessage, GenerateRequest, LanguageModel } from '../../core/ground/chat'
import type { Embedder } from '../../core/ground/ports'
import { LoamError } from '../../shared/errors'
import type { MemoryProxy, ProxyReply } from '../share/proxy/memory-proxy'
import type { Asked, ClientTerms } from '../share/proxy/request'
import {
  chatChunk,
  chatEnd,
  chatReply,
  chatRequest,
  chatSchema,
  samplingOf,
  samplingShape,
  schemaOf,
  wireUsage,
  type ReplyHead,
} from '../share/proxy/openai-chat'
import {
  ResponseEvents,
  formOf,
  responseReply,
  responsesMessages,
  responsesRequest,
  responsesSchema,
} from '../share/proxy/openai-responses'
import { answered, refusal } from './proxy-answer'
import type { createGateway } from './gateway-http'
import type { KeyRing } from './program-keys'
import {
  AnthropicEvents,
  anthropicReply,
  anthropicRequest,
  anthropicSchema,
} from '../share/proxy/anthropic-local'
import { heldSchema, warningsOf } from '../share/proxy/local-model'
import { bearerOf } from './secrets'
import { startRestServer, type RestServer } from './rest-server'

/** What the proxy serves with. */
export interface ProxyHttpDeps {
  readonly proxy: MemoryProxy
  readonly keys: KeyRing
  /** How a client is served. */
  readonly termsOf: (client: string) => Promise<ClientTerms>
  /** What `/v1/models` lists; the first one is the default, also called `loam`. */
  readonly models: () => Promise<readonly string[]>
  /** @throws LoamError `NOT_FOUND` for a model there is not */
  readonly modelNamed: (name: string) => Promise<LanguageModel>
  readonly embedder: () => Promise<Embedder>
  /** Where requests are passed on to instead of being answered by a model of Loam's. Default: nowhere. */
  readonly gateway?: Gateway
}
export type Gateway = ReturnType<typeof createGateway>

const MAX_BODY = 32 * 1024 * 1024
/** Responses that a later one can go on from. */
const MOST_RESPONSES = 500

const completionSchema = z.object({
  model: z.string(),
  prompt: z.union([z.string(), z.array(z.string()).length(1)]),
  max_tokens: z.number().int().min(1).nullish(),
  stop: z.union([z.string(), z.array(z.string()).max(8)]).nullish(),
  ...samplingShape,
})
const embeddingsSchema = z.object({
  model: z.string(),
  input: z.union([z.string(), z.array(z.string()).min(1).max(2048)]),
  encoding_format: z.enum(['float', 'base64']).nullish(),
})
const outcomeSchema = z.object({ outcome: z.enum(['success', 'failure']) })

/**
 * Serves the memory proxy on 127.0.0.1 in OpenAI's protocol, with a key in every request, Host and Origin checked.
 * @throws LoamError `CONFLICT` when the port is taken
 */
export function startProxyHttp(deps: ProxyHttpDeps, port: number): Promise<RestServer> {
  const app: ProxyApp = new Hono()
  app.use(
    bodyLimit({
      maxSize: MAX_BODY,
      onError: () =>
        refusal(
          new LoamError('BAD_INPUT', 'The request is too large.', { suggestion: 'Send less at a time.' }),
        ),
    }),
  )
  app.use(async (context, next) => {
    const carrier = carriersOf(context.req.raw).find(({ key }) => key !== undefined)
    const holder = await deps.keys.holder(carrier && `Bearer ${carrier.key ?? ''}`)
    if (!holder || !carrier)
      return Response.json(
        {
          error: {
            message: 'The request has no valid key of Loam.',
            type: 'invalid_request_error',
            param: null,
            code: 'invalid_api_key',
          },
        },
        { status: 401 },
      )
    context.set('client', holder.name)
    context.set('carrier', carrier.name)
    return next()
  })
  app.onError((error) => refusal(error))
  app.notFound((context) =>
    refusal(
      new LoamError('NOT_FOUND', `There is nothing at ${context.req.path}.`, {
        suggestion: 'Ask below /v1.',
      }),
    ),
  )
  serveLoam(app, deps)
  if (deps.gateway) servePassage(app, deps, deps.gateway)
  else {
    serveReplies(app, deps)
    serveResponses(app, deps)
    serveMessages(app, deps)
    serveOthers(app, deps)
  }
  return startRestServer(app as unknown as Hono, port)
}

interface ProxyEnvironment {
  readonly Variables: { client: string; carrier: string }
  readonly Bindings: HttpBindings
}
type ProxyApp = Hono<ProxyEnvironment>
type ProxyContext = Context<ProxyEnvironment>

/** Where a request can carry Loam's key: in a header of its own, so that the others go on to the upstream, or where clients put their api key. */
function carriersOf(request: Request): { readonly name: string; readonly key: string | undefined }[] {
  const of = (name: string): string | undefined => request.headers.get(name) ?? undefined
  return [
    { name: OWN_KEY, key: of(OWN_KEY) },
    { name: 'authorization', key: bearerOf(of('authorization')) },
    { name: 'x-api-key', key: of('x-api-key') },
    { name: 'x-goog-api-key', key: of('x-goog-api-key') },
  ]
}
const OWN_KEY = 'x-loam-key'
const CREDENTIALS = ['authorization', 'x-api-key', 'x-goog-api-key', 'api-key']

/** Passes every request on that is not about Loam itself. */
function servePassage(app: ProxyApp, deps: ProxyHttpDeps, gateway: Gateway): void {
  app.all('*', async (context) => {
    const client = context.get('client')
    await hearOutcome(context, deps)
    const { incoming, outgoing } = context.env
    const path = incoming.url ?? '/'
    const carrier = context.get('carrier')
    return gateway.pass({
      ...{ client, incoming, path },
      outgoing: outgoing as ServerResponse,
      body: new Uint8Array(await context.req.arrayBuffer()),
      ownHeaders: new RegExp(`^${carrier}$`, 'i'),
      hasOwnKey:
        carrier === OWN_KEY &&
        (CREDENTIALS.some((name) => incoming.headers[name] !== undefined) || /[?&]key=/.test(path)),
    })
  })
}

const bodyOf = async <T>(context: ProxyContext, schema: z.ZodType<T>): Promise<T> =>
  schema.parse(await context.req.json().catch(() => null))

/** Takes in what a header says of an earlier attempt. */
async function hearOutcome(context: ProxyContext, deps: ProxyHttpDeps): Promise<void> {
  const client = context.get('client')
  const message = context.req.header('x-loam-outcome')
  if (message !== undefined) {
    const { outcome } = outcomeSchema.parse({ outcome: message })
    await deps.proxy.outcome(client, context.req.header('x-loam-attempt') ?? null, outcome)
  }
}

/** Who asks, after what a header says of an earlier attempt. */
async function askedBy(context: ProxyContext, deps: ProxyHttpDeps, model: string): Promise<Asked> {
  const client = context.get('client')
  await hearOutcome(context, deps)
  return { client, terms: await deps.termsOf(client), model: await deps.modelNamed(model) }
}

const headOf = (prefix: string, model: string, reply: ProxyReply): ReplyHead => ({
  ...getBeginning(prefix, model, reply.attempt),
  id: `${prefix}-${reply.attempt}.${reply.round}`,
  loam: { attempt: reply.attempt, recalled: reply.log.recalled, recallMs: reply.log.recallMs },
})
const getBeginning = (prefix: string, model: string, attempt: string) => ({
  id: `${prefix}-${attempt}`,
  model,
  created: Math.floor(Date.now() / 1000),
})

function serveReplies(app: ProxyApp, deps: ProxyHttpDeps): void {
  app.post('/v1/chat/completions', async (context) => {
    const body = await bodyOf(context, chatSchema)
    const prefix = 'chatcmpl'
    return answered(context, deps.proxy, {
      asked: await askedBy(context, deps, body.model),
      request: chatRequest(body),
      stream: body.stream === true,
      schema: schemaOf(body.response_format),
      warnings: warningsOf(body, heldSchema(schemaOf(body.response_format) ?? {}).unheld),
      whole: (reply) => chatReply(headOf(prefix, body.model, reply), reply.result),
      first: (attempt) => [
        chatChunk(getBeginning(prefix, body.model, attempt), { role: 'assistant', content: '' }),
      ],
      piece: (text, attempt) => [chatChunk(getBeginning(prefix, body.model, attempt), { content: text })],
      last: (reply) =>
        chatEnd(
          { ...headOf(prefix, body.model, reply), ...getBeginning(prefix, body.model, reply.attempt) },
          reply.result,
          body.stream_options?.include_usage === true,
        ),
    })
  })
  app.post('/v1/completions', async (context) => {
    const body = await bodyOf(context, completionSchema)
    const text = [body.prompt].flat()[0] ?? ''
    const object = 'text_completion'
    const choice = (message: string, finish: string | null) => [
      { index: 0, text: message, logprobs: null, finish_reason: finish },
    ]
    const finishOf = ({ result }: ProxyReply): string => (result.finish === 'max-tokens' ? 'length' : 'stop')
    const request: GenerateRequest = {
      messages: [{ role: 'user', content: text }],
      stop: [body.stop ?? []].flat(),
      ...samplingOf(body),
      ...(typeof body.max_tokens === 'number' && { maxTokens: body.max_tokens }),
    }
    return answered(context, deps.proxy, {
      asked: await askedBy(context, deps, body.model),
      request,
      stream: body.stream === true,
      whole: (reply) => ({
        ...headOf('cmpl', body.model, reply),
        object,
        choices: choice(reply.result.text, finishOf(reply)),
        usage: wireUsage(reply.result),
      }),
      first: () => [],
      piece: (message, attempt) => [
        { ...getBeginning('cmpl', body.model, attempt), object, choices: choice(message, null) },
      ],
      last: (reply) => [
        {
          ...headOf('cmpl', body.model, reply),
          object,
          choices: choice('', finishOf(reply)),
          usage: wireUsage(reply.result),
        },
      ],
    })
  })
}

function serveResponses(app: ProxyApp, deps: ProxyHttpDeps): void {
  const dialogs = new Map<string, { readonly client: string; readonly messages: readonly ChatMessage[] }>()
  app.post('/v1/responses', async (context) => {
    const body = await bodyOf(context, responsesSchema)
    const client = context.get('client')
    const earlier = body.previous_response_id
    const before = earlier ? dialogs.get(earlier) : undefined
    if (earlier && before?.client !== client)
      throw new LoamError('NOT_FOUND', `There is no response ${earlier} any more.`, {
        suggestion: 'Send the whole dialog.',
      })
    const messages = responsesMessages(body, before?.messages ?? [])
    const keep = ({ id }: ReplyHead, { result }: ProxyReply): void => {
      const reply: ChatMessage = {
        role: 'assistant',
        content: result.text,
        ...(result.toolCalls && { toolCalls: result.toolCalls }),
      }
      dialogs.set(id, { client, messages: [...messages, reply] })
      const [oldest] = dialogs.keys()
      if (dialogs.size > MOST_RESPONSES && oldest !== undefined) dialogs.delete(oldest)
    }
    // The id of a streamed response is told before its first token, so it cannot follow from the reply.
    const id = `resp-${crypto.randomUUID()}`
    const created = Math.floor(Date.now() / 1000)
    const events = new ResponseEvents({ id, model: body.model, created }, body)
    const headFor = (reply: ProxyReply): ReplyHead => {
      const head = { ...headOf('resp', body.model, reply), id, created }
      keep(head, reply)
      return head
    }
    return answered(context, deps.proxy, {
      asked: await askedBy(context, deps, body.model),
      request: responsesRequest(body, messages),
      stream: body.stream === true,
      named: true,
      schema: schemaOf(formOf(body)),
      warnings: warningsOf(body, heldSchema(schemaOf(formOf(body)) ?? {}).unheld),
      whole: (reply) => responseReply(headFor(reply), body, reply.result),
      first: () => events.begin(),
      piece: (text) => events.text(text),
      last: (reply) => events.end(headFor(reply), reply.result),
    })
  })
}

function serveMessages(app: ProxyApp, deps: ProxyHttpDeps): void {
  app.post('/v1/messages', async (context) => {
    const body = await bodyOf(context, anthropicSchema)
    const id = `msg_${crypto.randomUUID()}`
    const events = new AnthropicEvents(id, body.model)
    return answered(context, deps.proxy, {
      asked: await askedBy(context, deps, body.model),
      request: anthropicRequest(body),
      stream: body.stream === true,
      named: true,
      warnings: warningsOf(body, []),
      whole: ({ result }) => anthropicReply(id, body.model, result),
      first: () => events.begin(),
      piece: (text) => events.text(text),
      last: ({ result }) => events.end(result),
    })
  })
  app.post('/v1/messages/count_tokens', async (context) => {
    const body = await bodyOf(context, anthropicSchema)
    const model = await deps.modelNamed(body.model)
    const { messages, tools = [] } = anthropicRequest(body)
    const texts = [...messages.map(({ content }) => content), ...tools.map((tool) => JSON.stringify(tool))]
    const counts = await model.countTokens(texts, { signal: context.req.raw.signal })
    return context.json({ input_tokens: counts.reduce((sum, count) => sum + count, 0) })
  })
}

function serveOthers(app: ProxyApp, deps: ProxyHttpDeps): void {
  const modelOf = (id: string) => ({ id, object: 'model', created: 0, owned_by: 'loam' })
  app.get('/v1/models', async (context) => {
    // Of the others it is only known once they are loaded.
    const { contextSize } = await deps.modelNamed('loam')
    const own = { ...modelOf('loam'), context_length: contextSize }
    return context.json({ object: 'list', data: [own, ...(await deps.models()).map(modelOf)] })
  })
  app.post('/v1/embeddings', async (context) => {
    const body = await bodyOf(context, embeddingsSchema)
    const texts = [body.input].flat()
    const embedder = await deps.embedder()
    const vectors = await embedder.embed(texts, { signal: context.req.raw.signal })
    const data = vectors.map((vector, index) => ({
      object: 'embedding',
      index,
      embedding:
        body.encoding_format === 'base64'
          ? Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64')
          : [...vector],
    }))
    return context.json({
      object: 'list',
      model: embedder.id,
      data,
      usage: { prompt_tokens: 0, total_tokens: 0 },
    })
  })
}

function serveLoam(app: ProxyApp, deps: ProxyHttpDeps): void {
  app.post('/v1/loam/attempts/:id/outcome', async (context) => {
    const { outcome } = await bodyOf(context, outcomeSchema)
    const id = context.req
      .param('id')
      .replace(/^(?:chatcmpl|cmpl)-/, '')
      .replace(/\.\d+$/, '')
    return context.json(await deps.proxy.outcome(context.get('client'), id, outcome))
  })
  app.get('/v1/loam/requests', (context) =>
    context.json({
      requests: deps.proxy.requests().filter(({ client }) => client === context.get('client')),
    }),
  )
}
