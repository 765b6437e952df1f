import { basename } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  encoderDeviceOf,
  SentenceEmbedders,
  type LoadedEncoder,
} from '../../../../src/main/adapters/embed/sentence-embedder'
import { cardEnvironment } from '../../../../src/main/host/card-environment'

/** ONNX's runtime made up: the processor's vector goes by the text's length, and the card's is made of it. */
function rig(card: 'webgpu' | null, vector: ((own: number[]) => number[]) | null = (own) => own) {
  const said: string[] = []
  const here = new Set<string>()
  const load = (folder: string, device: string): Promise<LoadedEncoder> => {
    if (device !== 'cpu' && vector === null) return Promise.reject(new Error('no adapter'))
    here.add(device)
    const model = Object.assign(
      ({ length }: { length: number }) => {
        const own = Array.from({ length: 4 }, (_, index) => ((index * 7 + length) % 5) - 1.5)
        const values = device === 'cpu' ? own : (vector?.(own) ?? own)
        return Promise.resolve({ sentence_embedding: { dims: [1, 4], data: Float32Array.from(values) } })
      },
      { dispose: () => Promise.resolve(here.delete(device)) },
    )
    return Promise.resolve({
      folder: { folder, dimension: 4, maxTokens: 64, pooling: 'mean' },
      tokenizer: (text: string) => ({ length: text.length, input_ids: { dims: [1, text.length] } }),
      model,
    } as unknown as LoadedEncoder)
  }
  const embedders = new SentenceEmbedders({ card, log: (message) => said.push(message), load })
  return { embedders, said, here }
}

describe('where an encoder in ONNX is computed', () => {
  const folder = '/models/tiny'
  it('is the processor where no card was chosen, without a word', async () => {
    const { embedders, said, here } = rig(null)
    expect((await embedders.embed(folder, ['a', 'bc'])).values).toHaveLength(8)
    expect([[...here], said]).toEqual([['cpu'], []])
  })
  it('is the card that computes what the processor does', async () => {
    const { embedders, said, here } = rig('webgpu', (own) => own.map((value) => value * 1.001))
    await embedders.embed(folder, ['a'])
    expect([[...here], said]).toEqual([['webgpu'], []])
  })
  it.each([
    ['computes something else', (own: number[]) => own.map((value) => -value), '-1.00 like the processor’s'],
    ['answers no numbers', () => [NaN, NaN, NaN, NaN], 'like the processor’s'],
    ['is not there', null, 'no adapter'],
  ])('is the processor where the card %s, and says why', async (_name, vector, why) => {
    const { embedders, said, here } = rig('webgpu', vector)
    const { values } = await embedders.embed(folder, ['a'])
    expect([...values].every(Number.isFinite)).toBe(true)
    expect([...here]).toEqual(['cpu'])
    expect(said).toEqual([expect.stringContaining(why)])
    expect(said[0]).toContain(basename(folder))
  })
})

describe('what libraries for graphics cards are told', () => {
  const usual = { gpuCard: 'auto', gpuLayers: 'auto', encodersOnCard: false } as const
  it('is nothing where nothing was chosen', () => expect(cardEnvironment(usual)).toEqual({}))
  it('is the one card that was chosen', () =>
    expect(cardEnvironment({ ...usual, gpuCard: 1 })).toMatchObject({
      ...{ CUDA_DEVICE_ORDER: 'PCI_BUS_ID', CUDA_VISIBLE_DEVICES: '1', GGML_VK_VISIBLE_DEVICES: '1' },
    }))
  it('is where encoders are tried, never beside the processor alone', () => {
    const on = { ...usual, encodersOnCard: true }
    const deviceOn = (platform: NodeJS.Platform) =>
      encoderDeviceOf(Object.values(cardEnvironment(on, platform))[0])
    expect([deviceOn('linux'), deviceOn('win32')]).toEqual(['webgpu', 'dml'])
    expect(cardEnvironment({ ...on, gpuLayers: 'cpu' })).toEqual({})
    expect(encoderDeviceOf('rm -rf')).toBeNull()
  })
})
