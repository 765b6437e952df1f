import { createStore, type StoreApi } from 'zustand/vanilla'
import type { DownloadInfo } from '../../shared/domain/download'
import type { EnvironmentInfo } from '../../shared/domain/environment'
import type { MemoryKindInfo } from '../../shared/domain/item'
import type { JobInfo } from '../../shared/domain/job'
import type { MemoryInfo } from '../../shared/domain/memory-info'
import type { MethodInfo } from '../../shared/domain/method'
import type { MethodChoice } from '../../shared/domain/method-choice'
import type { EmbedderInfo, EngineState, ModelInfo, RegistryEntry, ModelFit } from '../../shared/domain/model'
import type { MyMemoryInfo } from '../../shared/domain/take'
import type { StreamInfo } from '../../shared/domain/task'
import type { UpdateState } from '../../shared/domain/update'
import type { LoamClient } from '../client-type'
import { createAsksStore } from './asks'
import { createCaseValuesStore } from './case-values'
import { createSoftPromptsStore } from './soft-prompts'
import { createCurveSelectionStore, createCurvesStore } from './curves'
import { createExperimentFormStore } from './experiment-form'
import { createExperimentsStore } from './experiments'
import { createFeedStore, type FeedStore } from './feed'
import { createItemsStore } from './items'
import { createGuidesStore } from './guides'
import { createRunFormStore } from './run-form'
import { createRunsStore } from './runs'
import { createSettingsStore } from './settings'
import { createMemoriesStore } from './memories'
import { createToastsStore } from './toasts'
import { createToolsStore } from './tools'
import { createUiStore } from './ui'
import { createNewest, NOT_READ, readInto, type Reading } from './read-into'

export type AppInfo = Awaited<ReturnType<LoamClient['app']['info']>>

/** What is read from the host as a whole; read again when the host may be another one, or by the screen that shows it. */
const createResources = (client: LoamClient) => ({
  info: createResource<AppInfo>(() => client.app.info()),
  memoryKinds: createResource<MemoryKindInfo[]>(() => client.items.kinds()),
  myMemory: createResource<MyMemoryInfo>(() => client.memories.mine()),
  models: createResource<ModelInfo[]>(() => client.models.list()),
  registry: createResource<RegistryEntry[]>(() => client.models.registry()),
  embedders: createResource<EmbedderInfo[]>(() => client.engine.embedders()),
  streams: createResource<StreamInfo[]>(() => client.streams.list()),
  methods: createResource<MethodInfo[]>(() => client.methods.list()),
  methodChoice: createResource<MethodChoice>(() => client.methods.choice()),
  environments: createResource<EnvironmentInfo[]>(() => client.environments.list()),
})

/** Whom the stores tell of what happens by itself. */
export interface StoreEvents {
  /** A job ended while this window watched. */
  jobEnded(job: JobInfo): void
  /** The memory that a person chose is gone, and `instead` is open. */
  memoryLost(instead: MemoryInfo | null): void
}

/** Every store of the window, around one client. */
export function createStores(client: LoamClient, events: StoreEvents) {
  const settings = createSettingsStore(client)
  const curveSelection = createCurveSelectionStore()
  return {
    ui: createUiStore(),
    toasts: createToastsStore(),
    settings,
    tools: createToolsStore(client, settings),
    memories: createMemoriesStore(client, settings, events.memoryLost),
    asks: createAsksStore(client),
    runs: createRunsStore(client),
    runForm: createRunFormStore(),
    experiments: createExperimentsStore(client),
    experimentForm: createExperimentFormStore(),
    items: createItemsStore(client),
    caseValues: createCaseValuesStore(),
    guides: createGuidesStore(client),
    softPrompts: createSoftPromptsStore(client),
    curveSelection,
    curves: createCurvesStore(client, curveSelection, settings),
    engine: createFeedStore<EngineState, null>(null, (since, signal) =>
      client.engine.watch({ since }, { signal }),
    ),
    jobs: createJobsStore(client, events.jobEnded),
    downloads: createFeedStore<DownloadInfo[], DownloadInfo[]>([], (since, signal) =>
      client.downloads.watch({ since }, { signal }),
    ),
    update: createFeedStore<UpdateState, null>(null, (since, signal) =>
      client.app.watchUpdate({ since }, { signal }),
    ),
    fits: createFitsStore(client),
    ...createResources(client),
  }
}

export type Stores = ReturnType<typeof createStores>

/** Something that is read from the host and shown: never read, being read, here, or not readable. */
interface ResourceState<T> extends Reading {
  /** The last good answer stays while a newer one is being read. */
  readonly data: T | null
  /** Reads it (again). Never rejects: a failure lands in `problem`. */
  reload(): Promise<void>
  /** Replaces what is held, after a call that answered with the new value. */
  set(data: T): void
}

type Resource<T> = StoreApi<ResourceState<T>>

/** A store around one query. Answers that arrive out of order are dropped. */
function createResource<T>(load: () => Promise<T>): Resource<T> {
  const newest = createNewest()
  return createStore<ResourceState<T>>()((set) => ({
    data: null,
    ...NOT_READ,
    reload: () => readInto(set, async () => ({ data: await load() }), newest()),
    set(data) {
      newest()
      set({ data, status: 'ready', problem: null })
    },
  }))
}

interface FitsState {
  /** By path; null for one that cannot be measured. */
  readonly byPath: Readonly<Record<string, ModelFit | null>>
  /** Has a model measured, after those that were asked for before; once each until `forget`. */
  ask(path: string): void
  /** What is free may be another amount now. */
  forget(): void
}

/** What models would take. Measured one after another: each is a header of megabytes for the engine to read. */
function createFitsStore(client: LoamClient): StoreApi<FitsState> {
  let line = Promise.resolve()
  let askedSet = new Set<string>()
  return createStore<FitsState>()((set) => ({
    byPath: {},
    ask(path) {
      if (askedSet.has(path)) return
      askedSet.add(path)
      const round = askedSet
      line = line.then(async () => {
        if (round !== askedSet) return
        const fit = await client.models.fit({ path, contextSize: null }).catch(() => null)
        if (round === askedSet) set(({ byPath }) => ({ byPath: { ...byPath, [path]: fit } }))
      })
    },
    forget() {
      askedSet = new Set()
      set({ byPath: {} })
    },
  }))
}

type JobsStore = FeedStore<JobInfo[]>

/** Long work of the host, newest first. `onEnded` hears of each job that ends while this window watches. */
export const createJobsStore = (client: LoamClient, onEnded: (job: JobInfo) => void): JobsStore =>
  createFeedStore<JobInfo[], JobInfo[]>(
    [],
    (since, signal) => client.jobs.watch({ since }, { signal }),
    (jobs, before) => {
      for (const job of jobs) if (before && hasEnded(before, job)) onEnded(job)
    },
  )

/** Whether a job ended since the list before, where it may not have stood yet. */
function hasEnded(before: readonly JobInfo[], { id, status, earlier }: JobInfo): boolean {
  if (status === 'running' || earlier === true) return false
  const record = before.find((job) => job.id === id)
  return record === undefined || record.status === 'running'
}
