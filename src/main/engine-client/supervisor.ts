import type { CallOptions, Embedder } from '../../core/ground/ports'
import {
  BUILT_IN_ENCODER,
  type EngineState,
  type ModelFit,
  type ModelLoadOptions,
  modelLoadOptionsSchema,
} from '../../shared/domain/model'
import { LoamError } from '../../shared/errors'
import { abortable, throwIfAborted } from '../../core/ground/abort'
import { EngineClient } from './engine-client'
import { forkEngine, type SpawnEngine } from './engine-port'
import { LoadMarker } from './load-marker'
import type { EngineLanguageModel } from './engine-language-model'
import type { EngineGenerateRequest, LoadedModelInfo } from '../ground/engine-protocol'
import {
  goingFirst,
  handleOf,
  isSameLoad,
  isShareable,
  loadedModels,
  mayStay,
  noteOn,
  type HeldModel,
  type LoadOptions,
} from './held-model'
import { RestartPolicy } from '../ground/restart-policy'
import type { EngineSupervisorOptions } from './supervisor-options'
import { openEmbedder } from '../embedders/open-embedder'
import { encoderPath } from '../ground/model-file'
import { findResources } from '../ground/resources'

export type { EngineLanguageModel }

/**
 * Runs the engine in a process of its own and keeps it running: calls under way when it dies reject with `ENGINE_DIED`,
 * and it is started again with back-off, at most 3 times in 5 minutes. A model handle outlives a restart; its next call
 * loads the model again. Starts nothing before the first call.
 */
export class EngineSupervisor {
  readonly #spawn: SpawnEngine
  readonly #marker: LoadMarker
  readonly #restarts: RestartPolicy
  readonly #listeners = new Set<(state: EngineState) => void>()
  #client: EngineClient | null = null
  #starting: Promise<EngineClient> | null = null
  /** The newest last. */
  #held: readonly HeldModel[] = []
  #slots = 0
  #changes: Promise<unknown> = Promise.resolve()
  #loading = 0
  #generating = 0
  #waited = 0
  #disposed = false
  #stopWaiting: () => void = () => undefined
  #failure: LoamError | null = null
  #problem: string | null = null
  #memoryBytes: number | null = null
  #tokensPerSecond: number | null = null
  #embedder: string

  constructor(private readonly options: EngineSupervisorOptions = {}) {
    this.#spawn = options.spawn ?? forkEngine()
    this.#marker = new LoadMarker(options.markerFile ?? null)
    this.#restarts = options.restarts ?? new RestartPolicy()
    this.#embedder = options.embedderName ?? BUILT_IN_ENCODER
  }

