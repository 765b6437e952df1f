import { join } from 'node:path'
import { usesTools, weightsAt } from '../models/usual-model'
import type { AttemptForm } from '../../shared/domain/model-profile'
import type { RunPart } from './run-entry'
import type { QuestionWorldDeps } from '../questions/question-world'
import type { SoftPromptTraining } from '../soft-prompts/soft-prompt-training'
import type { Host } from '../host/host'
import type { Memories } from '../memories/memories'
import type { StreamsArea } from '../streams/open-streams'
import { askerOf } from '../tools/open-tools'
import type { ToolServers } from '../tools/tool-servers'
import { createErrorJudging, type ErrorJudging } from './error-judging'
import { trainingCost } from '../soft-prompts/in-run'
import { createPreflight, type RunPreflight } from './preflight'
import { prepareRun, type RunParts } from './prepare-run'
import { restingModel } from './resting-model'
import { readReference } from '../ground/model-reference'
import { createRunDrafts, recallCount, type RunDrafts } from './run-drafts'
import { openRunQueue, type RunQueue } from './run-queue'
import { openRunStore } from './run-store'
import { createRunViews, type RunViews } from './run-views'

/** Runs: the line they wait in, how they are started, followed, and what went wrong in them. */
export interface RunsArea {
  readonly runs: RunQueue
  readonly runViews: RunViews
  readonly runDrafts: RunDrafts
  readonly errors: ErrorJudging
  readonly preflight: RunPreflight
  /** Where the tools of attempts at questions come from, and who is asked. */
  readonly questions: QuestionWorldDeps
  /** Tokens that a model was trained for; null where that is not known. */
  trainContext(model: string): Promise<number | null>
  /** Hears every change of every run from here on. */
  onRunChange(listener: (runId: string, part: RunPart) => void): void
}

/** What runs need of other areas. */
export interface RunNeeds extends StreamsArea {
  readonly memories: Memories
  readonly tools: ToolServers
  readonly softPromptTraining: SoftPromptTraining
  /** In which form a model is shown attempts, as was measured or chosen; null where neither is known. */
  readonly attemptForm: (model: string) => Promise<AttemptForm | null>
  readonly callsTools: (model: string) => Promise<boolean | null>
}

/** Opens the runs of the data folder; those that were going when the host stopped are paused. */
export async function openRuns(host: Host, needs: RunNeeds): Promise<RunsArea> {
  const { clock, logger, data, hasher, embedder, prompts, jobs, demoModel, resources } = host
  const { streams, environments, memories, tools, softPromptTraining, attemptForm, callsTools } = needs
  const environment: RunEnvironment = (id, settings) => environments.get(id, settings)
  const parts: RunParts = { streams, memories, hasher, environment, prompts, embedder }
  const runViews = createRunViews(() => runs, jobs)
  const listeners: ((runId: string, part: RunPart) => void)[] = [runViews.publish]
  const questions = {
    taskFolders: join(data.path, 'task-folders'),
    openTools: tools.openBox,
    askerFor: askerOf(host, tools),
  }
  const runs: RunQueue = await openRunQueue({
    store: openRunStore(join(data.path, 'runs')),
    clock,
    logger,
    openStore: (memoryId) => memories.open(memoryId),
    publish: (runId, part) => {
      for (const listener of listeners) listener(runId, part)
    },
    prepare: (record, signal, insist, lane) =>
      prepareRun(record, signal, insist, lane, {
        ...parts,
        clock,
        softPromptTraining,
        questions,
        quiet: (quietMs, own) => runs.quiet(quietMs, own),
        loadModel: (path, loadSignal, retryAfterCrash, size) => {
          const load = (own?: AbortSignal) => host.loadModel(path, { signal: own, retryAfterCrash, ...size })
          return readReference(path) === null ? restingModel(load, runs.quiet, loadSignal) : load(loadSignal)
        },
      }),
  })
  const trainContext = async (model: string): Promise<number | null> =>
    (await host.foundModels()).models.find(({ path }) => path === model)?.trainContext ?? null
  const modelFacts = {
    ...{ demoModel, attemptForm },
    weights: async (model: string) => weightsAt(model, (await host.foundModels()).models),
    usesTools: (model: string) => usesTools(model, host, { callsTools }),
  }
  const runDrafts = createRunDrafts({
    runs,
    views: runViews,
    clock,
    ...parts,
    softPromptTraining,
    appVersion: resources.version,
    ...{ ...modelFacts, trainContext },
  })
  const errors = createErrorJudging({ ...host, runs, folder: join(data.path, 'runs') })
  const preflight = createPreflight({
    ...{ streams, environment, prompts, embedder, demoModel, trainContext },
    foundModels: async () => (await host.foundModels()).models,
    identify: (path) => hasher.hash(path),
    fit: host.fit,
    tools: async () => (await tools.servers()).filter(({ enabled }) => enabled).map(({ id }) => id),
    memoryEmbedder: async (memoryId) =>
      (await memories.list()).find(({ id }) => id === memoryId)?.embedder ?? null,
    k: (run, environment) => recallCount(run, environment, modelFacts),
    runs: () => runs.list(),
    steps: (runId) => runs.steps(runId),
    trainingCost: (run, total, model, tasks) => trainingCost(run, total, model, softPromptTraining, tasks),
  })
  return {
    ...{ runs, runViews, runDrafts, errors, preflight, questions, trainContext },
    onRunChange: (listener) => listeners.push(listener),
  }
}

type RunEnvironment = Parameters<typeof createRunDrafts>[0]['environment']
