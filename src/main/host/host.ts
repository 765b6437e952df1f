import type { Tells } from '../../core/memory/facts/telling'
import { tellsBy } from '../embedders/built-in-encoder'
import { listEmbedders } from '../embedders/open-embedder'
import { thisMachine, type StoreWorld } from '../model-files/stores/store'
import { readReference, modelFrom } from '../ground/model-reference'
import { join } from 'node:path'
import type { Clock, Embedder, LanguageModel } from '../../core/ground/ports'
import type {
  EmbedderInfo,
  EngineState,
  GpuBackend,
  GpuLayers,
  ModelFit,
  ModelInfo,
} from '../../shared/domain/model'
import type { Settings } from '../../shared/domain/memory-info'
import type { SpawnEngine } from '../engine-client/engine-port'
import { openEnginePool, type EnginePool } from '../engine-client/engine-pool'
import { measuredLoading } from '../engine-client/measured-loading'
import { EngineSupervisor } from '../engine-client/supervisor'
import type { EngineSupervisorOptions } from '../engine-client/supervisor-options'
import { closeAll } from '../ground/close-all'
import { nameFetchedLibraries } from '../adapters/ggml/fetched-libraries'
import { openCredentials, type Credentials } from '../ground/credentials'
import { Feed } from '../ground/feed'
import { createFileHasher, type FileHasher } from '../ground/file-hash'
import { openJobHistory } from '../ground/job-history'
import { JobRegistry } from '../ground/jobs'
import { openLogger, type Logger } from '../ground/logger'
import { broughtFolders } from '../ground/module-folders'
import { demoModelPath, encoderPath, tellingPath } from '../ground/model-file'
import type { PowerState } from '../ground/power'
import { loadPrompts, type LoadedPrompts } from '../ground/prompts'
import { findResources, type Resources } from '../ground/resources'
import { openProviders, type Providers } from '../providers'
import { openModelServers, type ModelServers } from '../providers/model-servers'
import type { LoadChoice } from '../providers/provider'
import { openDataFolder, type DataFolder } from './data-folder'
import { existsSync } from 'node:fs'
import { createModelSearch, pathOfNamed, searchPlaces, type FoundModels } from '../model-files/find-models'
import {
  mayHaveCard,
  openMachine,
  thisBareMachine,
  type BareMachine,
  type GraphicsCard,
  type MachineFacts,
} from '../model-files/machine'
import { cardEnvironment } from './card-environment'
import type { NoUpdates, UpdateSource } from './updates'
import { loadRegistry } from '../model-files/registry'
import { hubCaches } from '../model-files/stores/hugging-face'

/** Finds what lies on this machine for one host. */
interface ModelFinder {
  /** Where embedding models are looked for: bundled, data folder, the person's own, the hub's cache. */
  modelFolders(): string[]
  /** GGUF models on this machine and where was looked for them. Rejects only when `signal` fires. */
  foundModels(signal?: AbortSignal): Promise<FoundModels>
  /** What a person calls a model, a path, a reference or a short name, as what it is known by. @throws LoamError `BAD_INPUT` where several are called so */
  modelNamed(text: string): Promise<string>
}

/** Makes it. */
function createModelFinder(of: {
  readonly bundledFolder: string
  readonly ownFolder: string
  readonly world: StoreWorld
  /** Where headers of models are kept. */
  readonly headersFile: string
  readonly settings: () => Settings
  readonly prompts: () => Promise<Pick<LoadedPrompts, 'sha256'>>
}): ModelFinder {
  const { bundledFolder, ownFolder, world, settings, prompts } = of
  const search = createModelSearch(of.headersFile)
  const foundModels: ModelFinder['foundModels'] = async (signal) =>
    search.find(
      searchPlaces(settings(), { bundledFolder, ownFolder, world }),
      {
        registry: await loadRegistry(join(bundledFolder, 'registry.json')),
        bundledFolder,
        promptSha256: (await prompts()).sha256,
      },
      signal,
    )
  return {
    foundModels,
    modelFolders: () => [
      ...[bundledFolder, ownFolder, ...settings().modelFolders],
      ...(settings().findModels ? hubCaches(world) : []),
    ],
    async modelNamed(text) {
      const inputText = modelFrom(text)
      if (inputText === text || existsSync(inputText)) return inputText
      return pathOfNamed(text, (await foundModels()).models) ?? inputText
    },
  }
}

