import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listEmbedders } from '../../../src/main/embedders/open-embedder'
import { EngineSupervisor } from '../../../src/main/engine-client/supervisor'
import { readModels } from '../model-files/places'
import { writeTinyBert } from '../../fixtures/tiny-bert'

const DEMO = resolve(import.meta.dirname, '../../../models/loam-demo.gguf')

const dot = (a: Float32Array = new Float32Array(0), b: Float32Array = new Float32Array(0)) =>
  a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0)

describe('a GGUF model as embedding model', { timeout: 120_000 }, () => {
  let folder: string
  let bert: string
  const engine = new EngineSupervisor({ modelFolders: () => [folder] })
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'loam-encoder-'))
    bert = join(folder, 'tiny-bert.gguf')
    writeTinyBert(bert)
  })
  afterAll(async () => {
    await engine.dispose()
    await rm(folder, { recursive: true, force: true })
  })

  it('is listed when it was made for embedding', async () => {
    const { models } = await readModels([folder, resolve(DEMO, '../adapters')])
    const ggufs = models.flatMap(({ path, name, embedding }) =>
      embedding === undefined ? [] : [{ path, name, dimension: embedding }],
    )
    const listed = await listEmbedders([], ggufs)
    expect(listed).toContainEqual(
      expect.objectContaining({ id: bert, title: 'Tiny BERT', dimension: 32, available: true }),
    )
    expect(listed.map(({ id }) => id)).not.toContain(DEMO)
  })

  it('answers unit vectors that a text alone decides, however long it is', async () => {
    const embedder = await engine.embedder(bert)
    expect(embedder.dimension).toBe(32)
    const texts = ['the car would not start', 'bake the bread', '', 'the car '.repeat(200)]
    const vectors = await embedder.embed(texts)
    for (const vector of vectors) expect(dot(vector, vector)).toBeCloseTo(1, 4)
    expect(dot(vectors[0], vectors[1])).toBeLessThan(0.999)
    const [alone] = await embedder.embed([texts[0] ?? ''])
    expect(dot(alone, vectors[0])).toBeCloseTo(1, 5)
  })

  it('works beside a chat model, and any chat model can embed when it is named', async () => {
    const embedder = await engine.embedder(bert)
    const [before] = await embedder.embed(['my automobile has a broken engine'])
    await engine.loadModel({ path: DEMO, gpuLayers: 'auto', contextSize: 256 })
    const [after] = await embedder.embed(['my automobile has a broken engine'])
    expect(dot(before, after)).toBeCloseTo(1, 5)
    const chat = await engine.embedder(DEMO)
    const [vector] = await chat.embed(['How many orders?'])
    expect(vector?.length).toBe(chat.dimension)
    expect(dot(vector, vector)).toBeCloseTo(1, 4)
  })

  it('says so when the file is none', async () => {
    await expect(engine.embedder(join(folder, 'none.gguf'))).rejects.toMatchObject({
      code: 'EMBEDDER_MISSING',
    })
  })
})
