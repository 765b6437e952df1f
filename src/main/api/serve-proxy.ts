import { readReference } from '../ground/model-reference'
import { localModel } from '../share/proxy/local-model'
import { join } from 'node:path'
import type { LanguageModel } from '../../core/ground/chat'
import { suggestedMethod } from '../../core/methods'
import type { GivenTerms, Served, ServedRequest } from '../../shared/domain/sharing'
import { LoamError } from '../../shared/errors'
import type { App } from '../app'
import { promiseCache } from '../ground/promise-cache'
import { openTerms } from '../share/proxy/client-terms'
import { openClientVerdicts } from '../share/proxy/client-verdicts'
import { openAttemptFiles } from '../share/proxy/attempt-files'
import { upstreamDialectOf, type UpstreamDialect } from '../share/proxy/translate'
import type { Upstream } from '../share/proxy/upstream'
import { programModel } from '../asks/ask-defaults'
import { usesTools } from '../models/usual-model'
import { baseAddress } from '../providers/openai/address'
import { BOUNDS } from '../../shared/domain/bounds'
import { createGateway } from './gateway-http'
import { createMemoryProxy, type MemoryProxy } from '../share/proxy/memory-proxy'
import type { ProxiedRequest } from '../share/proxy/request'
import { createKeyRing, keyOpens, readKeys, type ProgramKey } from './program-keys'
import { startProxyHttp } from './proxy-http'
import { existingMemory, memoryFolders } from './serve-one-memory'
import { queuedModel } from './queued-model'

/** What a proxy is served with. `model` null: the most able one that fits, else the demo model. `clients`: terms by the names of keys, over `terms`. */
export interface ServeProxyInput {
  readonly memoryId: string
  readonly port: number
  readonly client: string | null
  readonly model: string | null
  /** Address or name of a server that requests are passed on to; null: Loam's model answers. */
  readonly upstream: string | null
  /** What that server speaks; null: as its address says, or whatever it is asked in. */
  readonly upstreamDialect: UpstreamDialect | null
  readonly contextSize: number | null
  readonly terms: GivenTerms
  readonly clients: Readonly<Record<string, GivenTerms>>
}

/** Milliseconds between two reports of how many requests there were. */
const TELL_EVERY_MS = 250

/**
 * Serves models with a memory in between for as long as it is iterated, telling how many requests there were so far.
 * @throws LoamError for a memory, model, method or templates that are not there, `CONFLICT` when the port is taken
 */
export async function* serveProxy(
  app: App,
  {
    memoryId,
    port,
    client,
    model,
    upstream: place,
    upstreamDialect,
    contextSize,
    terms,
    clients,
  }: ServeProxyInput,
  signal: AbortSignal | undefined,
): AsyncGenerator<Served & { readonly requests: number }, void, void> {
  const memory = await existingMemory(app, memoryId)
  const upstream = place === null ? null : await upstreamAt(app, place, upstreamDialect)
  const own = model ?? (upstream ? app.demoModel : await programModel(app))
  const models = namedModels(app, own, contextSize)
  const answering = (): Promise<LanguageModel> =>
    upstream && model === null
      ? Promise.resolve(uncountedModel(upstream.base.host))
      : models.modelNamed('loam')
  await answering()
  const openFolder = join(app.data.path, 'proxy-attempts', memory.id)
  const attemptFiles = openAttemptFiles(openFolder)
  const verdicts = await openClientVerdicts(join(openFolder, 'verdicts.json'))
  const proxy = createMemoryProxy({
    ...{ ...app, attemptFiles, verdicts },
    usesTools: (path) => usesTools(path, app, app.profiles),
  })
  const prompts = await app.prompts()
  const termsOf = promiseCache((name: string) =>
    openTerms(
      { ...terms, ...clients[name] },
      {
        open: (folder) => existingMemory(app, folder),
        memory: memory.path,
        defaultMethod: suggestedMethod('run').info.id,
        prompts,
      },
    ),
  )
  const name = client ?? 'proxy'
  await termsOf(name)
  const folder = memoryFolders(app)
  // The proxy shows the whole of a memory, so a key for a project opens none.
  const opens = (key: ProgramKey): boolean =>
    key.project === null && keyOpens(key, clients[key.name]?.memory ?? terms.memory ?? memory.path, folder)
  const keys = createKeyRing(name, () => readKeys(app.data.path), opens)
  await proxy.resume(async (name) => ({ client: name, terms: await termsOf(name), model: await answering() }))
  const gateway =
    upstream && createGateway({ proxy, upstream, termsOf, model: answering, logger: app.logger })
  const server = await startProxyHttp(
    { proxy, keys, termsOf, embedder: app.embedder, ...models, ...(gateway && { gateway }) },
    port,
  )
  const message = {
    url: `http://127.0.0.1:${server.port}/v1`,
    key: keys.key,
    memory: { id: memory.id, path: memory.path },
  }
  const close = async (): Promise<void> => {
    await server.close()
    await proxy.close()
  }
  const about = { what: 'Memory proxy', requests: () => proxy.requests().map(getView) }
  yield* app.serving.hold(about, { ...message, requests: 0 }, close, signal, async function* (endedSignal) {
    for await (const requests of getCount(proxy, endedSignal)) yield { ...message, requests }
  })
}