export interface HostOptions {
  /** The data folder; made when it does not exist. */
  readonly dataPath: string
  readonly host: 'electron' | 'headless' | 'terminal' | 'memory'
  /** How engine processes are started. Default: Node child processes. */
  readonly spawnEngine?: SpawnEngine
  /** Why there is no desktop window. Default null. */
  readonly windowless?: string | null
  /** Overrides the setting for this session. */
  readonly gpuLayers?: GpuLayers
  /** Key for model servers that are named by their address. Kept nowhere. */
  readonly modelKey?: string
  /** Default: found from where this file lies. */
  readonly resources?: Resources
  /** The system's own dialog for files; answers their paths, none when it was left. Default: there is none. */
  readonly chooseFiles?: (what: 'files' | 'folder') => Promise<string[]>
  /** What the machine runs on. Default: asked of the system. */
  readonly power?: () => Promise<PowerState>
  /** Where newer versions of Loam come from. Default: nowhere. */
  readonly updates?: UpdateSource | NoUpdates
  /** The machine that models are for. Default: this one. */
  readonly machine?: BareMachine
  /** Where models of other programs are looked for. Default: this machine and its person. */
  readonly storeWorld?: StoreWorld
}

/** What every area of the host stands on: a data folder of its own, one engine, the settings, and what is found beside Loam. */
export interface Host extends ModelFinder {
  readonly options: HostOptions
  readonly resources: Resources
  readonly data: DataFolder
  readonly clock: Clock
  readonly logger: Logger
  readonly engine: EngineSupervisor
  readonly engineFeed: Feed<EngineState>
  readonly jobs: JobRegistry
  /** Every place that models come from. */
  readonly providers: Providers
  /** Model servers under names of the person's own. */
  readonly servers: ModelServers
  /** Secrets of tool servers and connections. */
  readonly credentials: Credentials
  /** Tells models apart, wherever they come from. */
  readonly hasher: FileHasher
  /** What this machine has for models. */
  readonly machine: MachineFacts
  /** Path of the bundled demo model. */
  readonly demoModel: string
  /** This machine and its person, as far as models are looked for. */
  readonly storeWorld: StoreWorld
  settings(): Settings
  /** @throws LoamError `EMBEDDER_MISSING`: without its embedder no memory could be opened any more, so nothing is saved */
  saveSettings(change: Partial<Settings>): Promise<Settings>
  /** The settings once a change that is being saved counts: what a window that was loaded anew is told. */
  savedSettings(): Promise<Settings>
  /** Calls back with all settings after each change. */
  onSettings(listener: (settings: Settings) => void): void
  /** The prompt templates, read at their first use. */
  prompts(): Promise<LoadedPrompts>
  /** The embedder of the settings. @throws LoamError `EMBEDDER_MISSING` */
  embedder(): Promise<Embedder>
  /** Whether a sentence tells something to keep. */
  readonly tells: Tells
  /** Every embedder that can be chosen: built-in, found in the model folders, and models of servers that are named as such. */
  embedders(): Promise<EmbedderInfo[]>
  /** Loads a model from wherever it comes. */
  loadModel(model: string, choice?: LoadChoice): Promise<LanguageModel>
  /** What a GGUF would take, before it is loaded. `contextSize` null: as much as memory allows. `sequences`: dialogs at a time, default 1. */
  fit(path: string, contextSize: number | null, sequences?: number): Promise<ModelFit>
  /** How many dialogs of one work may go on at a time with a model of this machine without any reply being another one; 1 for one of a server. */
  atATime(model: string): Promise<number>
  /** The same models, with how fast each was on this machine when it was last loaded anew. */
  withSpeeds(models: readonly ModelInfo[]): Promise<ModelInfo[]>
  /** Further processes of the engine. */
  readonly pool: EnginePool
  /** Loads a GGUF in the engine's one place, on the processor the settings name: for training, which needs more than a chat. */
  loadInEngine(path: string, choice?: LoadChoice): ReturnType<EngineSupervisor['loadModel']>
}