  get state(): EngineState {
    const info = this.#held.at(-1)?.info ?? null
    return {
      status: this.#status(),
      model: info?.path ?? null,
      modelName: info?.name ?? null,
      contextSize: info?.contextSize ?? null,
      gpu: info?.gpu ?? null,
      gpuLayers: info?.gpuLayers ?? null,
      embedder: this.#embedder,
      tokensPerSecond: this.#tokensPerSecond,
      memoryBytes: this.#client ? this.#memoryBytes : null,
      restarts: this.#restarts.total,
      models: loadedModels(this.#held),
      problem: this.#problem,
      note: noteOn(info),
    }
  }

  /** Process id of the running engine, for diagnosis. */
  get pid(): number | undefined {
    return this.#client?.pid
  }

  /** Calls `listener` at every change of state; answers how to stop. */
  onState(listener: (state: EngineState) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** The model whose load took Loam down last time, if any: offer it, but don't load it unasked. */
  crashedModel(): Promise<string | null> {
    return this.#marker.crashedModel()
  }

  /**
   * Loads a model, or answers the loaded one when path and options are the same. Earlier ones are unloaded first, or stay beside it where
   * that is wanted and memory allows; what goes on with them ends its reply before. Rejects with `MODEL_*`, `ENGINE_DIED` or an AbortError; afterwards no model is loaded.
   */
  async loadModel(
    input: Partial<ModelLoadOptions> & Pick<ModelLoadOptions, 'path'>,
    options: LoadOptions = {},
  ): Promise<EngineLanguageModel> {
    const target = modelLoadOptionsSchema.parse(input)
    const loading = this.#change(async () => {
      throwIfAborted(options.signal)
      const model =
        this.#held.find((one) => isSameLoad(one.options, target)) ??
        (options.first === true ? this.#held.find((one) => isShareable(one, target)) : undefined)
      if (model) {
        if (!this.#isThere(model)) await this.#load(model.options, options, model)
        return model.model
      }
      this.#held = await this.#staying(target, options)
      this.#tokensPerSecond = null
      const loadedModel = await this.#load(target, options, null)
      return loadedModel.model
    })
    const model = await abortable(loading, options.signal)
    return options.first === true ? goingFirst(model, options) : model
  }

  /** The models that stay when another one comes. */
  async #staying(target: ModelLoadOptions, options: LoadOptions): Promise<readonly HeldModel[]> {
    const others = mayStay(this.#held, target, options)
    if (!others.some((one) => this.#isThere(one))) return others
    const { signal } = options
    return (await (await this.#start()).call({ kind: 'room', options: target }, { signal })) ? others : []
  }

  /** What a model would take, before it is loaded. Rejects with what reading the file fails with. */
  async fit(input: Partial<ModelLoadOptions> & Pick<ModelLoadOptions, 'path'>): Promise<ModelFit> {
    const options = modelLoadOptionsSchema.parse(input)
    return await (await this.#start()).call({ kind: 'fit', options })
  }

  /** Whether a model is still loaded, or would be again at its next call. */
  holds(model: EngineLanguageModel): boolean {
    return this.#held.some((one) => one.model === model)
  }

  /** Notes how many processes work with a model, for who looks at the state. */
  noteProcesses(model: EngineLanguageModel, processes: number): void {
    for (const one of this.#held) if (one.model === model) one.processes = processes
    this.#changed()
  }

  /** Has everything in this process hold, or go on, for what a person waits for in another one. */
  hold(isHeld: boolean): void {
    this.#client?.hold(isHeld)
  }

  /** Frees the model. Calls on its handle reject with `CONFLICT` from then on. */
  async unload(): Promise<void> {
    await this.#change(async () => {
      this.#held = []
      this.#tokensPerSecond = null
      if (this.#client?.alive) await this.#client.call({ kind: 'unload' })
      this.#changed()
    })
  }

  /**
   * An embedder by id: `loam-256` or `lexical-384` (computed right here, no engine), a known encoder's name, the path of a folder or a GGUF file,
   * or a server's model.
   * Throws `EMBEDDER_MISSING` when its files are not there.
   */
  async embedder(id: string): Promise<Embedder> {
    const embedder = await openEmbedder(id, {
      encoderFile: this.options.encoderFile ?? encoderPath(findResources().models),
      folders: this.options.modelFolders?.() ?? [],
      served:
        this.options.servedEmbedder ??
        (() =>
          Promise.reject(
            new LoamError('EMBEDDER_MISSING', 'No servers can be asked here.', {
              suggestion: 'Choose another embedding model.',
            }),
          )),
      embed: async (folder, texts, signal) =>
        await (await this.#start()).call({ kind: 'embed', folder, texts }, { signal }),
    })
    this.#embedder = embedder.id
    this.#changed()
    return embedder
  }

  /** Gives a failed engine another try. */
  async restart(): Promise<void> {
    this.#restarts.forgive()
    this.#failure = null
    this.#problem = null
    await this.#start()
  }

  /** Ends the engine process. No call succeeds afterwards. */
  async dispose(): Promise<void> {
    this.#disposed = true
    this.#held = []
    this.#stopWaiting()
    const client = this.#client
    this.#client = null
    await client?.close()
    // A load that was under way still has its marker to take away.
    await this.#changes
    this.#changed()
    this.#listeners.clear()
  }

  async #load(options: ModelLoadOptions, load: LoadOptions, model: HeldModel | null): Promise<HeldModel> {
    if (load.retryAfterCrash !== true) await this.#marker.check(options)
    this.#loading++
    this.#changed()
    try {
      const client = await this.#start()
      await this.#marker.write(options)
      const slot = model?.slot ?? this.#slots++
      const keep = this.#held.filter((one) => one !== model && this.#isThere(one)).map((one) => one.slot)
      let info: LoadedModelInfo
      try {
        info = await client.call(
          { kind: 'load', options, slot, keep },
          { ...(load.signal && { signal: load.signal }) },
        )
      } finally {
        // The engine lived through it, loaded or not, or was told to end. If it died, the marker stays as a warning.
        if (client.alive || this.#disposed) await this.#marker.remove()
      }
      this.#problem = null
      if (model) {
        model.client = client
        return model
      }
      const own = this.#handle(info, slot)
      const loadedModel: HeldModel = { slot, options, info, client, model: own, processes: 1 }
      this.#held = [...this.#held, loadedModel]
      return loadedModel
    } catch (error) {
      if (error instanceof LoamError) this.#problem = error.message
      throw error
    } finally {
      this.#loading--
      this.#changed()
    }
  }

  #isThere({ client }: HeldModel): boolean {
    return client === this.#client && client.alive
  }

  #handle(info: LoadedModelInfo, slot: number): EngineLanguageModel {
    const generate = async (
      request: EngineGenerateRequest,
      { signal, onToken, onHeld }: CallOptions = {},
    ) => {
      const client = await this.#clientFor(model, signal)
      this.#generating++
      if (request.first === true && ++this.#waited === 1) this.options.waitedFor?.(true)
      this.#changed()
      try {
        const { tokensPerSecond, ...result } = await client.call(
          { kind: 'generate', slot, request, stream: onToken !== undefined },
          { signal, onHeld, ...(onToken && { onText: onToken }) },
        )
        if (tokensPerSecond !== null) this.#tokensPerSecond = tokensPerSecond
        return result
      } finally {
        this.#generating--
        if (request.first === true && --this.#waited === 0) this.options.waitedFor?.(false)
        this.#changed()
      }
    }
    const model = handleOf(info, slot, generate, (own, signal) => this.#clientFor(own, signal))
    return model
  }

  /** The process that holds this handle's model, loading it again after a restart. */
  async #clientFor(model: EngineLanguageModel, signal?: AbortSignal): Promise<EngineClient> {
    throwIfAborted(signal)
    const ready = () => {
      const heldModel = this.#held.find((one) => one.model === model)
      if (!heldModel)
        throw new LoamError('CONFLICT', `${model.name} is no longer loaded.`, {
          suggestion: 'Load it again.',
        })
      return this.#isThere(heldModel) ? heldModel : null
    }
    const there = ready()
    if (there) return there.client
    const reloading = this.#change(async () => {
      throwIfAborted(signal)
      const again = ready()
      if (again) return again.client
      const heldModel = this.#held.find((one) => one.model === model) as HeldModel
      return (await this.#load(heldModel.options, { signal }, heldModel)).client
    })
    return await abortable(reloading, signal)
  }

  /** Loads and unloads happen one after another. */
  #change<T>(work: () => Promise<T>): Promise<T> {
    const next = this.#changes.then(work, work)
    this.#changes = next.catch(() => undefined)
    return next
  }

  async #start(): Promise<EngineClient> {
    if (this.#disposed) throw shutDown()
    if (this.#client?.alive && !this.#starting) return this.#client
    if (this.#failure) {
      if (!this.#restarts.allows) throw this.#failure
      this.#failure = null
    }
    return await (this.#starting ?? this.#begin(0))
  }

  #begin(waitMs: number): Promise<EngineClient> {
    const starting = this.#launch(waitMs).finally(() => {
      // A start that failed may already have been followed by the next one.
      if (this.#starting === starting) this.#starting = null
      this.#changed()
    })
    // Whoever waits for the start hears of its failure; nobody has to be waiting.
    starting.catch(() => undefined)
    this.#starting = starting
    this.#changed()
    return starting
  }

  async #launch(waitMs: number): Promise<EngineClient> {
    if (waitMs > 0)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, waitMs)
        this.#stopWaiting = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    if (this.#disposed) throw shutDown()
    const client = new EngineClient(this.#spawn(), {
      onEvent: (event) => {
        if (event.kind === 'log') {
          const { level, message, trails } = event
          this.options.log?.(level, message, { from: 'engine', pid: client.pid, trails })
        } else {
          this.#memoryBytes = event.bytes
          this.#changed()
        }
      },
      onDeath: (error, trails) => this.#died(client, error, trails),
    })
    this.#client = client
    await client.ready
    this.options.log?.('info', `Engine process ${client.pid} started.`)
    return client
  }

  #died(client: EngineClient, error: LoamError, trails: readonly string[]): void {
    if (this.#client !== client) return
    this.#client = null
    this.#memoryBytes = null
    if (this.#disposed) return
    this.#problem = error.message
    this.options.log?.('error', error.message, { trails })
    const wait = this.#restarts.next()
    if (wait === null) {
      this.#failure = new LoamError('ENGINE_DIED', `${error.why} It stopped too often to be started again.`, {
        suggestion: 'Wait a few minutes, use the CPU or a smaller model, then try again.',
      })
      this.#problem = this.#failure.message
      this.#changed()
    } else void this.#begin(wait)
  }

  #status(): EngineState['status'] {
    if (this.#disposed) return 'stopped'
    if (this.#failure) return 'failed'
    if (this.#starting) return 'starting'
    if (this.#loading > 0) return 'loading'
    if (!this.#client) return 'stopped'
    if (this.#generating > 0) return 'generating'
    return this.#held.some((one) => this.#isThere(one)) ? 'ready' : 'idle'
  }

  #changed(): void {
    const state = this.state
    for (const listener of this.#listeners) listener(state)
  }
}

const shutDown = () =>
  new LoamError('ENGINE_DIED', 'The engine was shut down.', { suggestion: 'Start Loam again.' })
