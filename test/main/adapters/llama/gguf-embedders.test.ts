import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Llama } from 'node-llama-cpp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { GgufEmbedders } from '../../../../src/main/adapters/llama/gguf-embedders'
import { writeTinyBert } from '../../../fixtures/tiny-bert'

const DIMENSION = 32

/** What the card answers in the place of the processor's vector, and how many layers it takes. */
interface Card {
  readonly layers?: number
  readonly vector?: (own: number[]) => number[]
  readonly fails?: boolean
}

/** llama.cpp made up: the processor's vector goes by the text's length, and the card's is made of it. */
function rig(gpu: 'cuda' | false, { layers = 7, vector = (own) => own, fails = false }: Card = {}) {
  const models: { readonly device: 'card' | 'processor'; disposed: boolean; readonly gpuLayers: number }[] =
    []
  const said: string[] = []
  const loadModel = ({ gpuLayers }: { gpuLayers: 'auto' | 0 }) => {
    const device: 'card' | 'processor' = gpuLayers === 0 ? 'processor' : 'card'
    const model = {
      device,
      disposed: false,
      gpuLayers: gpuLayers === 0 ? 0 : layers,
      tokenize: (text: string) => [...text].map((_, index) => index),
      createEmbeddingContext: () =>
        fails && device === 'card'
          ? Promise.reject(new Error('out of memory'))
          : Promise.resolve({
              disposed: false,
              getEmbeddingFor: (tokens: readonly number[]) => {
                const own = Array.from(
                  { length: DIMENSION },
                  (_, index) => ((index * 7 + tokens.length) % 5) - 1,
                )
                return Promise.resolve({ vector: device === 'card' ? vector(own) : own })
              },
            }),
      dispose: () => {
        model.disposed = true
        return Promise.resolve()
      },
    }
    models.push(model)
    return Promise.resolve(model)
  }
  const llama = { gpu, loadModel } as unknown as Llama
  const embedders = new GgufEmbedders({ current: () => Promise.resolve(llama) }, (message) =>
    said.push(message),
  )
  /** Where models are that were not given back. */
  const held = () => models.filter(({ disposed }) => !disposed).map(({ device }) => device)
  return { embedders, models, said, held }
}

describe('where an embedding model is computed', () => {
  let folder: string
  let bert: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'loam-embedders-'))
    bert = join(folder, 'tiny-bert.gguf')
    writeTinyBert(bert)
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it('is the processor where llama.cpp has no graphics card, without a word', async () => {
    const { embedders, said, held } = rig(false)
    await embedders.embed(bert, ['a text'])
    expect(held()).toEqual(['processor'])
    expect(said).toEqual([])
  })

  it('is the card once its vector is like the processor’s, and only the card', async () => {
    const { embedders, models, said, held } = rig('cuda', {
      vector: (own) => own.map((v) => v * 1.001 + 0.001),
    })
    const { values, dimension } = await embedders.embed(bert, ['a text', ''])
    expect(held()).toEqual(['card'])
    expect(said).toEqual([])
    expect(dimension).toBe(DIMENSION)
    expect(values.slice(0, DIMENSION).reduce((sum, value) => sum + value * value, 0)).toBeCloseTo(1, 4)
    await embedders.embed(bert, ['another'])
    expect(models).toHaveLength(2)
  })

  it.each<[string, Card, RegExp]>([
    ['computes something else', { vector: (own) => own.toReversed() }, /is -?0\.\d\d like the processor’s/],
    ['computes no numbers', { vector: (own) => own.map(() => NaN) }, /is 0\.00 like the processor’s/],
    ['computes nothing', { vector: (own) => own.map(() => 0) }, /is 0\.00 like the processor’s/],
    ['has no room', { layers: 0 }, /its memory has no room for it/],
    ['fails', { fails: true }, /out of memory/],
  ])('is the processor where the card %s, and the log says why', async (_, card, reason) => {
    const { embedders, said, held } = rig('cuda', card)
    const { values } = await embedders.embed(bert, ['a text'])
    const plain = rig(false)
    expect(values).toEqual((await plain.embedders.embed(bert, ['a text'])).values)
    expect(held()).toEqual(['processor'])
    expect(said).toHaveLength(1)
    expect(said[0]).toMatch(
      /^The embedding model Tiny BERT works on the processor, not on the graphics card: /,
    )
    expect(said[0]).toMatch(reason)
  })
})