/** What models of servers that embed are usually called. */
const NAMED_AS_ENCODER = /embed|minilm|\bbge\b|\be5\b|\bgte\b/i

/**
 * Opens the data folder and what stands on it alone. Who opens a host ends it with `closeHost`, after everything on it.
 * @throws LoamError `DATA_DIR_LOCKED`, `DATA_FORMAT_NEWER`, `DATA_CORRUPT`
 */
export async function openHost(options: HostOptions): Promise<Host> {
  const clock = { now: () => new Date() }
  const data = await openDataFolder(options.dataPath, { clock })
  try {
    return await hostOn(data, clock, options)
  } catch (error) {
    await data.close()
    throw error
  }
}

/** What computes, as it is chosen; the layers that a start was given count instead of the setting. */
const placeOf = (
  { gpuBackend, flashAttention, cacheType, ...settings }: Settings,
  gpuLayers = settings.gpuLayers,
) => ({
  ...{ gpuLayers, gpuBackend, flashAttention, cacheType },
})

/** What the engine says of graphics cards, asked by what a small model would take. */
async function graphicsMemory(
  engine: EngineSupervisor,
  path: string,
  gpuBackend: GpuBackend,
): Promise<GraphicsCard | null> {
  if (!mayHaveCard()) return null
  const { vram } = await engine.fit({ path, contextSize: 256, gpuLayers: 'auto', gpuBackend })
  return vram === null ? null : { bytes: vram.total, name: engine.state.gpu }
}

/** The settings of a data folder as they count, and their changes. */
async function keepSettings({ settings: file }: DataFolder) {
  let settings = await file.load()
  // For every process that computes: all are started from here.
  Object.assign(process.env, cardEnvironment(settings))
  let saving: Promise<unknown> = Promise.resolve()
  const listeners = new Set<(settings: Settings) => void>()
  const keep = async (change: Partial<Settings>): Promise<Settings> => {
    settings = await file.save(change)
    for (const listener of listeners) listener(settings)
    return settings
  }
  return {
    now: (): Settings => settings,
    onChange: (listener: (settings: Settings) => void): void => void listeners.add(listener),
    save(change: Partial<Settings>): Promise<Settings> {
      const work = keep(change)
      saving = Promise.allSettled([saving, work])
      return work
    },
    async saved(): Promise<Settings> {
      await saving
      return settings
    },
  }
}

/** Where libraries that are fetched later are kept. */
export const librariesOf = ({ path }: Pick<DataFolder, 'path'>): string => join(path, 'libraries')

/** The engine, and further processes that work beside it. */
function openEngine({ markerFile, ...options }: EngineSupervisorOptions & { readonly markerFile: string }) {
  const engine = new EngineSupervisor({
    ...options,
    markerFile,
    waitedFor: (isWaited) => pool.hold(isWaited),
  })
  // Only a first load is noted: who works beside it loads what that has loaded.
  const pool = openEnginePool(engine, () => new EngineSupervisor(options))
  return { engine, pool }
}

