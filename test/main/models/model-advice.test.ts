import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { adviseModels, fitTo, loadKnownModels } from '../../../src/main/models/model-advice'
import type { ModelInfo } from '../../../src/shared/domain/model'
import {
  advisedSpeedWords,
  type KnownModel,
  type Machine,
  type ModelAdvice,
} from '../../../src/shared/domain/model-advice'

const known = await loadKnownModels(resolve(import.meta.dirname, '../../../models/known.json'))

const machine = (ram: number, vram: number | null, bandwidth = 20): Machine => ({
  ...{
    ramBytes: ram * 1e9,
    vramBytes: vram === null ? null : vram * 1e9,
    gpu: vram === null ? null : 'cuda',
  },
  ...{ cores: 8, processor: 'made up', instructions: ['avx2'], bandwidth: bandwidth * 1e9, busy: false },
})

describe('the known models', () => {
  it('are of 2025 and 2026, from .3 to 30 billion weights, each once, and say when they were listed', () => {
    const { models, written } = known
    expect(new Set(models.map(({ id }) => id)).size).toBe(models.length)
    expect(new Set(models.map(({ published }) => published.slice(0, 4)))).toEqual(new Set(['2025', '2026']))
    const weights = models.map((model) => model.weights)
    expect(Math.min(...weights)).toBeLessThan(0.3)
    expect(Math.max(...weights)).toBeGreaterThan(30)
    for (const model of models) {
      expect(model.active).toBeLessThanOrEqual(model.weights)
      expect(model.published <= written.slice(0, 7)).toBe(true)
    }
  })

  it('are refused as a list that says something else', async () => {
    await expect(loadKnownModels(join(import.meta.dirname, 'model-advice.test.ts'))).rejects.toMatchObject({
      code: 'DATA_CORRUPT',
    })
  })
})

describe('the model for a machine', () => {
  // A laptop of 4 GB with slow memory, to a desktop with a card of 24 GB.
  it.each([
    ['2 GB, no card', machine(2, null, 8), 'gemma-3-270m', 'cpu'],
    ['4 GB, no card', machine(4, null, 10), 'qwen3.5-0.8b', 'cpu'],
    ['8 GB, no card', machine(8, null, 20), 'phi-4-mini', 'cpu'],
    ['16 GB, no card', machine(16, null, 40), 'qwen3.5-4b', 'cpu'],
    ['32 GB, no card', machine(32, null, 50), 'gemma-4-26b-a4b', 'cpu'],
    ['16 GB, card of 4 GB', machine(16, 4, 40), 'qwen3.5-4b', 'gpu'],
    ['16 GB, card of 8 GB', machine(16, 8, 40), 'qwen3.5-9b', 'gpu'],
    ['32 GB, card of 16 GB', machine(32, 16, 50), 'qwen3-14b', 'gpu'],
    ['64 GB, card of 24 GB', machine(64, 24, 60), 'qwen3.5-27b', 'gpu'],
  ])('%s', (_name, target, id, seat) => {
    const advice = adviseModels(known, target)
    const best = advice.models.find((model) => model.id === advice.best)
    expect({ id: advice.best, seat: best?.seat }).toEqual({ id, seat })
  })

  it('is none where nothing fits, and then says so of each', () => {
    const { best, models } = adviseModels(known, machine(0.5, null))
    expect(best).toBeNull()
    expect(models.every(({ seat, tokensPerSecond }) => seat === null && tokensPerSecond === null)).toBe(true)
  })

  it('counts weights, cache and what it computes in; only active weights are read for a token', () => {
    const [dense, experts] = ['qwen3.5-27b', 'gemma-4-26b-a4b'].map((id) => {
      const model = known.models.find((one) => one.id === id)
      if (!model) throw new Error(id)
      return fitTo(model, machine(64, null, 50))
    })
    expect(dense?.sizeBytes).toBeGreaterThan(14e9)
    expect(dense?.needsBytes).toBeGreaterThan((dense?.sizeBytes ?? 0) + 1e9)
    expect((experts?.tokensPerSecond ?? 0) / (dense?.tokensPerSecond ?? 1)).toBeGreaterThan(5)
    // Nothing is said of a card whose speed nobody tried.
    expect(adviseModels(known, machine(64, 24)).models.find(({ seat }) => seat === 'gpu')).toMatchObject({
      tokensPerSecond: null,
    })
  })

  it('is as fast as it was tried here, and no other is said to be faster than what the tried ones reach', () => {
    const here = (
      path: string,
      quantization: string,
      writing: number,
      bytesPerSecond: number,
      busy = false,
    ): ModelInfo => ({ path, quantization, speed: { writing, bytesPerSecond, busy } }) as ModelInfo
    const target = machine(16, null, 40)
    const speedOf = (advice: ModelAdvice, id: string) => {
      const model = advice.models.find((one) => one.id === id)
      return model && { tokens: model.tokensPerSecond, words: advisedSpeedWords(model) }
    }
    const reckoned = speedOf(adviseModels(known, target), 'qwen3.5-4b')
    expect(reckoned?.words).toBe(`up to ${Math.round(reckoned?.tokens ?? 0)} tokens a second`)
    // A small model of another kind got half of what memory would give.
    const small = here('/models/tiny.gguf', 'Q4_1', 100, 12e9)
    const scaled = speedOf(adviseModels(known, target, [small]), 'qwen3.5-4b')
    expect(scaled?.tokens).toBeCloseTo((reckoned?.tokens ?? 0) / 2)
    expect(scaled?.words).toContain('up to')
    // One that fits into the processor's own memory says nothing of larger ones.
    const quick = here('/models/quick.gguf', 'Q4_1', 900, 90e9)
    expect(speedOf(adviseModels(known, target, [quick]), 'qwen3.5-4b')).toEqual(reckoned)
    // Nor does one that was tried beside others' work.
    const slow = here('/models/slow.gguf', 'Q4_1', 1, 1e8, true)
    expect(speedOf(adviseModels(known, target, [slow]), 'qwen3.5-4b')).toEqual(reckoned)
    const { repo, quantization } = known.models.find(({ id }) => id === 'qwen3.5-4b') as KnownModel
    const own = here(`/data/models/hub/${repo}/model.gguf`, quantization, 7.4, 12e9)
    expect(speedOf(adviseModels(known, target, [own]), 'qwen3.5-4b')).toEqual({
      ...{ tokens: 7.4, words: '7 tokens a second, as tried here' },
    })
  })
})
