import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { sift } from '../../../../src/core/retrieval/floor'
import { listEmbedders } from '../../../../src/main/embedders/open-embedder'
import { EngineSupervisor } from '../../../../src/main/engine-client/supervisor'
import { linesOf, recallNotes } from '../../../fixtures/recall/recall-notes'

const FOLDER = resolve(import.meta.dirname, '../../../../../shared/models')
const POTION = resolve(FOLDER, 'potion-base-2M')
const present = existsSync(POTION)
if (!present) process.stderr.write(`Skipped: the small embedding model is not at ${POTION}\n`)

const dot = (a: Float32Array = new Float32Array(0), b: Float32Array = new Float32Array(0)) =>
  a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0)

describe.skipIf(!present)('an embedding model in the engine process', { timeout: 120_000 }, () => {
  const engine = new EngineSupervisor({ modelFolders: () => [FOLDER] })
  afterAll(() => engine.dispose())

  it('is listed with its true dimension, after the built-in one', async () => {
    const listed = await listEmbedders([FOLDER])
    expect(listed[0]).toMatchObject({ id: 'loam-256', dimension: 256, available: true })
    expect(listed[1]).toMatchObject({ id: 'lexical-384', dimension: 384, kind: 'lexical', available: true })
    expect(listed[2]).toMatchObject({ id: 'all-MiniLM-L6-v2', dimension: 384, available: false })
    expect(listed).toContainEqual(
      expect.objectContaining({ id: POTION, dimension: 64, kind: 'sentence-encoder' }),
    )
  })

  it('answers unit vectors in which like meanings are near', async () => {
    const embedder = await engine.embedder(POTION)
    const texts = [
      'The car would not start.',
      'My automobile has a broken engine.',
      'Bake the bread for an hour.',
      '',
    ]
    const vectors = await embedder.embed(texts)
    expect(vectors.map((vector) => vector.length)).toEqual([64, 64, 64, 64])
    for (const vector of vectors) expect(dot(vector, vector)).toBeCloseTo(1, 5)
    expect(dot(vectors[0], vectors[1])).toBeGreaterThan(dot(vectors[0], vectors[2]) + 0.2)
    const [alone] = await embedder.embed([texts[1] ?? ''])
    expect(alone).toEqual(vectors[1])
  })

  it('is found by its name below the model folders', async () => {
    const embedder = await engine.embedder('potion-base-2M')
    expect(embedder.dimension).toBe(64)
    expect((await embedder.embed(['hello'])).length).toBe(1)
    expect(engine.state.embedder).toBe('potion-base-2M')
  })

  it('is silent about what is not in memory, in languages it has not learned too', async () => {
    const embedder = await engine.embedder(POTION)
    const about = new Set(linesOf('about.txt').map((line) => line.split(' | ')[0]))
    const asks = linesOf('fresh-asks.txt')
      .map((line) => line.split(' | ')[1] ?? '')
      .filter((ask) => !about.has(ask))
    const notes = recallNotes().slice(0, 20)
    const kind = { items: notes.map(({ text }) => ({ text })), total: notes.length }
    const recalledOf = async (ask: string): Promise<string[]> =>
      (await sift(embedder, ask, [kind], 'usual')).flatMap(({ item, passes }) => (passes ? [item.text] : []))
    let unrelated = 0
    for (const ask of asks) unrelated += Number((await recalledOf(ask)).length > 0)
    expect(unrelated / asks.length).toBeLessThanOrEqual(0.03)
    let own = 0
    for (const { near, text } of notes) own += Number((await recalledOf(near)).includes(text))
    expect(own).toBeGreaterThanOrEqual(19)
  })

  it('says so when it is not there', async () => {
    await expect(engine.embedder('all-MiniLM-L6-v2')).rejects.toMatchObject({ code: 'EMBEDDER_MISSING' })
    await expect(engine.embedder('/no/such/folder')).rejects.toMatchObject({ code: 'EMBEDDER_MISSING' })
  })
})
