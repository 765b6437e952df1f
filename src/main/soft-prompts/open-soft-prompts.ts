import { join } from 'node:path'
import type { Host } from '../host/host'
import type { ModelLibrary } from '../models/model-library'
import type { Memories } from '../memories/memories'
import type { StreamsArea } from '../streams/open-streams'
import { createSoftPrompts, type SoftPrompts } from './soft-prompts'
import { openPlayer } from './play-task'
import { createSoftPromptTraining, type SoftPromptTraining } from './soft-prompt-training'
import type { SoftPromptsDeps } from './soft-prompts-deps'
import type { PlayingDeps } from './training-deps'

/** What training needs of other areas. */
export interface TrainingNeeds extends StreamsArea {
  readonly memories: Memories
  /** Whether a run works with the model now. */
  engineTaken(): boolean
}

const playingDeps = (
  { clock, hasher, prompts, embedder }: Host,
  { memories, streams, environments }: Omit<TrainingNeeds, 'engineTaken'>,
): PlayingDeps => ({
  clock,
  memories,
  streams,
  hasher,
  environment: (id) => environments.acting(id),
  prompts,
  embedder,
})

/** Soft prompts that are trained from a memory: what runs and people both ask for. */
export function openTraining(host: Host, needs: TrainingNeeds): SoftPromptTraining {
  const { engine, data, demoModel, settings } = host
  return createSoftPromptTraining({
    ...playingDeps(host, needs),
    loadModel: (path, signal, contextSize) => host.loadInEngine(path, { contextSize, signal }),
    unloadModel: () => engine.unload(),
    engineTaken: needs.engineTaken,
    demoModel,
    modelFolder: data.models,
    dataPath: data.path,
    // Training is not measured; with more threads than free cores it is many times slower.
    threads: () => {
      const { threads } = settings()
      return threads === 'auto' ? 1 : threads
    },
  })
}

/** What consolidations need of other areas. */
export interface SoftPromptNeeds
  extends
    Omit<TrainingNeeds, 'engineTaken'>,
    Pick<SoftPromptsDeps, 'waitForModel' | 'atWork' | 'runsPending'> {
  readonly models: ModelLibrary
  readonly softPromptTraining: SoftPromptTraining
}

/** Consolidations as people start, follow and schedule them; they wait in the line of runs. */
export function openSoftPrompts(host: Host, needs: SoftPromptNeeds): SoftPrompts {
  const { clock, logger, jobs, hasher, demoModel, data } = host
  const { streams, memories, models, softPromptTraining, waitForModel, atWork, runsPending } = needs
  return createSoftPrompts({
    clock,
    logger,
    jobs,
    training: softPromptTraining,
    memories,
    streams,
    hasher,
    demoModel,
    exportFolder: join(data.path, 'exports'),
    waitForModel,
    atWork,
    runsPending,
    openPlayer: (file, memory, stream, signal) =>
      openPlayer(file, memory, stream, signal, {
        ...playingDeps(host, needs),
        models: () => models.list(),
        loadModel: (path, softPrompt, loadSignal) =>
          host.loadInEngine(path, { softPrompt, signal: loadSignal }),
      }),
  })
}
