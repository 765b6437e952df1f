import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApp, type App } from '../../../src/main/app'

describe('a model that is larger than the machine', () => {
  let folder: string
  let large: string
  let app: App
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'loam-fit-'))
    large = join(folder, 'large.gguf')
    await writeFile(large, 'GGUF')
    // Takes no room on disk, and minutes to read.
    await truncate(large, 38.8e9)
    app = await createApp({
      ...{ dataPath: join(folder, 'data'), host: 'memory' },
      machine: { ramBytes: 16e9, cores: 2, processor: 'made up', instructions: [] },
    })
  })
  afterAll(async () => {
    await app.dispose()
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  })

  const refusal = { code: 'MODEL_LOAD', message: expect.stringContaining('38.8 GB') as unknown }
  const run = { stream: 'house-rules-a', method: 'case-bank' }

  it('is refused before it is read: for an ask, for a run, and for a role of one', async () => {
    await expect(app.loadModel(large)).rejects.toMatchObject(refusal)
    await expect(app.runDrafts.start({ ...run, model: large })).rejects.toMatchObject(refusal)
    const { notes } = await app.preflight.check({ ...run, model: large })
    expect(notes).toContainEqual(expect.objectContaining({ level: 'refuse', code: 'MODEL_LOAD' }))
    await expect(app.hasher.hash(large)).rejects.toMatchObject(refusal)
    expect(existsSync(join(app.data.path, 'model-hashes.json'))).toBe(false)
  })
})
