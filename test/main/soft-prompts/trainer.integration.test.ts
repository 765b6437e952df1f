import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { chooseReservedTokens } from '../../../src/core/soft-prompts/reserved-tokens'
import type { TrainingSample } from '../../../src/core/soft-prompts/samples'
import { openDevice } from '../../../src/main/adapters/ggml/device'
import { GgmlType } from '../../../src/main/adapters/ggml/ggml-type'
import { FIRST_RESERVED, TINY, writeTinyModel } from '../../../src/main/adapters/ggml/tiny-model'
import { readVocabulary } from '../../../src/main/gguf/vocabulary'
import type { TrainingJob } from '../../../src/main/adapters/ggml/protocol'
import { writeAdapter } from '../../../src/main/soft-prompts/soft-prompt-file'
import { died, GRACE_MS, trainInChild } from '../../../src/main/soft-prompts/trainer'
import { trainingSettingsSchema, type TrainingSettings } from '../../../src/shared/domain/soft-prompt'
import { stockGreedy } from '../adapters/ggml/stock-inference'
import { hasStories, STORIES } from '../adapters/llama/stories-model'
import { runTrainingUntil } from './interrupted-training'

const folder = mkdtempSync(join(tmpdir(), 'loam-trainer-'))
afterAll(() => rmSync(folder, { recursive: true }))

function jobFor(model: string, train: TrainingSample[], settings: Partial<TrainingSettings>): TrainingJob {
  return {
    model,
    reservedIds: Array.from({ length: 20 }, (_, index) => FIRST_RESERVED + index),
    train,
    heldOut: [],
    settings: trainingSettingsSchema.parse(settings),
    begin: null,
    backend: 'cpu',
    threads: 1,
    transposes: 'auto',
    checkpoint: null,
    selfTest: join(folder, 'self-test.json'),
    memoryLimit: null,
  }
}

const sampleOf = (prompt: readonly number[], target: readonly number[], id = 'toy'): TrainingSample => ({
  id,
  tokens: [...prompt, ...target],
  softAt: 0,
  targets: target.map((_, index) => prompt.length + index),
})

const TARGET = [30, 70, 12, 44, 101, 9, 77, 63, 28, 55]

describe('a trained soft prompt in stock llama.cpp', () => {
  it.skipIf(!hasStories)('writes what it was trained to write, on a third-party model', async () => {
    const { vocabulary, taken } = await readVocabulary(STORIES)
    const reservedIds = chooseReservedTokens(vocabulary, 20, taken)
    const prompt = [1, 403, 407, 261, 378]
    const target = [410, 449, 300, 421, 288, 433, 270, 415, 391, 426]
    const job = {
      ...jobFor(STORIES, [sampleOf(prompt, target)], { steps: 120, learningRate: 0.3 }),
      reservedIds,
    }
    const { deltas, outcome } = await trainInChild(job)
    expect(outcome.finalLoss).toBeLessThan(0.1 * outcome.initialLoss)
    const adapter = join(folder, 'stories.gguf')
    writeAdapter(adapter, { architecture: 'llama', vocabulary: 512, width: 64, ids: reservedIds, deltas })
    expect(await stockGreedy(STORIES, [...reservedIds, ...prompt], target.length, adapter)).toEqual(target)
    expect(await stockGreedy(STORIES, prompt, target.length)).not.toEqual(target)
  })

  for (const [architecture, type] of [
    ['llama', 'F16'],
    ['qwen2', 'Q8_0'],
    ['qwen3', 'Q4_K'],
  ] as const)
    it(`writes what it was trained to write: ${architecture}, ${type}`, async () => {
      const model = join(folder, `${architecture}-${type}.gguf`)
      const { ggml } = openDevice('cpu', 1)
      writeTinyModel(model, { architecture, type: GgmlType[type], ggml, width: 256, headWidth: 64 })
      const job = jobFor(model, [sampleOf([65, 66, 67], TARGET)], { steps: 120, learningRate: 0.3 })
      const { deltas, outcome } = await trainInChild(job)
      expect(outcome.finalLoss).toBeLessThan(0.1 * outcome.initialLoss)
      const adapter = join(folder, `${architecture}-adapter.gguf`)
      const ids = job.reservedIds
      writeAdapter(adapter, { architecture, vocabulary: TINY.vocabulary, width: 256, ids, deltas })
      expect(await stockGreedy(model, [...ids, 65, 66, 67], TARGET.length, adapter)).toEqual(TARGET)
    })
})

