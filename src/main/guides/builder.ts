import { createHash, randomBytes } from 'node:crypto'
import { runAttempt } from '../../core/agent/actor'
import { canonicalJson } from '../../core/ground/canonical-json'
import { currentGuides } from '../../core/memory/guides/fold'
import { calibrated } from '../../core/retrieval/calibration'
import { brew, rubricsOf } from '../../core/methods/brew/brew'
import { runBuild, type BuildEnd } from '../../core/methods/brew/build'
import { guidePlayer } from '../../core/methods/brew/play'
import type { MemoryStore, Clock, Embedder, LanguageModel } from '../../core/ground/ports'
import type { Environment } from '../../core/ground/environment'
import { estimateBuild, paceOf } from '../../core/methods/brew/estimate'
import { splitBalanced } from '../../core/methods/brew/split'
import { type Build, type BuildEstimate, type BuildProgress } from '../../shared/domain/guide-build'
import { searchSettingsSchema, type SearchSettings } from '../../shared/domain/guide-search'
import type { Task } from '../../shared/domain/task'
import { LoamError } from '../../shared/errors'
import type { FileHasher } from '../ground/file-hash'
import type { LoadedPrompts } from '../ground/prompts'
import { nameOfModel } from '../ground/model-file'
import type { Memories } from '../memories/memories'
import { hashTasks, type StreamLibrary } from '../streams/stream-library'

/** What a person chooses; everything left out has a default. */
export interface StartBuildInput {
  /** Id or absolute folder of the memory that keeps the documents. */
  readonly memoryId: string
  /** Bundled name or path. Its first tasks are learned from, the next ones score. */
  readonly stream: string
  /** GGUF path. Default: the bundled demo model. */
  readonly model?: string | null
  /** Default 1. */
  readonly seed?: number
  readonly settings?: Partial<SearchSettings>
  /** Wait for a person between the concepts and the search. Default false. */
  readonly review?: boolean
  /** Model calls at a time. Above 1 the last bits of a batch may differ from build to build. Default 1. */
  readonly inFlight?: number
}

/** What an estimate depends on. */
export type EstimateInput = Pick<StartBuildInput, 'memoryId' | 'stream' | 'model' | 'settings'>

/** What a build needs of the host. */
export interface BuildDeps {
  readonly memories: Pick<Memories, 'open'>
  readonly streams: StreamLibrary
  readonly clock: Clock
  readonly hasher: FileHasher
  readonly embedder: () => Promise<Embedder>
  readonly prompts: () => Promise<LoadedPrompts>
  readonly environment: (id: string) => Promise<Environment>
  readonly loadModel: (path: string, sequences: number, signal: AbortSignal) => Promise<LanguageModel>
  /** Waits until nothing else has the model; resolves to what gives it back. */
  readonly waitForModel: (title: string, signal: AbortSignal) => Promise<() => void>
  readonly demoModel: string
}

export interface BuildWatch {
  readonly signal: AbortSignal
  readonly onProgress: (progress: BuildProgress) => void
}

/** Plans builds, and works on them with the model to themselves. */
export type Builder = ReturnType<typeof createBuilder>

/** Most tokens per reply of a rollout. */
const REPLY_TOKENS = 512

