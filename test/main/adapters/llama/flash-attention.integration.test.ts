import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { EngineModel } from '../../../../src/main/adapters/llama/llama-model'
import { LlamaRuntime } from '../../../../src/main/adapters/llama/llama-runtime'
import { measureFit } from '../../../../src/main/adapters/llama/memory-fit'
import { modelLoadOptionsSchema } from '../../../../src/shared/domain/model'

const DEMO_MODEL = resolve('models/loam-demo.gguf')

const optionsWith = (choice: object) =>
  modelLoadOptionsSchema.parse({ path: DEMO_MODEL, gpuLayers: 'cpu', contextSize: 512, ...choice })

it.skipIf(!existsSync(DEMO_MODEL)).each([
  ['auto', 'f16'],
  ['on', 'f16'],
  ['off', 'f16'],
  ['auto', 'q8_0'],
  ['on', 'q8_0'],
] as const)(
  'a model answers with flash attention: %s, and a cache of %s',
  async (flashAttention, cacheType) => {
    const options = optionsWith({ flashAttention, cacheType })
    const model = await EngineModel.load(new LlamaRuntime(() => undefined), options)
    try {
      const request = {
        messages: [{ role: 'user' as const, content: 'Once upon a time' }],
        maxTokens: 12,
        temperature: 0,
      }
      const { text, usage } = await model.generate(request)
      expect(usage.completionTokens).toBeGreaterThan(0)
      expect(text).not.toBe('')
    } finally {
      await model.dispose()
    }
  },
)

it.skipIf(!existsSync(DEMO_MODEL))(
  'a cache in 8 bits takes less, and is refused without flash attention',
  async () => {
    const runtime = new LlamaRuntime(() => undefined)
    const [full, half] = await Promise.all(
      (['f16', 'q8_0'] as const).map((cacheType) => measureFit(runtime, optionsWith({ cacheType }))),
    )
    // Other buffers of so small a model stay as they are.
    expect(half?.cacheBytes ?? Infinity).toBeLessThan((full?.cacheBytes ?? 0) * 0.95)
    const options = optionsWith({ cacheType: 'q8_0', flashAttention: 'off' })
    await expect(EngineModel.load(runtime, options)).rejects.toMatchObject({
      code: 'MODEL_LOAD',
      message: expect.stringContaining('needs flash attention') as unknown,
    })
  },
)
