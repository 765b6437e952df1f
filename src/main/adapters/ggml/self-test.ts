import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import type { TrainingSample } from '../../../core/soft-prompts/samples'
import { createRng } from '../../../core/ground/random'
import { LoamError } from '../../../shared/errors'
import { readDerived, writeDerived } from '../../ground/derived-file'
import { openHost, type GgmlDevice } from './device'
import { GgmlType } from './ggml-type'
import { readModelShape } from './model-shape'
import { SoftPromptGradient } from './soft-prompt-trainer'
import { FIRST_RESERVED, type TinyModel, writeTinyModel } from './tiny-model'
import { rm } from '../../ground/steady-files'

/** Raised whenever the pass changes, so that it is tested anew. */
const PASS_VERSION = 3
/** Largest disagreement with finite differences, relative to the gradient's length. */
const SELF_TEST_LIMIT = 1e-2
const STEP = 2e-3
const DIRECTIONS = 4
/** Largest distance of a card's loss and gradient from the processor's, relative to those: with weights as they are, and in 4 bits, which each multiplies in a way of its own. */
const DISTANCE_LIMITS = { plain: 1e-2, packed: 0.2 } as const
const MODELS: readonly TinyModel[] = [
  { architecture: 'llama' },
  { architecture: 'qwen2', tied: true },
  { architecture: 'qwen3' },
]
/** Looked at beside the processor alone: steps between packed weights are too coarse for finite differences. */
const PACKED: TinyModel = { architecture: 'llama', type: GgmlType.Q4_K, width: 256, headWidth: 64 }
/** Two that begin alike, so that they are computed as a tree. */
const SAMPLES: readonly TrainingSample[] = [
  [286, 20, 41, 7, 99, 120, 64, 5, 33, 80],
  [286, 20, 41, 7, 99, 120, 11, 72, 90, 3],
].map((tokens) => ({ id: 'self-test', tokens, softAt: 1, targets: [4, 5, 8, 9] }))

const resultSchema = z.object({
  /** What was tested: pass, ggml build, platform, device. */
  subject: z.string(),
  at: z.string(),
  /** The largest disagreement per tiny model. */
  errors: z.record(z.string(), z.number()),
  /** On a card, the largest distance from the processor's loss and gradient, per tiny model. */
  distances: z.record(z.string(), z.number()).optional(),
})
export type SelfTestResult = z.infer<typeof resultSchema>

/**
 * Checks the gradient against finite differences on tiny random models of every architecture, and on a card, which may be wrong in itself, loss and
 * gradient against the processor's, also with packed weights; once per machine, device and ggml build: a result kept in `file` for the same subject is
 * answered at once. Throws `TRAINER_CHECK` when it is off.
 *
 * @param host the processor to compare a card with. Default: of the same libraries
 */
export async function selfTest(
  device: GgmlDevice,
  file: string | null,
  host?: GgmlDevice,
): Promise<SelfTestResult> {
  const subject = subjectOf(device)
  const selection = file === null ? null : await readDerived(file, resultSchema)
  if (selection?.subject === subject) return selection
  const folder = await mkdtemp(join(tmpdir(), 'loam-self-test-'))
  const processor = device.onHost ? null : (host ?? openHost(device, 1))
  try {
    const errors = await differencesOn(device, folder)
    const distances = processor && (await distancesBetween(device, processor, folder))
    const result = { subject, at: new Date().toISOString(), errors, ...(distances && { distances }) }
    if (file !== null) await writeDerived(file, result)
    return result
  } finally {
    if (processor !== host) processor?.dispose()
    await rm(folder, { recursive: true, force: true })
  }
}

const percent = (part: number): string => `${(part * 100).toFixed(1)} %`

async function differencesOn(device: GgmlDevice, folder: string): Promise<Record<string, number>> {
  const errors: Record<string, number> = {}
  for (const model of MODELS) {
    const error = await onTiny(device, folder, model, (trainer, deltas) =>
      gradientError(trainer, SAMPLES, deltas, DIRECTIONS),
    )
    if (!(error < SELF_TEST_LIMIT))
      throw new LoamError(
        'TRAINER_CHECK',
        `On ${device.name} the gradient of a ${model.architecture} model is off by ${percent(error)} from finite differences; at most ${SELF_TEST_LIMIT * 100} % is right.`,
        { suggestion: device.onHost ? 'Install Loam again on this machine.' : 'Train on the CPU.' },
      )
    errors[model.architecture] = error
  }
  return errors
}

