import { createHash } from 'node:crypto'
import { abortable, abortError, throwIfAborted } from '../../../core/ground/abort'
import type { ModelAbilities } from '../../../core/ground/chat'
import { readSettings } from '../../../core/ground/settings'
import { LoamError } from '../../../shared/errors'
import type { ModelInfo } from '../../../shared/domain/model'
import type { ModelProvider, ProviderModule, ProviderWorld } from '../provider'
import { readReference } from '../../ground/model-reference'
import { baseAddress, below, isOnThisMachine, requireNetwork } from './address'
import { serverEmbedder } from './server-embedder'
import { serverModel } from './server-model'
import {
  listEmbeddingModels,
  listModels,
  sameModel,
  serverFacts,
  type FactsOrder,
  type ServerFacts,
  type ServerKind,
} from './server-facts'
import { OPENAI_SETTINGS } from './settings'

/** Lets at most `most` pieces of work run at a time; the others wait in order, and leave the line when they are aborted. */
function limitTo(most: number): <T>(work: () => Promise<T>, signal?: AbortSignal) => Promise<T> {
  let running = 0
  const waiters: (() => void)[] = []
  /** A place that becomes free goes to whoever waits longest. */
  const free = (): void => {
    const first = waiters.shift()
    if (first) first()
    else running -= 1
  }
  /** Resolves to false when it was aborted in line. */
  const place = async (signal?: AbortSignal): Promise<boolean> => {
    throwIfAborted(signal)
    if (running < most) {
      running += 1
      return true
    }
    return new Promise<boolean>((resolve) => {
      const go = (): void => {
        signal?.removeEventListener('abort', leave)
        resolve(true)
      }
      const leave = (): void => {
        waiters.splice(waiters.indexOf(go), 1)
        resolve(false)
      }
      waiters.push(go)
      signal?.addEventListener('abort', leave, { once: true })
    })
  }
  return async (work, signal) => {
    if (!(await place(signal))) throw abortError()
    try {
      throwIfAborted(signal)
      return await work()
    } finally {
      free()
    }
  }
}

const ID = 'openai'
/** Tokens a model is taken to read where nobody says. */
const USUAL_CONTEXT = 8192
/** How long what a server said of itself is taken to hold, in ms. */
const FACTS_HOLD_MS = 60_000
/** How long a server may take to list its models while others wait for the list, in ms. */
const LIST_WITHIN_MS = 3000

/** What programs are called. */
const PROGRAMS: Readonly<Record<ServerKind, string>> = {
  'llama-server': 'llama-server',
  vllm: 'vLLM',
  ollama: 'Ollama',
  'lm-studio': 'LM Studio',
  other: 'A server',
}

const CAN: ModelAbilities = { tools: true, constraint: 'grammar', thinking: true, softPrompts: false }

/** A server, found by what a model was chosen by. */
interface Place {
  readonly model: string
  readonly base: URL
  readonly key: string | null
}

/** Servers that speak OpenAI's protocol: llama-server, Ollama, LM Studio, vLLM, and hosted ones. */
export const openAiCompatible: ProviderModule = {
  id: ID,
  title: 'Model server',
  help: 'A server that speaks OpenAI’s protocol: Ollama, LM Studio, llama-server, vLLM, or a hosted one once the network is on.',
  settings: OPENAI_SETTINGS,
  can: CAN,
  owns: (reference) => reference?.provider === ID,
  open: openProvider,
}

