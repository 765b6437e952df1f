import { trainSoftPrompt } from '../../../src/core/soft-prompts/train'
import { openDevice } from '../../../src/main/adapters/ggml/device'
import { readModelShape } from '../../../src/main/adapters/ggml/model-shape'
import { SoftPromptGradient } from '../../../src/main/adapters/ggml/soft-prompt-trainer'
import { identityOf } from '../../../src/main/adapters/ggml/training-job'
import { writeCheckpoint } from '../../../src/main/adapters/ggml/checkpoint'
import type { TrainingJob } from '../../../src/main/adapters/ggml/protocol'

/** Trains until `step`, keeps the state as a checkpoint, and stops there as a killed trainer would. */
export async function runTrainingUntil(job: TrainingJob, step: number): Promise<void> {
  const device = openDevice('cpu', 1)
  const source = new SoftPromptGradient(device, job.model, await readModelShape(job.model), {
    ids: job.reservedIds,
    lengths: [...job.train, ...job.heldOut].map(({ tokens }) => tokens.length),
  })
  const hooks = {
    now: () => 0,
    keep: async (state: () => Parameters<typeof writeCheckpoint>[2]) => {
      if (state().step !== step) return
      await writeCheckpoint(job.checkpoint as string, identityOf(job), state())
      throw new Error('killed')
    },
  }
  await trainSoftPrompt(source, job.train, job.heldOut, job.settings, hooks).catch(() => undefined)
  source.dispose()
}
