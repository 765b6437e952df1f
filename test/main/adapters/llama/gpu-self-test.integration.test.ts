import { expect, it } from 'vitest'
import { compareWithProcessor } from '../../../../src/main/adapters/llama/gpu-self-test'
import { LlamaRuntime } from '../../../../src/main/adapters/llama/llama-runtime'

it('the real library reads the self-test’s model, without a card with no difference', async () => {
  const runtime = new LlamaRuntime(() => undefined)
  const llama = await runtime.for({ gpuLayers: 'cpu', gpuBackend: 'auto' })
  expect(await compareWithProcessor(llama)).toBe(0)
  expect(runtime.takeLines()).toEqual([])
  await llama.dispose()
})