async function hostOn(data: DataFolder, clock: Clock, options: HostOptions): Promise<Host> {
  const resources = options.resources ?? findResources()
  const logger = openLogger(data.logs)
  nameFetchedLibraries(librariesOf(data))
  const keeper = await keepSettings(data)
  const settings = keeper.now
  const storeWorld = options.storeWorld ?? thisMachine()
  const { modelFolders, ...finders } = createModelFinder({
    ...{ bundledFolder: resources.models, ownFolder: data.models, world: storeWorld },
    headersFile: join(data.path, 'model-headers.json'),
    ...{ settings, prompts: () => prompts() },
  })
  const { engine, pool } = openEngine({
    markerFile: join(data.path, 'model-loading.json'),
    ...{ modelFolders, encoderFile: encoderPath(resources.models), embedderName: settings().embedder },
    servedEmbedder: (id) => providers.embedder(id),
    log: (level, message, fields) => logger[level](message, fields),
    ...(options.spawnEngine && { spawn: options.spawnEngine }),
  })
  const engineFeed = new Feed(() => engine.state)
  engine.onState(() => engineFeed.changed())
  let loadedPrompts: { readonly folders: string; readonly prompts: Promise<LoadedPrompts> } | null = null
  const prompts = (): Promise<LoadedPrompts> => {
    // Modules that come and go bring templates of their own.
    const folders = broughtFolders('prompts').join('\n')
    if (loadedPrompts?.folders !== folders)
      loadedPrompts = { folders, prompts: loadPrompts(resources.prompts) }
    return loadedPrompts.prompts
  }
  const demoModel = demoModelPath(resources.models)
  const readCard = () => graphicsMemory(engine, demoModel, settings().gpuBackend)
  const bare = options.machine ?? thisBareMachine()
  const machine = openMachine(bare, readCard, join(data.path, 'machine.json'))
  const { load, atATime, withSpeeds } = measuredLoading(engine, pool, data.path, JSON.stringify(bare), () => {
    const { threads, engineProcesses, promptReuse } = settings()
    return { ...placeOf(settings(), options.gpuLayers), threads, engineProcesses, promptReuse }
  })
  const loadInEngine: Host['loadInEngine'] = async (path, choice) => {
    await machine.requireRoom(path)
    return load(path, choice)
  }
  const credentials = openCredentials(join(data.path, 'credentials.json'))
  const servers = openModelServers(join(data.path, 'connections.json'), credentials)
  const files = createFileHasher(join(data.path, 'model-hashes.json'))
  const providers = openProviders({
    loadInEngine,
    // Reading all of a file that could not be loaded anyway would take minutes.
    hashFile: async (path, signal) => {
      await machine.requireRoom(path)
      return files.hash(path, signal)
    },
    foundModels: async (signal) => (await finders.foundModels(signal)).models,
    servers,
    settings: () => settings().providers,
    networkAllowed: () => settings().network,
    sessionKey: options.modelKey ?? null,
  })
  return {
    options,
    resources,
    data,
    clock,
    logger,
    engine,
    engineFeed,
    jobs: new JobRegistry({ history: await openJobHistory(join(data.path, 'jobs.json')) }),
    providers,
    servers,
    credentials,
    hasher: { hash: providers.identify, known: files.known },
    ...{ machine, demoModel, storeWorld, modelFolders },
    ...finders,
    settings,
    onSettings: keeper.onChange,
    saveSettings: async (change) => {
      if (change.embedder !== undefined) await engine.embedder(change.embedder)
      return keeper.save(change.embedder === undefined ? change : { ...change, encoderChosen: true })
    },
    savedSettings: keeper.saved,
    prompts,
    embedder: () => engine.embedder(settings().embedder),
    tells: tellsBy(tellingPath(resources.models), encoderPath(resources.models)),
    async embedders() {
      const models = await providers.list()
      const served = models.filter(
        ({ path, name }) => readReference(path) !== null && NAMED_AS_ENCODER.test(name),
      )
      const listed = await listEmbedders(
        modelFolders(),
        models.flatMap(({ path, name, embedding, problem }) =>
          embedding === undefined || embedding === 0 || problem !== null
            ? []
            : [{ path, name, dimension: embedding }],
        ),
        served.map(({ path, name }) => ({ id: path, title: name })),
      )
      // What is chosen is always in the list, wherever it lies.
      const { embedder: id } = settings()
      if (listed.some((one) => one.id === id)) return listed
      const embedder = await engine.embedder(id).catch(() => null)
      return [
        ...listed,
        {
          id,
          title: id,
          dimension: embedder?.dimension ?? null,
          description: 'The embedding model that was chosen.',
          kind: 'sentence-encoder' as const,
          available: embedder !== null,
        },
      ]
    },
    loadModel: providers.load,
    loadInEngine,
    atATime: async (model) =>
      readReference(model) === null ? atATime(model, (await providers.identify(model)).sizeBytes) : 1,
    ...{ withSpeeds, pool },
    fit: (path, contextSize, sequences = 1) =>
      engine.fit({ path, contextSize, sequences, ...placeOf(settings(), options.gpuLayers) }),
  }
}

/** Ends the engine, then closes the data folder. Everything that stands on the host must be closed before. */
export const closeHost = ({ engine, pool, engineFeed, logger, data }: Host): Promise<void> =>
  closeAll([
    () => pool.dispose(),
    () => engine.dispose(),
    () => engineFeed.close(),
    () => logger.info('Loam stopped'),
    () => logger.flush(),
    () => data.close(),
  ])
