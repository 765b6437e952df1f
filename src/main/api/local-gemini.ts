import { LoamError } from '../../shared/errors'
import {
  countGeminiTokens,
  geminiContentsSchema,
  geminiForm,
  geminiModel,
  geminiRequest,
  geminiSchema,
  geminiText,
  geminiWarnings,
  geminiWriter,
} from '../share/proxy/gemini-local'
import { heldSchema, warningsOf } from '../share/proxy/local-model'
import { askedBy, bodyOf, type ProxyApp, type ProxyContext, type ProxyHttpDeps } from './local-routes'
import { answered } from './proxy-answer'

/** Gemini's paths, answered by a model of Loam's. */
export function serveGemini(app: ProxyApp, deps: ProxyHttpDeps): void {
  for (const version of ['/v1beta', '/v1alpha']) {
    app.get(`${version}/models`, async (context) => {
      const { contextSize } = await deps.modelNamed('loam')
      const others = (await deps.models()).map(({ name, trainContext }) => geminiModel(name, trainContext))
      return context.json({ models: [geminiModel('loam', contextSize), ...others] })
    })
    app.get(`${version}/models/:name`, async (context) => {
      const name = context.req.param('name')
      return context.json(geminiModel(name, (await deps.modelNamed(name)).contextSize))
    })
  }
  // Below `v1` lists of models are OpenAI's.
  for (const version of ['/v1beta', '/v1alpha', '/v1'])
    app.post(`${version}/models/:call`, (context) => {
      const call = context.req.param('call')
      const colon = call.lastIndexOf(':')
      const [name, method] = [call.slice(0, colon), call.slice(colon + 1)]
      switch (method) {
        case 'generateContent':
          return generate(context, deps, name, null)
        case 'streamGenerateContent':
          return generate(context, deps, name, context.req.query('alt') === 'sse' ? 'events' : 'list')
        case 'countTokens':
          return countTokens(context, deps, name)
        case 'embedContent':
        case 'batchEmbedContents':
          return embed(context, deps)
        default:
          throw new LoamError('NOT_FOUND', `A model has no method "${method}" here.`, {
            suggestion: 'docs/share.md says what is served.',
          })
      }
    })
}

async function generate(
  context: ProxyContext,
  deps: ProxyHttpDeps,
  name: string,
  framing: 'events' | 'list' | null,
): Promise<Response> {
  const body = await bodyOf(context, geminiSchema)
  const write = geminiWriter(name, crypto.randomUUID())
  const schema = geminiForm(body)
  return answered(context, deps.proxy, {
    asked: await askedBy(context, deps, name),
    request: geminiRequest(body),
    ...{ protocol: 'gemini', framing, schema },
    warnings: [...geminiWarnings(body), ...warningsOf({}, heldSchema(schema ?? {}).unheld)],
    whole: ({ result }) => write.whole(result),
    piece: (text) => [write.piece(text)],
    last: ({ result }) => write.last(result),
  })
}

async function countTokens(context: ProxyContext, deps: ProxyHttpDeps, name: string): Promise<Response> {
  const body = await bodyOf(context, geminiContentsSchema)
  const model = await deps.modelNamed(name, context.get('client'))
  return context.json({ totalTokens: await countGeminiTokens(body, model, context.req.raw.signal) })
}

async function embed(context: ProxyContext, deps: ProxyHttpDeps): Promise<Response> {
  const { content, requests } = await bodyOf(context, geminiContentsSchema)
  const embedder = await deps.embedder()
  const texts = requests ? requests.map((one) => geminiText(one.content)) : [geminiText(content)]
  const vectors = await embedder.embed(texts, { signal: context.req.raw.signal })
  const embeddings = vectors.map((vector) => ({ values: [...vector] }))
  return context.json(requests ? { embeddings } : { embedding: embeddings[0] })
}
