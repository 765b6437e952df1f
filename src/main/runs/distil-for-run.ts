import type { ServedSoftPrompt } from '../../core/agent/actor'
import { isAbortError } from '../../core/ground/abort'
import type { Environment } from '../../core/ground/environment'
import type { DistilOrder } from '../../core/ground/method'
import type { MemoryStore, Clock, Embedder, LanguageModel, PromptTemplates } from '../../core/ground/ports'
import { isQuestions } from '../../core/ground/question-environment'
import type { RunRecord } from '../../core/lab/run-record'
import { findMethod } from '../../core/methods'
import type { Trial } from '../../shared/domain/soft-prompt'
import type { Task } from '../../shared/domain/task'
import { addUsage } from '../../shared/domain/trajectory'
import { toErrorShape } from '../../shared/errors'
import { servedSoftPrompt } from '../soft-prompts/choose-soft-prompt'
import { distilForRun, trainingUsage } from '../soft-prompts/in-run'
import { openSoftPromptStore } from '../soft-prompts/soft-prompt-store'
import type { SoftPromptFile } from '../soft-prompts/soft-prompt-file'
import type { SoftPromptTraining } from '../soft-prompts/soft-prompt-training'
import type { Memories } from '../memories/memories'
import type { RunModels } from './run-models'
import type { Distilled, DistilWatch, RunResources } from './run-resources'
import { trySoftPrompt } from './try-soft-prompt'

/** What a run has ready for training and trying its own soft prompts. */
export interface DistillingRun {
  readonly record: RunRecord
  readonly environment: RunResources['environment']
  readonly bank: MemoryStore
  readonly embedder: Embedder
  readonly prompts: PromptTemplates
  readonly models: RunModels
  /** Of the run, in stream order. */
  readonly tasks: readonly Task[]
  /** What its model is loaded with from the next load on. */
  served(): SoftPromptFile | null
  serve(file: SoftPromptFile | null): void
}

export interface DistillingDeps {
  readonly clock: Clock
  readonly softPromptTraining: SoftPromptTraining
  readonly memories: Memories
}

/** Trains the soft prompt a run's method asks for, tries it on held-out tasks where it is to be served only if better, and loads the model with it. */
export function distiller(run: DistillingRun, deps: DistillingDeps): NonNullable<RunResources['distil']> {
  const { record, models } = run
  const { environment } = run
  const getResource = async (
    { signal }: DistilWatch,
    rest: Pick<Distilled, 'usage' | 'trial' | 'problem'>,
  ): Promise<Distilled> => {
    const model = await models.again(signal)
    const file = run.served()
    return { model, softPrompt: file ? servedSoftPrompt(file) : undefined, ...rest }
  }
  return async (order, doneCount, watch) => {
    const before = run.served()
    try {
      const file = await distilForRun(record, order, doneCount, environment.id, deps, watch)
      run.serve(file)
      const claim = order.at === doneCount ? trainingUsage(file) : null
      if (order.serve === 'always' || isQuestions(environment))
        return await getResource(watch, { usage: claim })
      let trial = file.info.trial
      if (!trial) {
        const model = await models.again(watch.signal)
        trial = await tryOut(run, environment, model, servedSoftPrompt(file), order, watch, deps.clock)
        await openSoftPromptStore(deps.memories.folder(record.config.memoryId)).noteTrial(
          file.info.adapter,
          trial,
        )
      }
      if (!trial.served) run.serve(before)
      return await getResource(watch, { usage: claim && addUsage(claim, trial.usage), trial })
    } catch (error) {
      run.serve(before)
      if (order.otherwise === 'pause' || isAbortError(error)) throw error
      return await getResource(watch, { usage: null, problem: toErrorShape(error) })
    }
  }
}

/** Plays held-out tasks of those that were done when it fell due, without and with a soft prompt that the model is loaded with. */
function tryOut(
  { record, bank, embedder, prompts, models, tasks }: DistillingRun,
  environment: Environment,
  own: LanguageModel,
  softPrompt: ServedSoftPrompt,
  { at, holdOut }: DistilOrder,
  { signal, onProgress }: DistilWatch,
  clock: Clock,
): Promise<Trial> {
  const { method, k, seed, settings, temperature, maxTokens, memoryId } = record.config
  const attempt = {
    ...{ runId: record.id, memoryId, environment, method: findMethod(method), clock, temperature, maxTokens },
    context: { bank, embedder, prompts, k, seed, settings, model: models.acting(own) },
    user: models.of('user', own),
    judge: models.of('judge', own),
  }
  const onTask = (doneCount: number, total: number) => {
    onProgress({ stage: 'trying', done: doneCount, total, loss: null, etaMs: null })
  }
  const input = { attempt, softPrompt, tasks: tasks.slice(0, at), holdOut, seed, signal, onTask }
  return trySoftPrompt(input, () => clock.now())
}
