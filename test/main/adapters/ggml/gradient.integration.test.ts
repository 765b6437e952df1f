import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createRng } from '../../../../src/core/random'
import type { TrainingSample } from '../../../../src/core/consolidation/samples'
import { openDevice } from '../../../../src/main/adapters/ggml/device'
import { GgmlType } from '../../../../src/main/adapters/ggml/ggml-type'
import { readModelShape } from '../../../../src/main/adapters/ggml/model-shape'
import { SoftPromptGradient } from '../../../../src/main/adapters/ggml/soft-prompt-trainer'
import { stockLogits } from './stock-inference'
import { FIRST_RESERVED, writeTinyModel, type TinyModel } from './tiny-model'

const folder = mkdtempSync(join(tmpdir(), 'loam-gradient-'))
afterAll(() => rmSync(folder, { recursive: true }))
const device = openDevice('cpu', 1)
const ids = [0, 1, 2, 3].map((index) => FIRST_RESERVED + index)
const sample: TrainingSample = {
  id: 'one',
  tokens: [286, 20, 41, 7, 99, 120, 64, 5, 33, 80],
  softAt: 1,
  targets: [4, 5, 8, 9],
}

/** K-quants come in blocks of 256. */
const WIDE = { width: 256, headWidth: 64 }

const pathOf = ({ architecture, tied, type, width }: TinyModel) =>
  join(folder, `${[architecture, tied, type, width].join('-')}.gguf`)

async function open(model: TinyModel, transposes?: 'stored-f32' | 'stored-bf16' | 'on-the-fly') {
  const path = pathOf(model)
  writeTinyModel(path, { ...model, ggml: device.ggml })
  return new SoftPromptGradient(device, path, await readModelShape(path), {
    ids,
    lengths: [sample.tokens.length],
    ...(transposes && { transposes }),
  })
}

const start = (size: number) => {
  const random = createRng('start')
  return Float32Array.from({ length: size }, () => random.next() - 0.5)
}

const length = (values: Float32Array) => Math.sqrt(values.reduce((sum, value) => sum + value * value, 0))
const product = (a: Float32Array, b: Float32Array) =>
  a.reduce((sum, value, index) => sum + value * (b[index] as number), 0)

/** The largest disagreement between slopes along random directions and what the gradient says, relative to its length. */
async function disagreement(trainer: SoftPromptGradient, learned: TrainingSample): Promise<number> {
  const deltas = start(trainer.size)
  const gradient = (await trainer.evaluate(learned, deltas, true)).gradient as Float32Array
  const random = createRng('directions')
  const step = 2e-3
  let worst = 0
  for (let trial = 0; trial < 8; trial++) {
    const direction = deltas.map(() => (random.next() < 0.5 ? -1 : 1))
    const lossAt = async (sign: number) => {
      const moved = deltas.map((delta, index) => delta + sign * step * (direction[index] as number))
      return (await trainer.evaluate(learned, moved, false)).loss
    }
    const slope = ((await lossAt(1)) - (await lossAt(-1))) / (2 * step)
    worst = Math.max(worst, Math.abs(slope - product(direction, gradient)) / length(gradient))
  }
  return worst
}

describe('the gradient of a soft prompt', () => {
  for (const architecture of ['llama', 'qwen2', 'qwen3'] as const)
    for (const tied of [false, true])
      it(`agrees with finite differences: ${architecture}, ${tied ? 'tied' : 'untied'}`, async () => {
        const trainer = await open({ architecture, tied })
        expect(await disagreement(trainer, sample)).toBeLessThan(1e-2)
        trainer.dispose()
      })

  it('agrees with finite differences when it learns the teacher distribution', async () => {
    const trainer = await open({ architecture: 'llama' })
    const teacher = sample.targets.map((at) => ({ ids: [at, 50, 60], probabilities: [0.5, 0.3, 0.1] }))
    expect(await disagreement(trainer, { ...sample, teacher })).toBeLessThan(1e-2)
    trainer.dispose()
  })

  // Finite differences say nothing here: these kernels round activations on the way forward.
  for (const type of ['F16', 'BF16', 'Q8_0', 'Q4_K', 'Q5_K', 'Q6_K'] as const)
    it(`is the same however the ${type} weights are turned`, async () => {
      const gradients: Float32Array[] = []
      for (const transposes of ['stored-f32', 'stored-bf16', 'on-the-fly'] as const) {
        const trainer = await open({ architecture: 'qwen2', type: GgmlType[type], ...WIDE }, transposes)
        const { gradient } = await trainer.evaluate(sample, start(trainer.size), true)
        gradients.push(gradient as Float32Array)
        trainer.dispose()
      }
      const [full, kept, made] = gradients as [Float32Array, Float32Array, Float32Array]
      for (const other of [kept, made]) {
        const difference = length(full.map((value, index) => value - (other[index] as number)))
        expect(difference / length(full)).toBeLessThan(2e-2)
      }
    })
})

describe('the forward pass', () => {
  for (const [type, tolerance] of [
    ['F32', 1e-4],
    ['F16', 2e-2],
    ['BF16', 5e-2],
    ['Q8_0', 5e-2],
    ['Q4_K', 5e-2],
    ['Q6_K', 5e-2],
  ] as const)
    it(`gives llama.cpp's logits: ${type}`, async () => {
      for (const architecture of ['llama', 'qwen2', 'qwen3'] as const) {
        const model = { architecture, type: GgmlType[type], ...WIDE }
        const trainer = await open(model)
        const ours = await trainer.logits(sample, new Float32Array(trainer.size))
        trainer.dispose()
        const tokens = [...sample.tokens.slice(0, 1), ...ids, ...sample.tokens.slice(1, -1)]
        const theirs = await stockLogits(pathOf(model), tokens)
        const worst = ours.reduce(
          (most, logit, id) => Math.max(most, Math.abs(logit - (theirs.get(id) ?? Number.NaN))),
          0,
        )
        expect(worst).toBeLessThan(tolerance)
      }
    })
})