function openProvider(world: ProviderWorld): ModelProvider {
  const placeOf = async (model: string): Promise<Place> => {
    const reference = readReference(model)
    if (reference === null) throw notOurs(model)
    const { name, place } = reference
    if (/^https?:/.test(place)) return { model: name, base: baseAddress(place), key: await keyFor(place) }
    const server = await world.servers.get(place)
    return { model: name, base: baseAddress(server.url), key: await world.servers.keyOf(place) }
  }
  /** A key given for this session, else that of a connection to the same address. */
  const keyFor = async (url: string): Promise<string | null> => {
    if (world.sessionKey !== null) return world.sessionKey
    const same = (await world.servers.list()).find(
      (server) => baseAddress(server.url).href === baseAddress(url).href,
    )
    return same ? world.servers.keyOf(same.name) : null
  }
  const limits = new Map<string, ReturnType<typeof limitTo>>()
  const limitOf = (base: URL, parallel: number): ReturnType<typeof limitTo> => {
    const at = `${parallel} ${base.href}`
    const limit = limits.get(at) ?? limitTo(parallel)
    limits.set(at, limit)
    return limit
  }
  const knownMap = new Map<string, { readonly facts: Promise<ServerFacts>; readonly until: number }>()
  /** Roles that take turns load their models again and again; the server is asked now and then. */
  const factsOf = ({ model, base, key }: Place, timeoutS: number): Promise<ServerFacts> => {
    const at = `${model} ${base.href} ${key ?? ''}`
    const holding = knownMap.get(at)
    if (holding && holding.until > performance.now()) return holding.facts
    const facts = serverFacts({ base, key, silenceMs: timeoutS * 1000 }, model)
    knownMap.set(at, { facts, until: performance.now() + FACTS_HOLD_MS })
    facts.catch(() => knownMap.delete(at))
    return facts
  }
  return {
    async list(signal) {
      const servers = (await world.servers.list()).filter(({ provider }) => provider === ID)
      const lists = servers.map(async ({ name, url }): Promise<ModelInfo[]> => {
        const base = baseAddress(url)
        if (!world.networkAllowed() && !isOnThisMachine(base)) return []
        const key = await world.servers.keyOf(name)
        const models = await writersOf({ base, key, signal, silenceMs: LIST_WITHIN_MS }).catch(() => [])
        return models.map((id) => asModelInfo(id, name, base))
      })
      return (await Promise.all(lists)).flat()
    },
    async check({ name, url }, signal) {
      const base = baseAddress(url)
      requireNetwork(base, world.networkAllowed())
      const { timeoutS } = readSettings(OPENAI_SETTINGS, world.settings())
      const key = await world.servers.keyOf(name)
      const { kind, models } = await serverFacts({ base, key, signal, silenceMs: timeoutS * 1000 }, '')
      if (models === null) {
        throw new LoamError('MODEL_SERVER', `${base.href} lists no models as OpenAI's protocol has it.`, {
          suggestion: 'Base addresses often end in /v1. A wrong key can be the reason too.',
        })
      }
      const embeddingModels = await embeddersOf({ base, key, signal, silenceMs: LIST_WITHIN_MS }, models)
      return { url: base.href, program: PROGRAMS[kind], models, ...(embeddingModels && { embeddingModels }) }
    },
    async identify(model) {
      const { model: name, base } = await placeOf(model)
      // There is no file to read: what is known of it is where it is and what it is called.
      const sha256 = createHash('sha256')
        .update(JSON.stringify([ID, base.href, name]))
        .digest('hex')
      return { sizeBytes: 0, sha256 }
    },
    async embedder(id, signal) {
      const { model, base, key } = await placeOf(id)
      const { timeoutS, parallel, retries } = readSettings(OPENAI_SETTINGS, world.settings())
      return serverEmbedder(
        {
          id,
          model,
          base,
          key,
          silenceMs: timeoutS * 1000,
          retries,
          inTurn: limitOf(base, parallel),
          requireNetwork: () => requireNetwork(base, world.networkAllowed()),
        },
        signal,
      )
    },
    async load(path, { contextSize, softPrompt, signal }) {
      const place = await placeOf(path)
      const { model, base, key } = place
      requireNetwork(base, world.networkAllowed())
      if (softPrompt) {
        throw new LoamError('SOFT_PROMPT', `${base.host} cannot be given a soft prompt.`, {
          suggestion: 'Soft prompts work with models on this machine.',
        })
      }
      const settings = readSettings(OPENAI_SETTINGS, world.settings())
      const facts = await abortable(factsOf(place, settings.timeoutS), signal)
      if (facts.models === null) await refuseBare(place, signal)
      if (
        facts.models !== null &&
        facts.models.length > 0 &&
        !facts.models.some((listed) => sameModel(listed, model))
      ) {
        throw new LoamError('NOT_FOUND', `${base.host} has no model "${model}".`, {
          suggestion: `It has: ${facts.models.slice(0, 12).join(', ')}.`,
        })
      }
      const most = settings.contextSize || facts.contextSize || USUAL_CONTEXT
      return serverModel({
        path,
        model,
        base,
        key,
        facts,
        settings,
        inTurn: limitOf(base, settings.parallel),
        contextSize: Math.min(contextSize ?? most, most),
      })
    },
  }
}

/** Which of its models compare texts and write none; null where nobody says so. Only programs on this machine are asked. */
const embeddersOf = async (order: FactsOrder, models: readonly string[]): Promise<readonly string[] | null> =>
  isOnThisMachine(order.base) && models.length > 0 ? listEmbeddingModels(order, models) : null

/** Its models that write; none where it lists none. */
async function writersOf(order: FactsOrder): Promise<readonly string[]> {
  const models = (await listModels(order))?.map(({ id }) => String(id)) ?? []
  const embeddingModels = await embeddersOf(order, models)
  return models.filter((id) => !embeddingModels?.includes(id))
}

/** Refuses an address below which nothing is, where its `/v1` has models. @throws LoamError `MODEL_SERVER` */
async function refuseBare({ base, key, model }: Place, signal: AbortSignal | undefined): Promise<void> {
  const full = new URL(below(base, 'v1'))
  const matches = await listModels({ base: full, key, signal, silenceMs: LIST_WITHIN_MS }).catch(() => null)
  if (matches === null) return
  throw new LoamError('MODEL_SERVER', `There are no models at ${base.href}, but at ${full.href}.`, {
    suggestion: `Write ${ID}:${model}@${full.href}, or give the connection that address.`,
  })
}

const asModelInfo = (model: string, server: string, base: URL): ModelInfo => ({
  path: `${ID}:${model}@${server}`,
  name: `${model} (${server})`,
  architecture: `served by ${base.host}`,
  sizeBytes: 0,
  trainContext: null,
  license: null,
  registryId: null,
  bundled: false,
  demo: false,
  problem: null,
})

const notOurs = (model: string): LoamError =>
  new LoamError('BAD_INPUT', `${model} names no model of a server.`, {
    suggestion: `Write ${ID}:NAME@ADDRESS or ${ID}:NAME@SERVER.`,
  })
