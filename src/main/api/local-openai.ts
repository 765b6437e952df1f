import { z } from 'zod'
import type { ChatMessage, GenerateRequest } from '../../core/ground/chat'
import { LoamError } from '../../shared/errors'
import { heldSchema, warningsOf } from '../share/proxy/local-model'
import type { ProxyReply } from '../share/proxy/memory-proxy'
import {
  chatCalls,
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
import { askedBy, bodyOf, getBeginning, headOf, type ProxyApp, type ProxyHttpDeps } from './local-routes'
import { answered } from './proxy-answer'

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
/** OpenAI's paths, answered by a model of Loam's. */
export function serveOpenAi(app: ProxyApp, deps: ProxyHttpDeps): void {
  serveReplies(app, deps)
  serveResponses(app, deps)
  serveOthers(app, deps)
}

function serveReplies(app: ProxyApp, deps: ProxyHttpDeps): void {
  app.post('/v1/chat/completions', async (context) => {
    const body = await bodyOf(context, chatSchema)
    const prefix = 'chatcmpl'
    const callDelta = chatCalls()
    return answered(context, deps.proxy, {
      asked: await askedBy(context, deps, body.model),
      request: chatRequest(body),
      ...{ protocol: 'chat', framing: body.stream === true ? 'marked' : null },
      schema: schemaOf(body.response_format),
      warnings: warningsOf(body, heldSchema(schemaOf(body.response_format) ?? {}).unheld),
      whole: (reply) => chatReply(headOf(prefix, body.model, reply), reply.result),
      first: (attempt) => [
        chatChunk(getBeginning(prefix, body.model, attempt), { role: 'assistant', content: '' }),
      ],
      piece: (text, attempt) => [chatChunk(getBeginning(prefix, body.model, attempt), { content: text })],
      call: (piece, attempt) => [chatChunk(getBeginning(prefix, body.model, attempt), callDelta(piece))],
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
      ...{ protocol: 'chat', framing: body.stream === true ? 'marked' : null },
      whole: (reply) => ({
        ...headOf('cmpl', body.model, reply),
        object,
        choices: choice(reply.result.text, finishOf(reply)),
        usage: wireUsage(reply.result),
      }),
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
      ...{ protocol: 'responses', framing: body.stream === true ? 'named' : null },
      schema: schemaOf(formOf(body)),
      warnings: warningsOf(body, heldSchema(schemaOf(formOf(body)) ?? {}).unheld),
      whole: (reply) => responseReply(headFor(reply), body, reply.result),
      first: () => events.begin(),
      piece: (text) => events.text(text),
      call: (piece) => events.call(piece),
      pulse: () => events.pulse(),
      last: (reply) => events.end(headFor(reply), reply.result),
    })
  })
}

function serveOthers(app: ProxyApp, deps: ProxyHttpDeps): void {
  const modelOf = (id: string) => ({ id, object: 'model', created: 0, owned_by: 'loam' })
  app.get('/v1/models', async (context) => {
    // Of the others it is only known once they are loaded.
    const { contextSize, path } = await deps.modelNamed('loam')
    const models = await deps.models()
    const speed = models.find((one) => one.path === path)?.speed
    // As it was measured when it was loaded, so that it can be told beforehand how long a program's instructions take.
    const { reading = null, writing, busy } = speed ?? {}
    const own = {
      ...{ ...modelOf('loam'), context_length: contextSize },
      ...(speed && { tokens_per_second: { reading, writing, busy } }),
    }
    return context.json({ object: 'list', data: [own, ...models.map(({ name }) => modelOf(name))] })
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
