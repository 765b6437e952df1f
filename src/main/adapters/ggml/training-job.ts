import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ModelSizes } from '../../../core/soft-prompts/estimate'
import { packRows, requireItem } from '../../../core/soft-prompts/memory'
import { packingLimits, packSamples } from '../../../core/soft-prompts/packing'
import { sampleProblem } from '../../../core/soft-prompts/samples'
import { batchesOf, MOST_LOOKED_AT, trainSoftPrompt } from '../../../core/soft-prompts/train'
import { LoamError } from '../../../shared/errors'
import { readCheckpoint, removeCheckpoint, writeCheckpoint } from './checkpoint'
import type { TrainerEvent, TrainingJob, TrainingResult } from './protocol'
import { throwIfAborted } from '../../../core/ground/abort'
import { type GgmlDevice, openDevice } from './device'
import { freeMainMemory } from './free-memory'
import { readModelShape } from './model-shape'
import { selfTest } from './self-test'
import { SoftPromptGradient } from './soft-prompt-trainer'

const KEEP_EVERY_MS = 5000
/** Looks for a cancel at least this often, which also lets messages in and out. */
const PAUSE_EVERY_MS = 50
/** Steps whose packs are looked at to choose the lengths of graphs. */
const STEPS_PLANNED = 64

/** Does one training from start to end. Throws `TRAINER_*` and `MODEL_*` errors, or an AbortError when `signal` fires. */
export async function runTraining(
  job: TrainingJob,
  signal: AbortSignal,
  tell: (event: Extract<TrainerEvent, { kind: 'started' | 'progress' }>) => void,
): Promise<TrainingResult> {
  const shape = await readModelShape(job.model)
  const samples = [...job.train, ...job.heldOut]
  for (const sample of samples) {
    const problem = sampleProblem(sample, shape.sizes.vocabulary)
    if (problem !== null)
      throw new LoamError('BAD_INPUT', `The sample ${sample.id} cannot be learned: ${problem}.`, {
        suggestion: 'Choose other attempts.',
      })
  }
  const device = openDevice(job.backend, job.threads)
  try {
    const freeBytes = job.memoryLimit ?? freeMemory(device)
    const alone = samples.map(({ tokens }) => tokens.length + job.reservedIds.length - 1)
    requireItem(shape.sizes, alone, job.transposes, freeBytes)
    await selfTest(device, job.selfTest)
    throwIfAborted(signal)
    const source = new SoftPromptGradient(device, job.model, shape, {
      ids: job.reservedIds,
      lengths: packLengths(job, shape.sizes, Math.max(...alone), freeBytes),
      transposes: job.transposes,
      threads: job.threads,
      freeBytes,
    })
    try {
      return await train(job, source, signal, tell)
    } finally {
      source.dispose()
    }
  } finally {
    device.dispose()
  }
}

async function train(
  job: TrainingJob,
  source: SoftPromptGradient,
  signal: AbortSignal,
  tell: (event: Extract<TrainerEvent, { kind: 'started' | 'progress' }>) => void,
): Promise<TrainingResult> {
  const { checkpoint } = job
  const identity = identityOf(job)
  const resume = checkpoint === null ? null : await readCheckpoint(checkpoint, identity)
  tell({ kind: 'started', resumedAt: resume?.step ?? 0, workBytes: source.bytes })
  let looked = performance.now()
  // The first step is kept at once: with large models it alone took minutes.
  let keptCount = Number.NEGATIVE_INFINITY
  const { deltas, outcome } = await trainSoftPrompt(
    source,
    job.train,
    job.heldOut,
    job.settings,
    {
      now: () => performance.now(),
      pause: async () => {
        if (performance.now() - looked < PAUSE_EVERY_MS) return
        await nextTurn()
        looked = performance.now()
        throwIfAborted(signal)
      },
      onStep: (progress) => tell({ kind: 'progress', progress }),
      keep: async (state) => {
        if (checkpoint === null || performance.now() - keptCount < KEEP_EVERY_MS) return
        await writeCheckpoint(checkpoint, identity, state())
        keptCount = performance.now()
      },
    },
    resume,
    job.begin,
  )
  if (checkpoint !== null) await removeCheckpoint(checkpoint)
  return { deltas, outcome, workBytes: source.bytes }
}

/** Rows of the packs that a training computes: those of its first steps and of its looks, and its longest sample alone. */
function packLengths(job: TrainingJob, sizes: ModelSizes, longest: number, freeBytes: number): number[] {
  const most = packRows(sizes, longest, job.transposes, freeBytes)
  const limits = packingLimits(sizes, job.reservedIds, most)
  const packed = [job.heldOut, job.train.slice(0, MOST_LOOKED_AT)]
  const batches = batchesOf(job.train, job.settings)
  for (let step = 0; step < Math.min(STEPS_PLANNED, job.settings.steps); step++)
    packed.push(batches.next().value)
  return [
    longest,
    ...packed.flatMap((samples) => packSamples(samples, limits).map(({ tokens }) => tokens.length)),
  ]
}

/** Two jobs with one identity go through the same states. */
export function identityOf(job: TrainingJob): string {
  const { model, reservedIds, train, heldOut, settings, backend, begin } = job
  return createHash('sha256')
    .update(JSON.stringify([model, reservedIds, train, heldOut, settings, backend, begin && [...begin]]))
    .digest('hex')
}

/** Bytes that may be taken on the device; in main memory: without swapping. */
function freeMemory({ ggml, device, onHost }: GgmlDevice): number {
  if (!onHost) {
    const [free, total] = [new BigUint64Array(1), new BigUint64Array(1)]
    ggml.backend_dev_memory(device, free, total)
    return Number(free[0])
  }
  return freeMainMemory()
}
