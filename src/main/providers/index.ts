import type { LanguageModel } from '../../core/ground/chat'
import type { Embedder } from '../../core/ground/ports'
import { moduleList } from '../../core/ground/module-list'
import { LoamError } from '../../shared/errors'
import type { ModelInfo } from '../../shared/domain/model'
import { llamaCpp } from './llama-cpp'
import { openAiCompatible } from './openai'
import { recorded } from './recorded'
import type { LoadChoice, ModelIdentity, ModelProvider, ProviderModule, ProviderWorld } from './provider'
import type { ModelServer, ModelServerReport } from '../../shared/domain/model-server'
import { readReference } from '../ground/model-reference'

/** Every provider of models, in the order they are shown. To add one: its folder, and its line here. */
export const PROVIDERS = moduleList<ProviderModule>([llamaCpp, openAiCompatible, recorded])

/** Providers whose models are named at a place, an address or a connection. */
export const servedProviders = (): ProviderModule[] =>
  PROVIDERS.filter(({ owns, replays }) => !owns(null) && !replays)

/** All providers of one host: a model is loaded, listed and identified by what it is called. */
export type Providers = ReturnType<typeof openProviders>

/** Opens them. */
export function openProviders(world: ProviderWorld) {
  const providerMap = new WeakMap<ProviderModule, ModelProvider>()
  // Modules from outside come and go, so each is opened at its first use.
  const open = (module: ProviderModule): ModelProvider => {
    const provider = providerMap.get(module) ?? module.open(world)
    providerMap.set(module, provider)
    return provider
  }
  const of = (model: string): ModelProvider => {
    const reference = readReference(model)
    const module = PROVIDERS.find((one) => one.owns(reference))
    if (module) return open(module)
    throw new LoamError('BAD_INPUT', `No provider of models is called "${reference?.provider ?? model}".`, {
      suggestion: `Write a file's path, or PROVIDER:NAME@PLACE with one of: ${PROVIDERS.map(({ id }) => id).join(', ')}.`,
    })
  }
  return {
    list: async (signal?: AbortSignal): Promise<ModelInfo[]> =>
      (await Promise.all(PROVIDERS.map((module) => open(module).list(signal)))).flat(),
    identify: async (model: string, signal?: AbortSignal): Promise<ModelIdentity> =>
      of(model).identify(model, signal),
    load: async (model: string, choice: LoadChoice = {}): Promise<LanguageModel> =>
      of(model).load(model, choice),
    /** A server's model as an encoder of texts. @throws LoamError `EMBEDDER_MISSING` where the provider has none; in words else */
    async embedder(model: string, signal?: AbortSignal): Promise<Embedder> {
      const provider = of(model)
      if (provider.embedder) return provider.embedder(model, signal)
      throw new LoamError('EMBEDDER_MISSING', `${model} cannot embed texts.`, {
        suggestion: 'Choose another embedding model.',
      })
    },
    /** Asks a server what it is and has, and greets one of its models when one is named. @throws LoamError, in words */
    async check(server: ModelServer, model?: string, signal?: AbortSignal): Promise<ModelServerReport> {
      const name = `${server.provider}:${model ?? '?'}@${server.name}`
      const provider = of(name)
      if (!provider.check) throw noPlace(server.provider)
      const report = await provider.check(server, signal)
      if (model === undefined) return report
      const loadedModel = await provider.load(name, { ...(signal && { signal }) })
      const { text, usage } = await loadedModel.generate({
        messages: [{ role: 'user', content: 'Say hello.' }],
        maxTokens: 16,
      })
      return { ...report, reply: { model, contextSize: loadedModel.contextSize, text, ms: usage.ms } }
    },
  }
}

const noPlace = (provider: string): LoamError =>
  new LoamError('BAD_INPUT', `${provider} has no servers to ask.`, {
    suggestion: 'Name a connection of a provider that has some.',
  })