describe('the trainer process', () => {
  const model = join(folder, 'tiny.gguf')
  writeTinyModel(model, { architecture: 'llama' })
  const samples = [1, 2, 3, 4, 5].map((n) =>
    sampleOf([n, n + 1, n + 2], [n + 50, n + 90, n + 130], `sample ${n}`),
  )
  const job: TrainingJob = {
    ...jobFor(model, samples.slice(1), { steps: 30, batch: 2 }),
    heldOut: samples.slice(0, 1),
  }

  it('stops when it is told to, before it would be killed', async () => {
    const controller = new AbortController()
    const long = { ...job, settings: { ...job.settings, steps: 100_000, patience: 100_000 } }
    let cancelledAt = 0
    await expect(
      trainInChild(long, {
        signal: controller.signal,
        onProgress: () => {
          if (cancelledAt === 0) cancelledAt = performance.now()
          controller.abort()
        },
      }),
    ).rejects.toMatchObject({ name: 'AbortError' })
    expect(performance.now() - cancelledAt).toBeLessThan(GRACE_MS)
  })

  it('goes on from a checkpoint as if it had never stopped', async () => {
    const whole = await trainInChild({ ...job, settings: { ...job.settings, patience: 50 } })
    const checkpoint = join(folder, 'checkpoint.json')
    const parted = { ...job, settings: { ...job.settings, patience: 50 }, checkpoint }
    await runTrainingUntil(parted, 12)
    let resumedAt = 0
    const resumed = await trainInChild(parted, { onStart: (start) => (resumedAt = start.resumedAt) })
    expect(resumedAt).toBe(12)
    expect(resumed.deltas).toEqual(whole.deltas)
    expect(resumed.outcome.curve).toEqual(whole.outcome.curve)
    expect(existsSync(checkpoint)).toBe(false)
  })

  it('keeps the result of its self-test', () => {
    const kept = JSON.parse(readFileSync(join(folder, 'self-test.json'), 'utf8')) as {
      subject: string
      errors: Record<string, number>
    }
    expect(kept.subject).toContain('ggml 0.23.0')
    expect(Math.max(...Object.values(kept.errors))).toBeLessThan(1e-2)
  })

  it('refuses what does not fit into memory, with advice', async () => {
    await expect(trainInChild({ ...job, memoryLimit: 1 << 20 })).rejects.toMatchObject({
      code: 'TRAINER_MEMORY',
      suggestion: expect.stringContaining('smaller model') as string,
    })
  })

  it('says which samples cannot be learned', async () => {
    const bad = { ...sampleOf([1], [TINY.vocabulary]), id: 'the bad one' }
    await expect(trainInChild({ ...job, train: [bad] })).rejects.toMatchObject({
      code: 'BAD_INPUT',
      why: expect.stringContaining('the bad one') as string,
    })
  })

  it('takes only itself down when ggml fails a check, and says which', async () => {
    const script = join(folder, 'failing.ts')
    const adapters = pathToFileURL(join(import.meta.dirname, '../../../src/main/adapters/ggml')).href
    writeFileSync(
      script,
      `import { openDevice } from '${adapters}/device'
       import { newContext, newTensor } from '${adapters}/tensors'
       process.on('message', () => {
         const device = openDevice('cpu', 1)
         const context = newContext(device, 8)
         const [a, b] = [newTensor(device, context, 0, 4, 4), newTensor(device, context, 0, 5, 5)]
         device.ggml.mul_mat(context, a, b)
       })
       process.send({ kind: 'ready' })`,
    )
    const loader = createRequire(import.meta.url).resolve('tsx')
    const execArgv = ['--import', pathToFileURL(loader).href]
    await expect(trainInChild(job, {}, { script, execArgv })).rejects.toMatchObject({
      code: 'TRAINER_DIED',
      why: expect.stringMatching(/^ggml stopped because its check "ggml_can_mul_mat.*failed/u) as string,
    })
  })

  it('words a death by the system and one of unknown cause', () => {
    expect(died('it was ended by SIGKILL', '').why).toContain('memory')
    expect(died('it ended with code 3', 'a\nb').why).toBe('it ended with code 3; it said: a | b')
  })
})
