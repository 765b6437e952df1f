import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { EngineModel } from '../../../../src/main/adapters/llama/llama-model'
import { LlamaRuntime } from '../../../../src/main/adapters/llama/llama-runtime'
import { modelLoadOptionsSchema } from '../../../../src/shared/domain/model'

const DEMO_MODEL = resolve('models/loam-demo.gguf')

it.skipIf(!existsSync(DEMO_MODEL)).each(['auto', 'on', 'off'] as const)(
  'a model answers with flash attention: %s',
  async (flashAttention) => {
    const options = modelLoadOptionsSchema.parse({
      ...{ path: DEMO_MODEL, gpuLayers: 'cpu', contextSize: 512, flashAttention },
    })
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