/** Creates the builder. */
export function createBuilder(deps: BuildDeps) {
  const { memories, clock } = deps

  const inputsHash = async (
    bank: MemoryStore,
    environment: string,
    tasks: readonly Task[],
    model: string,
    signal?: AbortSignal,
  ) => {
    const prompts = await deps.prompts()
    const inputs = canonicalJson({
      tasks: await hashTasks(tasks),
      templates: prompts.hashOf(brew.info.id),
      rubrics: rubricsOf({ bank, prompts }, environment),
      model: (await deps.hasher.hash(model, signal)).sha256,
    })
    return createHash('sha256').update(inputs).digest('hex')
  }

  return {
    /** A build as it will be recorded. Throws `BAD_INPUT` when the stream has too few tasks left. */
    async plan(input: StartBuildInput): Promise<Build> {
      const bank = await memories.open(input.memoryId)
      const { environment, settings, tasks } = await freshTasks(deps, bank, input)
      requireTasks(tasks, settings)
      const { train, evaluation } = splitBalanced(tasks, settings)
      await deps.environment(environment)
      const model = input.model ?? deps.demoModel
      const startedAt = clock.now().toISOString()
      const stamp = startedAt.slice(0, 19).replaceAll(/[-:]/gu, '').replace('T', '-')
      return {
        id: `build-${stamp}-${randomBytes(3).toString('hex')}`,
        environment,
        stream: input.stream,
        model,
        modelName: nameOfModel(model),
        seed: input.seed ?? 1,
        settings,
        train: train.map(({ id }) => id),
        evaluation: evaluation.map(({ id }) => id),
        start: currentGuides(bank.concepts, environment).map(({ id }) => id),
        review: input.review ?? false,
        inputs: await inputsHash(bank, environment, [...train, ...evaluation], model),
        startedAt,
      }
    },
    /** What it would take, before it starts. */
    estimate: (input: EstimateInput): Promise<BuildEstimate> => estimateOf(deps, input),
    /**
     * Works on a recorded build to its end, or to its concepts where a person looks at them first. Throws `CONFLICT` when tasks,
     * prompts, rubrics or model are no longer what it began with, and an AbortError when `signal` fires.
     */
    async work(
      memoryId: string,
      build: Build,
      options: { readonly inFlight: number; readonly isResumed: boolean },
      watch: BuildWatch,
    ): Promise<BuildEnd> {
      const { signal } = watch
      const release = await deps.waitForModel('a build of guides', signal)
      try {
        const bank = await memories.open(memoryId)
        const { tasks } = await deps.streams.load(build.stream ?? '')
        const byId = (ids: readonly string[]): Task[] => tasks.filter(({ id }) => ids.includes(id))
        const train = byId(build.train)
        const evaluation = byId(build.evaluation)
        const environment = await deps.environment(build.environment)
        const prompts = await deps.prompts()
        if (
          (await inputsHash(bank, build.environment, [...train, ...evaluation], build.model, signal)) !==
          build.inputs
        )
          throw new LoamError(
            'CONFLICT',
            'Tasks, prompts, rubrics or model are no longer what the build began with.',
            { suggestion: 'Start a new build.' },
          )
        const model = await deps.loadModel(build.model, options.inFlight, signal)
        const context = {
          bank,
          model,
          prompts,
          embedder: await calibrated(await deps.embedder(), bank, signal),
          settings: { brew: build.settings },
          k: 0,
          seed: build.seed,
        }
        return await runBuild({
          build,
          bank,
          context,
          rubrics: rubricsOf(context, build.environment),
          train,
          evaluation,
          inFlight: options.inFlight,
          // Whoever takes up a build that waits has looked at its concepts.
          stopAtConcepts:
            build.review && !(options.isResumed && bank.concepts.builds.get(build.id)?.concepts),
          useAtOnce: build.settings.use === 'at-once',
          play: guidePlayer(
            (attempt, own) =>
              runAttempt({
                ...attempt,
                runId: build.id,
                memoryId,
                environment,
                context,
                clock,
                maxTokens: REPLY_TOKENS,
                signal: own,
              }),
            brew.info,
            build.settings,
          ),
          now: () => clock.now(),
          signal,
          progress: watch.onProgress,
        })
      } finally {
        release()
      }
    },
  }
}

/** @throws LoamError `BAD_INPUT` when there are fewer tasks than wanted */
function requireTasks(tasks: readonly Task[], { train, evaluation }: SearchSettings): void {
  if (tasks.length >= train + evaluation) return
  throw new LoamError(
    'BAD_INPUT',
    `The stream has ${tasks.length} tasks that no build of this memory had yet; ${train} to learn from and ${evaluation} to score with are wanted.`,
    { suggestion: 'Ask for fewer tasks, or take a longer stream.' },
  )
}

/** The tasks of a stream that no build of a memory learned from or scored with, and the settings for their environment. */
async function freshTasks(
  deps: Pick<BuildDeps, 'streams'>,
  bank: Pick<MemoryStore, 'concepts'>,
  input: Pick<StartBuildInput, 'stream' | 'settings'>,
) {
  const { info, tasks } = await deps.streams.load(input.stream)
  const had = new Set(
    [...bank.concepts.builds.values()].flatMap(({ build }) =>
      build.stream === input.stream ? [...build.train, ...build.evaluation] : [],
    ),
  )
  const changes = { ...brew.defaultsFor?.(info.environment)[brew.info.id], ...input.settings }
  return {
    environment: info.environment,
    settings: searchSettingsSchema.parse(changes),
    tasks: tasks.filter(({ id }) => !had.has(id)),
  }
}

async function estimateOf(deps: BuildDeps, input: EstimateInput): Promise<BuildEstimate> {
  const bank = await deps.memories.open(input.memoryId)
  const { environment, settings, tasks } = await freshTasks(deps, bank, input)
  const pace = await paceIn(bank, environment, nameOfModel(input.model ?? deps.demoModel))
  return { ...estimateBuild(settings, pace), fresh: tasks.length }
}

/** Attempts that a pace is taken from. */
const PACE_FROM = 100

/** How fast a model worked in this memory: its last successes in the environment, and its last build there. */
async function paceIn(bank: MemoryStore, environment: string, modelName: string) {
  const solved = await bank.recentSuccesses(PACE_FROM, { environment })
  const attempts = solved.filter(({ model }) => nameOfModel(model) === modelName)
  const last = [...bank.concepts.builds.values()].findLast(
    ({ build }) => build.environment === environment && build.modelName === modelName,
  )
  return paceOf(attempts, last ? await bank.buildLog(last.build.id).units() : [], last?.outcome ?? null)
}
