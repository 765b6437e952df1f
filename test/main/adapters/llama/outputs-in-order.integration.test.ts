import { resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { EngineModel } from '../../../../src/main/adapters/llama/llama-model'
import { LlamaRuntime } from '../../../../src/main/adapters/llama/llama-runtime'
import { type NativeContext, readOutputsInOrder } from '../../../../src/main/adapters/llama/outputs-in-order'
import { TORTURE } from '../../../torture'

const DEMO_MODEL = resolve(import.meta.dirname, '../../../../models/loam-demo.gguf')

describe('draws from the outputs of a batch', () => {
  it('wait for the first one of their batch, and then go on side by side', async () => {
    const ends: (() => void)[] = []
    const sampleToken = vi.fn(() => new Promise<void>((end) => ends.push(end)))
    const native: NativeContext = { decodeBatch: () => Promise.resolve(), sampleToken }
    readOutputsInOrder(native)
    for (const batch of [1, 2]) {
      sampleToken.mockClear()
      await native.decodeBatch()
      const draws = [native.sampleToken(), native.sampleToken(), native.sampleToken()]
      await new Promise(setImmediate)
      expect(sampleToken, `batch ${batch}`).toHaveBeenCalledTimes(1)
      ends.shift()?.()
      await draws[0]
      await new Promise(setImmediate)
      expect(sampleToken, `batch ${batch}`).toHaveBeenCalledTimes(3)
      for (const end of ends.splice(0)) end()
      await Promise.all(draws)
    }
  })

  it('go on where the first one failed', async () => {
    const sampleToken = vi.fn().mockRejectedValueOnce(new Error('no output')).mockResolvedValueOnce('token')
    const native: NativeContext = { decodeBatch: () => Promise.resolve(), sampleToken }
    readOutputsInOrder(native)
    const [first, second] = [native.sampleToken(), native.sampleToken()]
    await expect(first).rejects.toThrow('no output')
    expect(await second).toBe('token')
  })
})

/** Prompts of many lengths, so that a batch holds a whole prompt beside single tokens of other sequences. */
const ask = (i: number) => {
  const recalled = 'Harbor rules: paid K, client upper. '.repeat(i % 7)
  const verb = ['Count', 'List', 'Add up', 'Record'][i % 4] ?? ''
  const task = `Task: Harbor: ${verb} the paid orders number ${(i * 37) % 101} of Cleo.`
  return {
    messages: [
      {
        role: 'user' as const,
        content: `Table orders(order_id INT, client TEXT, total INT)\n${recalled}\n${task}`,
      },
    ],
    maxTokens: 40,
    temperature: 0,
    seed: 1,
  }
}

describe('six sequences that write at once', { timeout: 120_000 }, () => {
  const REPLIES = TORTURE ? 72 : 36
  const runtime = new LlamaRuntime(() => undefined)
  const load = (sequences: number) =>
    EngineModel.load(runtime, {
      path: DEMO_MODEL,
      gpuLayers: 'cpu',
      gpuBackend: 'auto',
      flashAttention: 'auto',
      cacheType: 'f16',
      contextSize: 2048,
      sequences,
      threads: 1,
      measuredThreads: null,
      wantsSpeed: false,
      softPrompt: null,
      prefixStates: null,
    })
  let alone: string[]
  let six: EngineModel
  beforeAll(async () => {
    const one = await load(1)
    alone = []
    for (let i = 0; i < REPLIES; i++) alone.push((await one.generate(ask(i))).text)
    await one.dispose()
    six = await load(6)
  }, 60_000)
  afterAll(() => six.dispose())

  it('each write what they write alone, and not the tokens of another', async () => {
    const texts: string[] = []
    for (let round = 0; round < (TORTURE ? 3 : 2); round++) {
      let next = 0
      const write = async (): Promise<void> => {
        for (let i = next++; i < REPLIES; i = next++) texts[i] = (await six.generate(ask(i))).text
      }
      await Promise.all(Array.from({ length: 6 }, write))
      // The last bits of a batch may differ, which turns a reply only where two tokens are as likely as each other.
      const others = texts.filter((text, i) => text !== alone[i])
      expect(others.length, others.join('\n')).toBeLessThanOrEqual(1)
    }
  })
})
