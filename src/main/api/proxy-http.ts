import { Hono } from 'hono'
import type { ServerResponse } from 'node:http'
import { bodyLimit } from 'hono/body-limit'
import { LoamError } from '../../shared/errors'
import { serveAnthropic } from './local-anthropic'
import { serveGemini } from './local-gemini'
import { serveOllama } from './local-ollama'
import { serveOpenAi } from './local-openai'
import {
  bodyOf,
  hearOutcome,
  outcomeSchema,
  type Gateway,
  type ProxyApp,
  type ProxyHttpDeps,
} from './local-routes'
import { protocolAt, refusal } from './proxy-answer'
import type { SlowLimits } from './local-server'
import { createPlaces, MOST_AT_ONCE } from './rest-guard'
import { startRestServer, type RestServer } from './rest-server'
import { bearerOf } from './secrets'

const MAX_BODY = 32 * 1024 * 1024
const TOO_LARGE = new LoamError('BAD_INPUT', 'The request is larger than 32 MiB.', {
  suggestion: 'Send less at a time, or begin a new conversation.',
})
const NO_KEY = new LoamError('UNAUTHORIZED', 'The request has no valid key of Loam.', {
  suggestion:
    'Send the key that "loam proxy" printed, or one of "loam keys create", in the header x-loam-key or as the api key.',
})
const TOO_MANY = new LoamError('UNAUTHORIZED', `The program has ${MOST_AT_ONCE} requests at work.`, {
  suggestion: 'Wait until one is answered, and try again.',
  retryable: true,
})
/** Milliseconds for which the rest of a request that is too large is read. */
const DRAIN_MS = 10_000

/** Reads a request to its end and keeps nothing of it. */
const drain = (request: Request): Promise<void> =>
  (request.body ?? new ReadableStream())
    .pipeTo(new WritableStream(), { signal: AbortSignal.timeout(DRAIN_MS) })
    .catch(() => undefined)

/**
 * Serves the memory proxy on 127.0.0.1 in the protocols of OpenAI, Anthropic, Ollama and Gemini, with a key in every request, Host and Origin checked.
 * @throws LoamError `CONFLICT` when the port is taken
 */
export function startProxyHttp(deps: ProxyHttpDeps, port: number, limits?: SlowLimits): Promise<RestServer> {
  const app: ProxyApp = new Hono()
  const places = createPlaces(MOST_AT_ONCE)
  app.use(async (context, next) => {
    const carrier = carriersOf(context.req.raw).find(({ key }) => key !== undefined)
    const holder = await deps.keys.holder(carrier && `Bearer ${carrier.key ?? ''}`)
    if (!holder || !carrier) return refusal(NO_KEY, protocolAt(context.req.path), 401)
    if (!places.take(holder.name, context)) return refusal(TOO_MANY, protocolAt(context.req.path), 429)
    context.set('client', holder.name)
    context.set('carrier', carrier.name)
    return next()
  })
  app.use(
    bodyLimit({
      maxSize: MAX_BODY,
      onError: async ({ req }) => {
        // A client that is still writing would see a broken connection in the place of the answer.
        await drain(req.raw)
        return refusal(TOO_LARGE, protocolAt(req.path), 413)
      },
    }),
  )
  app.onError((error, { req }) => refusal(error, protocolAt(req.path)))
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
    serveOpenAi(app, deps)
    serveAnthropic(app, deps)
    serveOllama(app, deps)
    serveGemini(app, deps)
  }
  return startRestServer(app as unknown as Hono, port, limits)
}

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
