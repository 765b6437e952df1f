import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, vi } from 'vitest'
import { EngineModel } from '../../../../src/main/adapters/llama/llama-model'
import { LlamaRuntime } from '../../../../src/main/adapters/llama/llama-runtime'
import { PromptPiece } from '../../../../src/main/adapters/llama/prompt-tokens'
import { modelLoadOptionsSchema } from '../../../../src/shared/domain/model'
import { longTestWhere } from '../../../torture'

const DEMO_MODEL = resolve('models/loam-demo.gguf')
const PROMPTS = 24
const FILLER =
  'The harbor keeps bookings with prices in cents and guests in upper case; archived ones are marked B. '

longTestWhere(existsSync(DEMO_MODEL))(
  'what is written is the same on a busy machine as on an idle one, to the letter',
  { timeout: 120_000 },
  async () => {
    const options = modelLoadOptionsSchema.parse({ path: DEMO_MODEL, gpuLayers: 'cpu' })
    const { took } = PromptPiece.prototype
    const textsAt = async (msPerToken: number): Promise<string[]> => {
      vi.spyOn(PromptPiece.prototype, 'took').mockImplementation(function (this: PromptPiece, tokens) {
        took.call(this, tokens, tokens * msPerToken)
      })
      const model = await EngineModel.load(new LlamaRuntime(() => undefined), options)
      const texts: string[] = []
      try {
        for (let i = 0; i < PROMPTS; i++) {
          const content = `${FILLER.repeat(3 + (i % 5))} What is in it, number ${i}?`
          const messages = [{ role: 'user' as const, content }]
          texts.push((await model.generate({ messages, maxTokens: 60, temperature: 1.5, seed: i })).text)
        }
      } finally {
        await model.dispose()
      }
      return texts
    }
    expect(await textsAt(100)).toEqual(await textsAt(0.01))
  },
)
