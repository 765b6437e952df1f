import { CASE_KIND } from '../core/memory/cases/kind'
import { EXPERIENCE_KIND } from '../core/memory/experiences/fold'
import { caseLandscapeQuerySchema, caseWorthQuerySchema } from '../shared/domain/case'
import { abstractionSchema } from '../shared/domain/experience-view'
import { openAsks, type AsksArea } from './asks/open-asks'
import { createCaseBrowser } from './cases/case-browser'
import type { SoftPrompts } from './soft-prompts/soft-prompts'
import { openSoftPrompts, openTraining } from './soft-prompts/open-soft-prompts'
import type { SoftPromptTraining } from './soft-prompts/soft-prompt-training'
import { createCurveReader, type CurveReader } from './curves/curve-reader'
import { openExperiments, type ExperimentsArea } from './experiments/open-experiments'
import { createFiles, type Files } from './files/files'
import { closeAll } from './ground/close-all'
import { closeHost, openHost, type Host, type HostOptions } from './host/host'
import { noUpdates, openUpdates, type Updates } from './host/updates'
import { openKb, type KbArea } from './kb/open-kb'
import type { Guides } from './guides/guides'
import { openGuides } from './guides/open-guides'
import { createBackups, type BackupKeeper } from './storage/backups'
import { createStorage, type Storage } from './storage/storage'
import { createItems, type Items } from './items/memory-items'
import { createMyMemory, type MyMemoryArea } from './items/my-memory'
import { openModules, type Modules } from './modules/modules'
import type { ModelLibrary } from './models/model-library'
import { openModelProfiles, type ModelProfiles } from './models/model-profiles'
import { openModels } from './models/open-models'
import { openRuns, type RunsArea } from './runs/open-runs'
import { createOpenedFiles, type OpenedFiles } from './ground/opened-files'
import { createConnectedClients, type ConnectedClients } from './share/connect/client-list'
import { createServing, type Serving } from './share/serving'
import { openMemories, type Memories } from './memories/memories'
import { openSigners, type Signers } from './share/signers'
import { createExports, type Exports } from './transfer/exports'
import { createImports, type Imports } from './transfer/imports'
import { openWatchedLogs, type WatchedAgentLogs } from './transfer/watched-logs'
import { openWhy, type WhyFailed } from './why/open-why'
import { openOwnTasks, openStreams, type StreamsArea } from './streams/open-streams'
import type { OwnTasksArea } from './streams/own-tasks'
import { openTools } from './tools/open-tools'
import type { ToolServers } from './tools/tool-servers'

export type AppOptions = HostOptions

/** Everything that runs outside the window: a host, and the areas that stand on it. */
export interface App extends Host, StreamsArea, KbArea, RunsArea, ExperimentsArea, AsksArea {
  /** Code from outside, in use where a person allowed it. */
  readonly modules: Modules
  readonly models: ModelLibrary
  readonly profiles: ModelProfiles
  readonly memories: Memories
  readonly tools: ToolServers
  readonly memory: Items
  readonly myMemory: MyMemoryArea
  readonly whyFailed: WhyFailed
  readonly ownTasks: OwnTasksArea
  readonly storage: Storage
  readonly softPromptTraining: SoftPromptTraining
  readonly softPrompts: SoftPrompts
  readonly guides: Guides
  readonly curves: CurveReader
  readonly serving: Serving
  /** Programs that My memory is put into. */
  readonly clients: ConnectedClients
  readonly files: Files
  readonly imports: Imports
  readonly watchedLogs: WatchedAgentLogs
  readonly backups: BackupKeeper
  readonly exports: Exports
  readonly signers: Signers
  readonly openedFiles: OpenedFiles
  /** Newer versions of Loam itself. */
  readonly updates: Updates
  /** Stops all work (runs pause), closes what is open, ends the engine process. Safe to call twice. */
  dispose(): Promise<void>
}

/**
 * Opens a host and every area on it. Nothing else constructs them.
 * @throws LoamError `DATA_DIR_LOCKED`, `DATA_FORMAT_NEWER`, `DATA_CORRUPT`
 */
export async function createApp(options: AppOptions): Promise<App> {
  const host = await openHost(options)
  let modules: Modules | null = null
  try {
    modules = await openModules({
      dataPath: host.data.path,
      now: () => host.clock.now(),
      networkAllowed: () => host.settings().network,
      onProblem: (module, { message }) => host.logger.warn('A module is off', { module, message }),
    })
    return await openAreas(host, modules)
  } catch (error) {
    await modules?.close()
    await closeHost(host)
    throw error
  }
}