async function distancesBetween(
  device: GgmlDevice,
  processor: GgmlDevice,
  folder: string,
): Promise<Record<string, number>> {
  const distances: Record<string, number> = {}
  for (const model of [...MODELS, PACKED]) {
    const [kind, name] =
      model === PACKED ? (['packed', 'packed'] as const) : (['plain', model.architecture] as const)
    const work = (trainer: SoftPromptGradient, deltas: Float32Array): Promise<Evaluation> =>
      trainer.evaluate(SAMPLES, deltas, true)
    const distance = distanceOf(
      await onTiny(device, folder, model, work),
      await onTiny(processor, folder, model, work),
    )
    if (!(distance < DISTANCE_LIMITS[kind]))
      throw new LoamError(
        'TRAINER_CHECK',
        `${device.name} learns something else than the processor: on a tiny ${name} model its loss and gradient are ${percent(distance)} away; at most ${DISTANCE_LIMITS[kind] * 100} % is right.`,
        { suggestion: 'Train on the CPU.' },
      )
    distances[name] = distance
  }
  return distances
}
type Evaluation = Awaited<ReturnType<SoftPromptGradient['evaluate']>>

const lengthOf = (values: Float32Array): number =>
  Math.sqrt(values.reduce((sum, value) => sum + value * value, 0))

/** How far apart two are, of the second one: the loss or the gradient, whichever is further. Not a number where either is none. */
function distanceOf(own: Evaluation, usual: Evaluation): number {
  const [ownGradient, gradient] = [own.gradient as Float32Array, usual.gradient as Float32Array]
  const apart = gradient.map((value, index) => value - (ownGradient[index] as number))
  return Math.max(Math.abs(own.loss - usual.loss) / usual.loss, lengthOf(apart) / lengthOf(gradient))
}

/** Works with a tiny random model on a device, from the same beginning each time. */
async function onTiny<T>(
  device: GgmlDevice,
  folder: string,
  model: TinyModel,
  work: (trainer: SoftPromptGradient, deltas: Float32Array) => Promise<T>,
): Promise<T> {
  const path = join(folder, 'tiny.gguf')
  writeTinyModel(path, { ...model, ggml: device.ggml })
  const ids = [0, 1, 2, 3].map((index) => FIRST_RESERVED + index)
  const trainer = new SoftPromptGradient(device, path, await readModelShape(path), {
    ids,
    lengths: [SAMPLES.reduce((sum, { tokens }) => sum + tokens.length, 2 * ids.length)],
  })
  try {
    const random = createRng('self-test')
    return await work(
      trainer,
      Float32Array.from({ length: trainer.size }, () => random.next() - 0.5),
    )
  } finally {
    trainer.dispose()
  }
}

/** The largest difference between slopes along random directions and the gradient's, relative to the gradient's length. */
export async function gradientError(
  trainer: SoftPromptGradient,
  samples: readonly TrainingSample[],
  deltas: Float32Array,
  directions: number,
): Promise<number> {
  const gradient = (await trainer.evaluate(samples, deltas, true)).gradient as Float32Array
  const length = Math.sqrt(gradient.reduce((sum, value) => sum + value * value, 0))
  const random = createRng('directions')
  let worst = 0
  for (let trial = 0; trial < directions; trial++) {
    const direction = deltas.map(() => (random.next() < 0.5 ? -1 : 1))
    const lossAt = async (step: number) => {
      const float32Array = deltas.map((delta, index) => delta + step * (direction[index] as number))
      return (await trainer.evaluate(samples, float32Array, false)).loss
    }
    const slope = ((await lossAt(STEP)) - (await lossAt(-STEP))) / (2 * STEP)
    const expectedCount = direction.reduce(
      (sum, value, index) => sum + value * (gradient[index] as number),
      0,
    )
    worst = Math.max(worst, Math.abs(slope - expectedCount) / length)
  }
  return worst
}

function subjectOf({ ggml, files, device, name }: GgmlDevice): string {
  return [
    `pass ${PASS_VERSION}`,
    `node-llama-cpp ${files.release}`,
    `ggml ${ggml.version()} ${ggml.commit()}`,
    `${process.platform}-${process.arch}`,
    `${name} (${ggml.backend_dev_description(device)})`,
  ].join(', ')
}
