import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createRng } from '../../../../src/core/ground/random'
import { packingLimits, packSamples } from '../../../../src/core/soft-prompts/packing'
import type { TrainingSample } from '../../../../src/core/soft-prompts/samples'
import { openDevice } from '../../../../src/main/adapters/ggml/device'
import { GgmlType } from '../../../../src/main/adapters/ggml/ggml-type'
import { readModelShape } from '../../../../src/main/adapters/ggml/model-shape'
import { gradientError, selfTest } from '../../../../src/main/adapters/ggml/self-test'
import { SoftPromptGradient } from '../../../../src/main/adapters/ggml/soft-prompt-trainer'
import { stockProbabilities } from './stock-inference'
import { FIRST_RESERVED, writeTinyModel, type TinyModel } from '../../../../src/main/adapters/ggml/tiny-model'
import { TORTURE } from '../../../torture'

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

const PLAIN = ['F16', 'BF16', 'Q4_0', 'Q4_1', 'Q5_0', 'Q5_1', 'Q8_0', 'IQ4_NL'] as const
const BLOCKS = ['Q3_K', 'Q4_K', 'Q5_K', 'Q6_K', 'IQ4_XS'] as const
/** K-quants come in blocks of 256. */
const WIDE = { width: 256, headWidth: 64 }

const pathOf = ({ architecture, tied, type, width }: TinyModel) =>
  join(folder, `${[architecture, tied, type, width].join('-')}.gguf`)

async function open(model: TinyModel, transposes?: 'stored-f32' | 'stored-bf16' | 'on-the-fly') {
  const path = pathOf(model)
  writeTinyModel(path, { ...model, ggml: device.ggml })
  return new SoftPromptGradient(device, path, await readModelShape(path), {
    ids,
    lengths: [sample.tokens.length + ids.length],
    ...(transposes && { transposes }),
  })
}

const start = (size: number) => {
  const random = createRng('start')
  return Float32Array.from({ length: size }, () => random.next() - 0.5)
}

const ARCHITECTURES = ['llama', 'qwen2', 'qwen3'] as const
const length = (values: Float32Array) => Math.sqrt(values.reduce((sum, value) => sum + value * value, 0))
const disagreement = (trainer: SoftPromptGradient, learned: TrainingSample) =>
  gradientError(trainer, [learned], start(trainer.size), 8)

