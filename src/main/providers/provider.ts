import type { LanguageModel, ModelAbilities } from '../../core/ground/chat'
import type { Embedder } from '../../core/ground/ports'
import type { SettingGroup } from '../../core/ground/settings'
import type { ModelInfo, ModelLoadOptions } from '../../shared/domain/model'
import type { ModelServer, ModelServerReport } from '../../shared/domain/model-server'
import type { SettingChanges } from '../../shared/domain/setting'
import type { PromptLane } from '../ground/engine-protocol'
import type { ModelServers } from './model-servers'
import type { ModelReference } from '../ground/model-reference'

/** How a model is wanted. What a provider has no use for it passes over. */
export interface LoadChoice {
  readonly contextSize?: number | null
  /** Dialogs worked on at a time. Default 1. */
  readonly sequences?: number
  /** Those never share a batch, so that every reply is as if each was alone; where no more processes pay they wait for each other. Default false. */
  readonly apart?: boolean
  readonly softPrompt?: ModelLoadOptions['softPrompt']
  /** Loaded beside the models that are there, where memory allows, instead of in their place. Default false. */
  readonly beside?: boolean
  /** A person waits: what is loaded of it is shared, and its replies go before others'. Default false. */
  readonly first?: boolean
  /** Whose prompts its requests keep apart from others' where a person waits. Default `ask`. */
  readonly lane?: PromptLane
  /** Loads even a model that took the engine down last time. Default false. */
  readonly retryAfterCrash?: boolean
  readonly signal?: AbortSignal
}

/** Tells a model from another of the same name: two runs with the same identity had the same model. */
export interface ModelIdentity {
  /** 0 where there is no file. */
  readonly sizeBytes: number
  readonly sha256: string
}

/** The part of the house a provider stands in. */
export interface ProviderWorld {
  /** Loads a GGUF in the engine, with the person's choices of GPU and threads. */
  loadInEngine(path: string, choice: LoadChoice): Promise<LanguageModel>
  /** GGUF files on this machine, wherever they are found. */
  foundModels(signal?: AbortSignal): Promise<readonly ModelInfo[]>
  hashFile(path: string, signal?: AbortSignal): Promise<ModelIdentity>
  readonly servers: ModelServers
  /** Settings that differ from their defaults, by provider. */
  settings(): SettingChanges
  networkAllowed(): boolean
  /** A key given for this session, for places that are no connection. */
  readonly sessionKey: string | null
}

/** A provider at work in one host. */
export interface ModelProvider {
  /** What can be chosen from it right now. Never rejects: what cannot be asked is listed with its problem, or left out. */
  list(signal?: AbortSignal): Promise<ModelInfo[]>
  /** @throws LoamError when the model is not there */
  identify(model: string, signal?: AbortSignal): Promise<ModelIdentity>
  /** @throws LoamError, in words, when the model cannot be had */
  load(model: string, choice: LoadChoice): Promise<LanguageModel>
  /** One of its models as an encoder of texts. Only where there are such models at places. @throws LoamError, in words */
  embedder?(model: string, signal?: AbortSignal): Promise<Embedder>
  /** Asks a server of this provider what it is and has. Only where models are named at places. @throws LoamError, in words */
  check?(server: ModelServer, signal?: AbortSignal): Promise<ModelServerReport>
}

/** A kind of place that models come from: a folder here and one line in `index.ts`. */
export interface ProviderModule {
  /** What stands before the colon of a reference. */
  readonly id: string
  readonly title: string
  /** One sentence: what it is good for. */
  readonly help: string
  readonly settings: SettingGroup
  /** At its best; a loaded model says what it can in fact. */
  readonly can: ModelAbilities
  /** Its models are recordings in files, which say again what was said once, whatever they are asked. Default no. */
  readonly replays?: boolean
  /** Whether a model is this provider's; `reference` is null for files. */
  owns(reference: ModelReference | null): boolean
  open(world: ProviderWorld): ModelProvider
}