async function openAreas(host: Host, modules: Modules): Promise<App> {
  const models = await openModels(host)
  const { streams, environments } = openStreams(host)
  const memories = openMemories(host)
  const tools = openTools(host)
  const below = { models, streams, environments, memories, tools }

  // Runs train soft prompts, and nobody else may train while one runs.
  let engineTaken = (): boolean => false
  const softPromptTraining = openTraining(host, { ...below, engineTaken: () => engineTaken() })
  const runsArea = await openRuns(host, {
    ...below,
    softPromptTraining,
    attemptForm: (model) => profiles.attemptFormFor(model),
    callsTools: (model) => profiles.callsTools(model),
  })
  const { runs } = runsArea
  const anyRun = (...statuses: readonly string[]) =>
    runs.list().some(({ status }) => statuses.includes(status))
  engineTaken = () => anyRun('running')

  const experimentsArea = await openExperiments(host, { ...below, ...runsArea })
  const softPrompts = openSoftPrompts(host, {
    ...below,
    softPromptTraining,
    waitForModel: (title, signal) => runs.waitForModel(title, signal),
    atWork: () => runs.atWork(),
    runsPending: () => anyRun('running', 'queued'),
  })
  const cases = createCaseBrowser({ memories, runs })
  const kbArea = openKb(host, { memories, engineTaken: () => runs.atWork() !== null })
  const memory = createItems({
    memories,
    clock: host.clock,
    hosted: {
      [CASE_KIND]: {
        worth: (input, signal) => cases.worth(caseWorthQuerySchema.parse(input), signal),
        landscape: (input, signal) => cases.landscape(caseLandscapeQuerySchema.parse(input), signal),
      },
      [EXPERIENCE_KIND]: {
        abstract: ({ memoryId, ...input }) => ({
          jobId: kbArea.kbJobs.startAbstraction({
            ...abstractionSchema.parse(input),
            memoryId: String(memoryId),
          }),
        }),
      },
    },
  })
  const profiles = openModelProfiles(host, {
    prompt: (id) => environments.world.prompt(id),
    waitForModel: (title, signal) => runs.waitForModel(title, signal),
    isAwaited: () => runs.isAwaited(),
  })
  const asksArea = await openAsks(host, { ...below, runs, memory, profiles })
  const signers = openSigners(host.data.path, () => host.clock.now())
  const imports = createImports({
    ...{ ...host, memories, signers, asks: asksArea.asks },
    network: () => host.settings().network,
  })
  const app = {
    ...host,
    ...below,
    profiles,
    modules,
    ownTasks: openOwnTasks(host, below),
    ...runsArea,
    ...asksArea,
    whyFailed: openWhy(host, { ...below, ...runsArea, ...asksArea, memory }),
    ...experimentsArea,
    ...kbArea,
    softPromptTraining,
    softPrompts,
    memory,
    myMemory: createMyMemory(host.data, memories, host.clock),
    storage: createStorage({
      ...{ ...host, ...runsArea, ...experimentsArea },
      version: host.resources.version,
    }),
    backups: createBackups(host, runs),
    serving: createServing(),
    clients: createConnectedClients({ dataPath: host.data.path, now: () => host.clock.now() }),
    openedFiles: createOpenedFiles(),
    updates: openUpdates({ ...host, source: host.options.updates ?? noUpdates }),
    files: createFiles({ ...host, memories }),
    signers,
    imports,
    watchedLogs: await openWatchedLogs(host, { imports, runs }),
    exports: createExports({
      ...host,
      memories,
      signers,
      version: host.resources.version,
      dataPath: host.data.path,
    }),
    guides: openGuides(host, { ...below, runs }),
    curves: createCurveReader({ runs, experiments: experimentsArea.experiments, streams }),
  }
  const { resources, options, logger } = host
  logger.info('Loam started', { version: resources.version, host: options.host, node: process.version })
  let closing: Promise<void> | null = null
  return { ...app, dispose: () => (closing ??= closeAll([() => closeAreas(app), () => closeHost(host)])) }
}

/** What is at work is interrupted before anything it works with goes; what fails to close keeps nothing else open. */
const closeAreas = (app: Omit<App, 'dispose'>): Promise<void> =>
  closeAll([
    ...closing(app.runViews, app.experimentDrafts),
    () => app.experiments.interrupt(),
    ...closing(
      app.watchedLogs,
      app.backups,
      app.methodChoice,
      app.messageReader,
      app.serving,
      app.files,
      app.asks,
      app.runs,
      app.tools,
      app.models,
      app.updates,
    ),
    ...closing(app.experiments, app.jobs, app.softPrompts, app.memories, app.modules),
  ])

const closing = (...areas: readonly { close(): unknown }[]) => areas.map((area) => () => area.close())
