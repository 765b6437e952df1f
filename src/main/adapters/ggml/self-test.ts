import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import type { TrainingSample } from '../../../core/soft-prompts/samples'
import { createRng } from '../../../core/ground/random'
import { LoamError } from '../../../shared/errors'
import { readDerived, writeDerived } from '../../ground/derived-file'
import type { GgmlDevice } from './device'
import { readModelShape } from './model-shape'
import { SoftPromptGradient } from './soft-prompt-trainer'
import { FIRST_RESERVED, type TinyModel, writeTinyModel } from './tiny-model'
import { rm } from '../../ground/steady-files'

/** Raised whenever the pass changes, so that it is tested anew. */
const PASS_VERSION = 2
/** Largest disagreement with finite differences, relative to the gradient's length. */
const SELF_TEST_LIMIT = 1e-2
const STEP = 2e-3
const DIRECTIONS = 4
const MODELS: readonly TinyModel[] = [
  { architecture: 'llama' },
  { architecture: 'qwen2', tied: true },
  { architecture: 'qwen3' },
]
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
})
export type SelfTestResult = z.infer<typeof resultSchema>

/**
 * Checks the gradient against finite differences on tiny random models of every architecture, once per machine, device and
 * ggml build: a result kept in `file` for the same subject is answered at once. Throws `TRAINER_CHECK` when it is off.
 */
export async function selfTest(device: GgmlDevice, file: string | null): Promise<SelfTestResult> {
  const subject = subjectOf(device)
  const selection = file === null ? null : await readDerived(file, resultSchema)
  if (selection?.subject === subject) return selection
  const errors: Record<string, number> = {}
  const folder = await mkdtemp(join(tmpdir(), 'loam-self-test-'))
  try {
    for (const model of MODELS) {
      const path = join(folder, `${model.architecture}.gguf`)
      writeTinyModel(path, model)
      errors[model.architecture] = await testModel(device, path)
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  for (const [architecture, error] of Object.entries(errors))
    if (!(error < SELF_TEST_LIMIT))
      throw new LoamError(
        'TRAINER_CHECK',
        `On ${device.name} the gradient of a ${architecture} model is off by ${(error * 100).toFixed(1)} % from finite differences; at most ${SELF_TEST_LIMIT * 100} % is right.`,
        { suggestion: device.onHost ? 'Install Loam again on this machine.' : 'Train on the CPU.' },
      )
  const result = { subject, at: new Date().toISOString(), errors }
  if (file !== null) await writeDerived(file, result)
  return result
}

async function testModel(device: GgmlDevice, path: string): Promise<number> {
  const ids = [0, 1, 2, 3].map((index) => FIRST_RESERVED + index)
  const trainer = new SoftPromptGradient(device, path, await readModelShape(path), {
    ids,
    lengths: [SAMPLES.reduce((sum, { tokens }) => sum + tokens.length, 2 * ids.length)],
  })
  try {
    const random = createRng('self-test')
    const deltas = Float32Array.from({ length: trainer.size }, () => random.next() - 0.5)
    return await gradientError(trainer, SAMPLES, deltas, DIRECTIONS)
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
