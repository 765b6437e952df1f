import { LoamError } from '../../shared/errors'
import type { Instead } from '../../shared/domain/soft-prompt'
import type { TrainingJob, TrainingResult } from '../adapters/ggml/protocol'
import type { TrainingDeps } from './training-deps'
import type { TrainingWatch } from './trainer'

/** What says that a device cannot train: it is not there, it is off from the processor's gradients, or it ended on the way. */
const DEVICE_PROBLEMS: ReadonlySet<string> = new Set(['TRAINER_UNAVAILABLE', 'TRAINER_CHECK', 'TRAINER_DIED'])

/** What a training came to, and what stood in the way of the device that was chosen. */
export interface SomewhereTrained {
  readonly result: TrainingResult
  readonly instead: Instead | undefined
}

/**
 * Trains on the device that was chosen; where that cannot, on the processor, from the beginning: a checkpoint is its device's. `onInstead` is told why. Rejects with what the
 * processor fails with, and with an AbortError when the signal fires.
 */
export async function trainSomewhere(
  train: NonNullable<TrainingDeps['train']>,
  job: TrainingJob,
  watch: TrainingWatch,
  onInstead: (instead: Instead) => void,
): Promise<SomewhereTrained> {
  try {
    return { result: await train(job, watch), instead: undefined }
  } catch (error) {
    const isDevice = error instanceof LoamError && DEVICE_PROBLEMS.has(error.code)
    if (!isDevice || job.backend === 'cpu' || watch.signal?.aborted === true) throw error
    const instead: Instead = { of: job.backend, why: error.why }
    onInstead(instead)
    return { result: await train({ ...job, backend: 'cpu' }, watch), instead }
  }
}