/** A server by its address, or by the name it has in Loam, with its key. @throws LoamError `BAD_INPUT`, `NOT_FOUND` */
async function upstreamAt(
  { servers }: App,
  place: string,
  choice: UpstreamDialect | null,
): Promise<Upstream> {
  const isAddress = /^https?:/i.test(place)
  const base = baseAddress(isAddress ? place : (await servers.get(place)).url)
  const key = isAddress ? null : await servers.keyOf(place)
  return { base, key, dialect: choice ?? upstreamDialectOf(base) }
}

/** Stands where only tokens are counted: of a server's they can but be estimated. */
const uncountedModel = (name: string): LanguageModel => ({
  ...{ name, path: name, contextSize: BOUNDS.contextSize[1] },
  countTokens: (texts) => Promise.resolve(texts.map((text) => Math.ceil(text.length / 4))),
  generate: () =>
    Promise.reject(
      new LoamError('BAD_INPUT', 'This method writes with a model, and the proxy was given none.', {
        suggestion: 'Name one with --model.',
      }),
    ),
})

/** A request as people see it. */
const getView = ({
  at,
  client,
  model,
  recalled,
  recallMs,
  promptTokens,
  completionTokens,
}: ProxiedRequest): ServedRequest => ({
  at,
  client,
  what: `a reply of ${model}`,
  recallMs,
  recalled: recalled.map(({ kind, title, score, tokens }) => ({ kind, title, score, tokens })),
  tokens: { read: promptTokens, written: completionTokens },
})

/** How many requests there were, whenever that has changed. */
async function* getCount(proxy: MemoryProxy, signal: AbortSignal): AsyncGenerator<number, void, void> {
  for (let noticeCount = 0; !signal.aborted;) {
    const count = proxy.count()
    if (count !== noticeCount) yield (noticeCount = count)
    await new Promise<void>((resolve) => {
      const timer = setTimeout(getOutcome, TELL_EVERY_MS)
      signal.addEventListener('abort', getOutcome, { once: true })
      function getOutcome(): void {
        clearTimeout(timer)
        signal.removeEventListener('abort', getOutcome)
        resolve()
      }
    })
  }
}

/** Models by what a request calls them; `loam` is the one the proxy was started with. */
function namedModels(app: App, ownModel: string, contextSize: number | null) {
  const open = promiseCache((path: string) => queuedModel(app, path, contextSize))
  const modelFor = async (path: string, client: string): Promise<LanguageModel> =>
    localModel((await open(path))(client), readReference(path) === null)
  const listed = async () => (await app.models.list()).filter(({ problem }) => problem === null)
  return {
    models: async () => (await listed()).filter(({ embedding }) => embedding === undefined),
    /** Any name is taken: one that Loam does not know stands for the proxy's own model. */
    async modelNamed(name: string, client = ''): Promise<LanguageModel> {
      if (name === 'loam' || name === ownModel) return modelFor(ownModel, client)
      const match = (await listed()).find((one) => one.name === name || one.path === name)
      return modelFor(match?.path ?? ownModel, client)
    },
  }
}
