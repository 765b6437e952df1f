import { mkdir } from 'node:fs/promises'
import {
  DIALOG_TOKENS,
  forecastOperations,
  guessLengths,
  type TaskLengths,
} from '../../core/soft-prompts/forecast'
import { requireItem } from '../../core/soft-prompts/memory'
import type { TrainInput, TrainingPlan, TrainerBackend } from '../../shared/domain/soft-prompt-training'
import { trainingSettingsSchema } from '../../shared/domain/soft-prompt'
import { LoamError } from '../../shared/errors'
import { freeMainMemory } from '../adapters/ggml/free-memory'
import { findGgml } from '../adapters/ggml/library-files'
import type { TrainingOptions, TrainingDeps, SoftPromptResult } from './training-deps'
import { finishTraining } from './finish-training'
import { planTraining } from './plan-training'
import { readPace } from './pace'
import { prepareTraining, taughtBy } from './prepare-training'
import { requireUntied, reserveTokens } from './base-model'
import { readPending, writePending } from './pending'
import { openSoftPromptStore } from './soft-prompt-store'

/** Distils a memory's successes into a soft prompt. */
export type SoftPromptTraining = ReturnType<typeof createSoftPromptTraining>

/** Trains with the engine and a process of its own. */
export function createSoftPromptTraining(deps: TrainingDeps) {
  const requireEngine = (): void => {
    if (deps.engineTaken())
      throw new LoamError('CONFLICT', 'A run is using the model.', {
        suggestion: 'Wait until it is done, or pause it.',
        retryable: true,
      })
  }

  const consolidate = async (input: TrainInput, options: TrainingOptions = {}): Promise<SoftPromptResult> => {
    const { ofRun } = options
    const { folder } = openSoftPromptStore(deps.memories.folder(input.memory))
    if (ofRun) {
      const backlog = await readPending(folder)
      if (backlog?.taught && backlog.name === ofRun.name) {
        // The run had it loaded for its tasks; the training needs the room.
        await deps.unloadModel()
        return finishTraining(deps, backlog, backlog.taught, options)
      }
    } else requireEngine()
    const beginning = { at: deps.clock.now().toISOString(), input, ...(ofRun && { name: ofRun.name }) }
    // Refuses what cannot be before anything is kept of it.
    await prepareTraining(deps, input)
    await mkdir(folder, { recursive: true })
    await writePending(folder, { ...beginning, taught: null })
    const teaching = await taughtBy(deps, input, options)
    await writePending(folder, { ...beginning, taught: teaching })
    return finishTraining(deps, beginning, teaching, options)
  }

  return {
    plan: (input: TrainInput): Promise<TrainingPlan> => planTraining(deps, input),

    /**
     * Throws what is already known to keep a training on this model from starting: `TRAINER_UNAVAILABLE`, `TRAINER_MODEL` (its
     * architecture, tied embeddings, too few reserved tokens) or `TRAINER_MEMORY`.
     */
    async requireTrainable(
      path: string,
      {
        length,
        student,
        backend,
      }: { readonly length: number | null; readonly student: number; readonly backend: TrainerBackend },
    ): Promise<void> {
      findGgml(backend)
      const { shape, reservedIds } = await reserveTokens(path, length)
      await requireUntied(path, deps.modelFolder)
      // Other devices have memory of their own, which only the trainer can ask for.
      if (backend === 'cpu')
        requireItem(
          shape.sizes,
          [(student + 1) * DIALOG_TOKENS + reservedIds.length],
          'auto',
          freeMainMemory(),
        )
    },

    /** Milliseconds that a training in a run takes at most, guessed before there are attempts, from what its tasks are like; the teacher's part comes on top. */
    async forecast(
      path: string,
      {
        length,
        student,
        steps,
        tasks,
      }: {
        readonly length: number | null
        readonly student: number
        readonly steps: number
        readonly tasks?: TaskLengths
      },
    ): Promise<number> {
      const { reservedIds, shape } = await reserveTokens(path, length)
      const { sizes } = shape
      const { operationsPerMs } = await readPace(deps.dataPath, deps.threads())
      const settings = trainingSettingsSchema.parse({ steps })
      return (
        forecastOperations(guessLengths(student, reservedIds.length, tasks), sizes, settings) /
        operationsPerMs
      )
    },

    /** What is done is kept as it goes, so that it can be gone on with after an abort, a failure or the host's end. */
    consolidate,

    /** Goes on with the consolidation of a memory that stopped before its end. Throws `NOT_FOUND` when there is none. */
    async resume(memory: string, options: TrainingOptions = {}): Promise<SoftPromptResult> {
      const backlog = await readPending(openSoftPromptStore(deps.memories.folder(memory)).folder)
      if (!backlog)
        throw new LoamError('NOT_FOUND', 'No training of this memory was interrupted.', {
          suggestion: 'Start one.',
        })
      const { taught } = backlog
      if (!taught) return consolidate(backlog.input, options)
      requireEngine()
      const { sha256 } = await deps.hasher.hash(taught.model, options.signal)
      if (sha256 !== taught.modelHash.sha256)
        throw new LoamError('CONFLICT', `The model ${taught.model} changed since the training began.`, {
          suggestion: 'Throw the interrupted training away and start anew.',
        })
      await deps.unloadModel()
      return finishTraining(deps, backlog, taught, options)
    },
  }
}