describe('the gradient of a soft prompt', () => {
  for (const architecture of ARCHITECTURES)
    for (const tied of TORTURE || architecture === 'llama' ? [false, true] : [false])
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

  it('is the same whatever other lengths are planned for, and takes no more memory than was said', async () => {
    const path = join(folder, 'lengths.gguf')
    writeTinyModel(path, { architecture: 'llama' })
    const long = {
      id: 'long',
      // More targets than one block of logits has rows, in a sequence of another length.
      tokens: Array.from({ length: 330 }, (_, index) => (index * 7) % 250),
      softAt: 0,
      targets: Array.from({ length: 300 }, (_, index) => index + 30),
    }
    const shape = await readModelShape(path)
    const both = new SoftPromptGradient(device, path, shape, {
      ids,
      lengths: [sample, long].map(({ tokens }) => tokens.length + ids.length),
    })
    const deltas = start(both.size)
    const first = await both.evaluate([sample], deltas, true)
    const { gradient, loss } = await both.evaluate([long], deltas, true)
    expect(await both.evaluate([sample], deltas, true)).toEqual(first)
    expect(both.bytes).toBeLessThan(both.estimate.workBytes)
    both.dispose()
    const parts = [long.targets.slice(0, 130), long.targets.slice(130)]
    const alone = new SoftPromptGradient(device, path, shape, {
      ids,
      lengths: [long.tokens.length + ids.length],
    })
    const sums: Awaited<ReturnType<typeof alone.evaluate>>[] = []
    for (const targets of parts) sums.push(await alone.evaluate([{ ...long, targets }], deltas, true))
    alone.dispose()
    expect(sums.reduce((sum, part) => sum + part.loss, 0)).toBeCloseTo(loss, 2)
    const summed = (gradient as Float32Array).map((_, index) =>
      sums.reduce((sum, part) => sum + (part.gradient?.[index] ?? Number.NaN), 0),
    )
    const off = length(summed.map((value, index) => value - ((gradient as Float32Array)[index] as number)))
    expect(off / length(summed)).toBeLessThan(1e-4)
  })

  it('is for samples that begin alike, computed as one tree, the sum of each alone', async () => {
    const path = join(folder, 'tree.gguf')
    writeTinyModel(path, { architecture: 'qwen3' })
    const begin = Array.from({ length: 60 }, (_, index) => (index * 11) % 250)
    const branch = (first: number, count: number, more: readonly number[] = begin) => ({
      id: `branch ${first}`,
      tokens: [...more, ...Array.from({ length: count }, (_, index) => (first + index * 3) % 250)],
      softAt: 1,
      targets: Array.from({ length: count }, (_, index) => more.length + index),
    })
    // The last one goes on where the second one ends.
    const second = branch(100, 12)
    const samples = [branch(7, 9), second, branch(33, 5), branch(61, 8, second.tokens)]
    const shape = await readModelShape(path)
    const trainer = new SoftPromptGradient(device, path, shape, { ids, lengths: [128] })
    const deltas = start(trainer.size)
    const packs = packSamples(samples, packingLimits(shape.sizes, ids, 128))
    expect(packs.map(({ tokens }) => tokens.length)).toEqual([60 + 4 + 8 + 12 + 4 + 7])
    const together = await trainer.evaluate(samples, deltas, true)
    let loss = 0
    const sum = new Float32Array(trainer.size)
    for (const one of samples) {
      const alone = await trainer.evaluate([one], deltas, true)
      loss += alone.loss
      for (const [index, value] of (alone.gradient as Float32Array).entries()) (sum[index] as number) += value
    }
    trainer.dispose()
    expect(together.loss).toBeCloseTo(loss, 3)
    const gradient = together.gradient as Float32Array
    expect(length(gradient.map((value, index) => value - (sum[index] as number))) / length(sum)).toBeLessThan(
      1e-4,
    )
  })

  it('is the same on a device that shares no memory with the CPU', async () => {
    // The CPU, treated like a GPU: weights are copied over, turned ones and embeddings are sent.
    const apart = { ...device, onHost: false }
    const path = join(folder, 'apart.gguf')
    writeTinyModel(path, { architecture: 'qwen2', type: GgmlType.Q4_K, ggml: device.ggml, ...WIDE })
    const shape = await readModelShape(path)
    const results = []
    for (const one of [device, apart]) {
      const options = {
        ids,
        lengths: [sample.tokens.length + ids.length],
        transposes: 'stored-bf16' as const,
      }
      const trainer = new SoftPromptGradient(one, path, shape, options)
      results.push(await trainer.evaluate([sample], start(trainer.size), true))
      trainer.dispose()
    }
    expect(results[1]).toEqual(results[0])
  })

  describe('on a card', () => {
    // The CPU, treated like a card.
    const card = { ...device, onHost: false, name: 'made-up card' }
    /** A card whose calls of one function come to something else. */
    const cardWith = (change: Partial<typeof device.ggml>) => ({
      ...card,
      ggml: { ...device.ggml, ...change },
    })

    it('is held against the processor’s, with packed weights too', async () => {
      const { distances } = await selfTest(card, null, device)
      expect(distances).toEqual({ llama: 0, qwen2: 0, qwen3: 0, packed: 0 })
      expect((await selfTest(device, null)).distances).toBeUndefined()
    })

    it('is refused where the card is wrong in itself, which finite differences do not tell', async () => {
      const { rope_ext, rope_ext_back } = device.ggml
      const turned =
        (rope: typeof rope_ext): typeof rope_ext =>
        (...args) =>
          rope(...(args.with(7, (args[7] as number) * 4) as typeof args))
      const wrong = cardWith({ rope_ext: turned(rope_ext), rope_ext_back: turned(rope_ext_back) })
      await expect(selfTest(wrong, null, device)).rejects.toMatchObject({
        code: 'TRAINER_CHECK',
        message: expect.stringContaining('made-up card learns something else than the processor') as unknown,
      })
    })

    it('is refused where its gradient is nothing', async () => {
      const nowhere = cardWith({ rms_norm: (context, x) => device.ggml.rms_norm(context, x, Infinity) })
      await expect(selfTest(nowhere, null, device)).rejects.toMatchObject({ code: 'TRAINER_CHECK' })
    })
  })

  // Finite differences say nothing here: these kernels round activations on the way forward.
  for (const type of [...PLAIN, ...BLOCKS])
    it(`is the same however the ${type} weights are turned`, async () => {
      const gradients: Float32Array[] = []
      for (const transposes of ['stored-f32', 'stored-bf16', 'on-the-fly'] as const) {
        const trainer = await open({ architecture: 'qwen2', type: GgmlType[type], ...WIDE }, transposes)
        const { gradient } = await trainer.evaluate([sample], start(trainer.size), true)
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

/** On processors with AMX llama.cpp may multiply F16 weights by activations as they are, not rounded to F16: up to .0004 was seen there, 1e-7 elsewhere. */
const MOST_APART: Readonly<Record<string, number>> = { F16: 2e-3 }

describe('the forward pass', () => {
  for (const [n, type] of (['F32', ...PLAIN, ...BLOCKS] as const).entries())
    it(`gives llama.cpp's probabilities: ${type}`, async () => {
      for (const architecture of TORTURE ? ARCHITECTURES : ARCHITECTURES.filter((_, i) => i === n % 3)) {
        const model = { architecture, type: GgmlType[type], ...WIDE }
        const trainer = await open(model)
        const ours = await trainer.logits(sample, new Float32Array(trainer.size))
        trainer.dispose()
        const tokens = [...sample.tokens.slice(0, 1), ...ids, ...sample.tokens.slice(1, -1)]
        const theirs = await stockProbabilities(pathOf(model), tokens)
        const sum = ours.reduce((total, logit) => total + Math.exp(logit), 0)
        let worst = 0
        for (const [id, probability] of theirs)
          worst = Math.max(worst, Math.abs(Math.exp(ours[id] as number) / sum - probability))
        expect(worst).toBeLessThan(MOST_APART[type] ?? 1e-5)
      }
    })
})
