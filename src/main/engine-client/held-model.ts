import {
  layoutWords,
  type LoadedModel,
  type ModelLoadOptions,
  type PromptReuse,
} from '../../shared/domain/model'
import type { CallOptions, GenerateResult } from '../../core/ground/ports'
import type { EngineGenerateRequest, LoadedModelInfo, PromptLane } from '../ground/engine-protocol'
import type { EngineClient } from './engine-client'
import type { EngineLanguageModel } from './engine-language-model'

/** A model that the engine was told to hold. */
export interface HeldModel {
  /** What the engine calls it by. */
  readonly slot: number
  readonly options: ModelLoadOptions
  readonly info: LoadedModelInfo
  readonly model: EngineLanguageModel
  /** The process that holds it; after a restart it is loaded again at the next call. */
  client: EngineClient
  /** Processes that work with it side by side, this one among them. */
  processes: number
}

/** What is worth knowing about a loaded model that is no problem. */
export function noteOn(info: LoadedModelInfo | null): string | null {
  const notes = [info && layoutWords(info.layout), info?.gpuAbsence ?? null].filter((note) => note !== null)
  return notes.length === 0 ? null : notes.join(' ')
}

/** Whether both are computed by the same: llama.cpp is there once, for one kind of card or for the processor alone. */
export const isSamePlace = (a: ModelLoadOptions, b: ModelLoadOptions): boolean =>
  a.gpuLayers === 'cpu' || b.gpuLayers === 'cpu' ? a.gpuLayers === b.gpuLayers : a.gpuBackend === b.gpuBackend

/** Whether nothing would change by loading it so. */
export const isSameLoad = (a: ModelLoadOptions, b: ModelLoadOptions): boolean =>
  a.path === b.path &&
  isSamePlace(a, b) &&
  a.gpuLayers === b.gpuLayers &&
  a.flashAttention === b.flashAttention &&
  a.cacheType === b.cacheType &&
  a.contextSize === b.contextSize &&
  a.sequences === b.sequences &&
  a.threads === b.threads &&
  a.softPrompt?.adapter === b.softPrompt?.adapter &&
  a.softPrompt?.ids.join() === b.softPrompt?.ids.join()

/** Tokens that a model has to read at least to be shared with work that did not choose its context. */
const LEAST_SHARED = 4096

/** Whether work that chose no options of its own can be done with what was loaded for other work. */
export const isShareable = ({ options, info }: HeldModel, target: ModelLoadOptions): boolean =>
  options.path === target.path &&
  isSamePlace(options, target) &&
  options.flashAttention === target.flashAttention &&
  options.cacheType === target.cacheType &&
  (options.contextSize === null || info.contextSize >= LEAST_SHARED)

/** How a model is wanted to be loaded. */
export interface LoadOptions {
  readonly signal?: AbortSignal
  /** Loads even a model that took the engine down last time. Default false. */
  readonly retryAfterCrash?: boolean
  /** Held beside the models that are there, where memory allows, instead of in their place. Default false. */
  readonly beside?: boolean
  /**
   * A person waits: what is loaded of the file already is shared, whatever it was loaded with, else it is loaded beside where memory allows; and
   * its requests go before all others. Default false.
   */
  readonly first?: boolean
  /** Whose prompts its requests keep apart from others' where a person waits. Default `ask`. */
  readonly lane?: PromptLane
  /** How prompts that a person waits for are reused. Default `exact`. */
  readonly reuse?: PromptReuse
}

/** The models that stay beside another one where memory allows. */
export const mayStay = (
  models: readonly HeldModel[],
  target: ModelLoadOptions,
  { beside, first }: LoadOptions,
): readonly HeldModel[] => {
  const others = models.filter(({ options }) => isSamePlace(options, target))
  if (first === true) return others
  return beside === true ? others.filter(({ options: { path } }) => path !== target.path) : []
}

/** A model whose every reply a person waits for. */
export const goingFirst = (
  model: EngineLanguageModel,
  { lane = 'ask', reuse = 'exact' }: Pick<LoadOptions, 'lane' | 'reuse'> = {},
): EngineLanguageModel => ({
  ...model,
  generate: (request, options) => model.generate({ ...request, first: true, lane, reuse }, options),
})

/** A loaded model as others use it. `generate` writes a reply; `clientFor` answers the process that holds it. */
export function handleOf(
  info: LoadedModelInfo,
  slot: number,
  generate: (request: EngineGenerateRequest, options?: CallOptions) => Promise<GenerateResult>,
  clientFor: (model: EngineLanguageModel, signal?: AbortSignal) => Promise<EngineClient>,
): EngineLanguageModel {
  const model: EngineLanguageModel = {
    name: info.name,
    path: info.path,
    contextSize: info.contextSize,
    can: { ...info.templateCan, constraint: 'grammar', softPrompts: true, goesOn: true },
    ...(info.recommended && { recommended: info.recommended }),
    ...(!info.layout.own && { note: layoutWords(info.layout) ?? '' }),
    generate,
    generateRaw: (prompt, request, options) =>
      generate({ ...request, messages: [], rawPrompt: prompt }, options),
    countTokens: async (texts, { signal } = {}) =>
      await (await clientFor(model, signal)).call({ kind: 'count-tokens', slot, texts }, { signal }),
    tokenize: async (messages, reply, { signal } = {}) =>
      await (await clientFor(model, signal)).call({ kind: 'tokenize', slot, messages, reply }, { signal }),
    distributions: async (messages, reply, k, { signal } = {}) =>
      await (
        await clientFor(model, signal)
      ).call({ kind: 'distributions', slot, messages, reply, k }, { signal }),
  }
  return model
}

/** What the person is shown of them, the newest first. */
export const loadedModels = (models: readonly HeldModel[]): LoadedModel[] =>
  models
    .map(({ processes, info: { path, name, contextSize, gpu, gpuLayers, cards, threads, speed } }) => ({
      ...{ path, name, contextSize, gpu, gpuLayers, threads, processes },
      ...(cards && { cards }),
      ...(speed && { speed }),
    }))
    .reverse()
