import { createHash } from 'node:crypto'
import type { Context } from 'hono'
import type { LanguageModel } from '../../core/ground/chat'
import type { ModelInfo } from '../../shared/domain/model'
import { heldSchema, warningsOf } from '../share/proxy/local-model'
import {
  hasImages,
  nameIn,
  OLLAMA_LEFT_OUT,
  ollamaChatRequest,
  ollamaChatSchema,
  ollamaChatWriter,
  ollamaEmbedSchema,
  ollamaForm,
  ollamaGenerateRequest,
  ollamaGenerateSchema,
  ollamaGenerateWriter,
  ollamaShow,
  ollamaShowSchema,
  ollamaTag,
} from '../share/proxy/ollama-local'
import { askedBy, bodyOf, type ProxyApp, type ProxyHttpDeps } from './local-routes'
import { answered } from './proxy-answer'

/** The version of Ollama whose protocol is spoken. */
const SPOKEN = '0.12.0'

/** Ollama's paths, answered by a model of Loam's. */
export function serveOllama(app: ProxyApp, deps: ProxyHttpDeps): void {
  app.post('/api/chat', async (context) => {
    const body = await bodyOf(context, ollamaChatSchema)
    const write = ollamaChatWriter(body.model)
    // Without messages it is only to be loaded.
    if (body.messages.length === 0) return answerLoad(context, deps, body.model, { message: EMPTY })
    return answered(context, deps.proxy, {
      asked: await askedBy(context, deps, body.model),
      request: ollamaChatRequest(body),
      ...{ protocol: 'ollama', framing: body.stream === false ? null : 'lines' },
      schema: ollamaForm(body),
      warnings: [...leftOut(body), ...(hasImages(body) ? ['parts left out: images'] : [])],
      whole: ({ result }) => write.whole(result),
      piece: (text) => [write.piece(text)],
      last: ({ result }) => write.last(result),
    })
  })
  app.post('/api/generate', async (context) => {
    const body = await bodyOf(context, ollamaGenerateSchema)
    const write = ollamaGenerateWriter(body.model)
    if (body.prompt === '') return answerLoad(context, deps, body.model, { response: '' })
    return answered(context, deps.proxy, {
      asked: await askedBy(context, deps, body.model),
      request: ollamaGenerateRequest(body),
      ...{ protocol: 'ollama', framing: body.stream === false ? null : 'lines' },
      schema: ollamaForm(body),
      warnings: leftOut(body),
      whole: ({ result }) => write.whole(result),
      piece: (text) => [write.piece(text)],
      last: ({ result }) => write.last(result),
    })
  })
  app.get('/api/version', (context) => context.json({ version: SPOKEN }))
  app.get('/api/tags', async (context) => {
    const infos = await deps.models()
    const own = await deps.modelNamed('loam')
    const tags = infos.map((info) => ollamaTag(info.name, info, digestOf(info.path)))
    return context.json({
      models: [ollamaTag('loam', infoOf(infos, own), digestOf(own.path)), ...tags],
    })
  })
  app.post('/api/show', async (context) => {
    const model = await deps.modelNamed(nameIn(await bodyOf(context, ollamaShowSchema)))
    return context.json(ollamaShow(model, infoOf(await deps.models(), model)))
  })
  for (const path of ['/api/embed', '/api/embeddings'])
    app.post(path, async (context) => {
      const body = await bodyOf(context, ollamaEmbedSchema)
      const embedder = await deps.embedder()
      const texts = [body.input ?? body.prompt ?? []].flat()
      const vectors = await embedder.embed(texts, { signal: context.req.raw.signal })
      const embeddings = vectors.map((vector) => [...vector])
      return context.json(
        path === '/api/embed' ? { model: embedder.id, embeddings } : { embedding: embeddings[0] ?? [] },
      )
    })
}

const EMPTY = { role: 'assistant', content: '' }
const digestOf = (path: string): string => createHash('sha256').update(path).digest('hex')
const infoOf = (infos: readonly ModelInfo[], { path }: LanguageModel): ModelInfo | null =>
  infos.find((info) => info.path === path) ?? null

function leftOut(body: Readonly<Record<string, unknown>>): string[] {
  const fields = OLLAMA_LEFT_OUT.filter((field) => {
    const value = body[field]
    return Array.isArray(value) ? value.length > 0 : Boolean(value)
  })
  const form = ollamaForm(body as { format?: null })
  return [
    ...(fields.length > 0 ? [`left out: ${fields.join(', ')}`] : []),
    ...warningsOf({}, heldSchema(form ?? {}).unheld),
  ]
}

async function answerLoad(
  context: Context,
  deps: ProxyHttpDeps,
  model: string,
  reply: object,
): Promise<Response> {
  await deps.modelNamed(model)
  const head = { model, created_at: new Date().toISOString() }
  return context.json({ ...head, ...reply, done: true, done_reason: 'load' })
}
