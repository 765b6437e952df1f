import { runAttempt } from '../../core/agent/actor'
import { suggestedMethod } from '../../core/methods'
import type { ModelInfo, ModelLoadOptions } from '../../shared/domain/model'
import { LoamError } from '../../shared/errors'
import type { EngineLanguageModel } from '../engine-client/supervisor'
import { servedSoftPrompt } from './choose-soft-prompt'
import type { SoftPromptFile } from './soft-prompt-file'
import type { PlayTask } from './soft-prompts-deps'
import type { PlayingDeps } from './training-deps'

export interface PlayerDeps extends PlayingDeps {
  readonly models: () => Promise<readonly ModelInfo[]>
  readonly loadModel: (
    path: string,
    softPrompt: ModelLoadOptions['softPrompt'],
    signal: AbortSignal,
  ) => Promise<EngineLanguageModel>
}

/** Most tokens of one reply. */
const MAX_TOKENS = 512

/**
 * Loads a soft prompt's own model with it, and plays tasks of a stream with no memory: greedily, leaving nothing behind in
 * any memory. Throws `SOFT_PROMPT` when the stream is for another environment or the model is not here.
 */
export async function openPlayer(
  file: SoftPromptFile,
  memory: string,
  stream: string,
  signal: AbortSignal,
  deps: PlayerDeps,
): Promise<PlayTask> {
  const environment = await deps.environment((await deps.streams.load(stream)).info.environment)
  const { info } = file
  if (info.environment !== null && info.environment !== environment.id)
    throw new LoamError(
      'SOFT_PROMPT',
      `It was trained for ${info.environment}, and the tasks act in ${environment.id}.`,
      { suggestion: 'Choose a stream of its environment.' },
    )
  const path = await findBaseModel(file, deps, signal)
  const model = await deps.loadModel(path, { adapter: file.adapter, ids: info.reservedIds }, signal)
  const context = {
    bank: await deps.memories.open(memory),
    embedder: await deps.embedder(),
    prompts: await deps.prompts(),
    model,
    k: 0,
    seed: 1,
    settings: {},
  }
  return (task, withSoftPrompt, taskSignal) =>
    runAttempt({
      id: `comparison-${task.id}`,
      runId: 'comparison',
      memoryId: memory,
      task,
      environment,
      method: suggestedMethod('baseline'),
      context,
      clock: deps.clock,
      temperature: 0,
      maxTokens: MAX_TOKENS,
      ...(withSoftPrompt && { softPrompt: servedSoftPrompt(file) }),
      signal: taskSignal,
    })
}

async function findBaseModel(
  { info: { baseModel } }: SoftPromptFile,
  deps: PlayerDeps,
  signal: AbortSignal,
): Promise<string> {
  for (const { path, sizeBytes } of await deps.models()) {
    if (sizeBytes !== baseModel.sizeBytes) continue
    if ((await deps.hasher.hash(path, signal)).sha256 === baseModel.sha256) return path
  }
  throw new LoamError('SOFT_PROMPT', `The model it was trained on, ${baseModel.name}, is not here.`, {
    suggestion: "Put it into one of Loam's model folders.",
  })
}
