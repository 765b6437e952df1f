import { createHash } from 'node:crypto'
import { findMethod } from '../../core/methods'
import { withBeliefs } from '../../core/recall/with-beliefs'
import type { RoleName } from '../../core/agent/roles'
import type { Clock, Embedder, LanguageModel } from '../../core/ground/ports'
import { ONCE, schedule, streamCount } from '../../core/lab/protocol'
import type { RunRecord } from '../../core/lab/run-record'
import type { Environment } from '../../core/ground/environment'
import { isQuestions, type QuestionEnvironment } from '../../core/ground/question-environment'
import type { ModelLoadOptions } from '../../shared/domain/model'
import { LoamError } from '../../shared/errors'
import { servedSoftPrompt } from '../soft-prompts/choose-soft-prompt'
import type { SoftPromptTraining } from '../soft-prompts/soft-prompt-training'
import { readSoftPrompt, type SoftPromptFile } from '../soft-prompts/soft-prompt-file'
import type { SettingChanges } from '../../shared/domain/setting'
import type { FileHasher } from '../ground/file-hash'
import { requireTemplates, type LoadedPrompts } from '../ground/prompts'
import type { Memories } from '../memories/memories'
import { openQuestionWorld, type QuestionWorldDeps } from '../questions/question-world'
import { hashTasks, type StreamLibrary } from '../streams/stream-library'
import { distiller } from './distil-for-run'
import type { RunResources } from './run-resources'
import { openRunModels } from './run-models'
import type { RunLane } from './run-entry'

/** Of a text, as hexadecimal digits. */
export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** What a run is made of, whether it is only drafted or prepared to work. */
export interface RunParts {
  readonly streams: StreamLibrary
  readonly memories: Memories
  readonly hasher: FileHasher
  readonly environment: (id: string, settings: SettingChanges) => Promise<Environment | QuestionEnvironment>
  readonly prompts: () => Promise<LoadedPrompts>
  readonly embedder: () => Promise<Embedder>
}

export interface PrepareDeps extends RunParts {
  readonly clock: Clock
  readonly softPromptTraining: SoftPromptTraining
  /** Resolves once nobody who waits has had the engine for so many ms. */
  readonly quiet: (quietMs: number, signal?: AbortSignal) => Promise<void>
  readonly questions: QuestionWorldDeps
  readonly loadModel: (
    path: string,
    signal: AbortSignal,
    insist: boolean,
    options: {
      readonly sequences: number
      readonly apart: boolean
      readonly contextSize: number | null
      readonly softPrompt: ModelLoadOptions['softPrompt']
      /** Without taking the place of the run's other models, where there is memory for all. */
      readonly beside: boolean
    },
  ) => Promise<LanguageModel>
}

const getError = (what: string): LoamError =>
  new LoamError('CONFLICT', `${what} changed since the run began, so going on would mix two experiments.`, {
    suggestion: 'Start a new run.',
  })

/** The encoder the run began with, on the scale that was measured then. @throws LoamError `CONFLICT` when another one is chosen now */
async function embedderOf(
  { config: { encoder } }: Pick<RunRecord, 'config'>,
  current: () => Promise<Embedder>,
): Promise<Embedder> {
  const embedder = await current()
  if (encoder === undefined) return embedder
  if (encoder.id !== embedder.id || encoder.dimension !== embedder.dimension)
    throw new LoamError(
      'CONFLICT',
      `The run compares texts by ${encoder.id}; ${embedder.id} is chosen now, and going on would mix two experiments.`,
      { suggestion: `Choose ${encoder.id} as embedding model in Settings and go on, or start a new run.` },
    )
  return { ...embedder, unrelated: encoder.unrelated }
}

/** Makes ready what a run works with, and refuses when a model or stream is no longer what it began with. */
export async function prepareRun(
  record: RunRecord,
  signal: AbortSignal,
  insist: boolean,
  lane: RunLane | null,
  deps: PrepareDeps,
): Promise<RunResources> {
  const { config, hashes, total } = record
  const protocol = config.protocol ?? ONCE
  const { tasks, info, files, given } = await deps.streams.load(config.stream)
  const claims = tasks.slice(0, streamCount(total, protocol))
  if ((await hashTasks(claims)) !== hashes.stream) throw getError(`The stream ${config.stream}`)
  const environment = await deps.environment(info.environment, config.settings)
  if (sha256(environment.systemPrompt) !== hashes.prompt) throw getError("The environment's prompt")
  const prompts = await deps.prompts()
  requireTemplates(findMethod(config.method), environment.id, prompts)
  if (hashes.templates !== undefined && prompts.hashOf(config.method) !== hashes.templates)
    throw getError("The method's prompts")
  const knownRecord = { ...hashes.otherModels, [config.model]: hashes.model }
  for (const [path, hash] of Object.entries(knownRecord))
    if ((await deps.hasher.hash(path, signal)).sha256 !== hash.sha256) throw getError(`The model ${path}`)
  const softPrompt = config.softPrompt === undefined ? null : await readSoftPrompt(config.softPrompt)
  if (softPrompt && softPrompt.info.adapterSha256 !== hashes.softPrompt) throw getError('The soft prompt')
  const embedder = await embedderOf(record, deps.embedder)
  let serving = softPrompt
  const bank = await deps.memories.open(config.memoryId)
  const sequences = lane?.width ?? 1
  const size = { sequences, apart: lane?.apart ?? false, contextSize: config.contextSize ?? null }
  const notes = new Set<string>()
  const load = async (
    file: SoftPromptFile | null,
    loadSignal: AbortSignal,
    path = config.model,
    beside = false,
  ) => {
    const softPrompt = file && { adapter: file.adapter, ids: file.info.reservedIds }
    const model = await deps.loadModel(path, loadSignal, insist, { ...size, softPrompt, beside })
    if (model.note !== undefined) notes.add(`${model.name}: ${model.note}`)
    return model
  }
  const models = await openRunModels({
    model: config.model,
    settings: config.settings,
    load: (path, loadSignal = signal, beside) =>
      load(path === config.model ? serving : null, loadSignal, path, beside),
    sequences,
    signal,
  })
  const role = (name: RoleName): LanguageModel => models.of(name, models.run)
  const world = isQuestions(environment)
    ? openQuestionWorld(
        {
          environment,
          title: record.id,
          settings: config.settings,
          files,
          models: { planner: role('planner'), executor: role('executor'), judge: role('judge') },
        },
        deps.questions,
      )
    : environment
  const distil = distiller(
    {
      ...{ record, environment: world, bank, embedder, prompts, models, tasks: claims },
      served: () => serving,
      serve: (file) => (serving = file),
    },
    deps,
  )
  return {
    tasks: schedule(claims, protocol),
    ...(given && { given }),
    method: withBeliefs(findMethod(config.method)),
    environment: world,
    model: models.run,
    models,
    notes: [...notes],
    bank,
    embedder,
    prompts,
    ...(softPrompt && { softPrompt: servedSoftPrompt(softPrompt) }),
    async distil(order, doneCount, watch) {
      await deps.quiet(0, watch.signal)
      return distil(order, doneCount, watch)
    },
  }
}
