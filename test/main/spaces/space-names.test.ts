import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createApp, type App } from '../../../src/main/app'

let folder: string
let app: App
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loam-names-'))
  app = await createApp({ dataPath: join(folder, 'data'), host: 'memory' })
})
afterEach(async () => {
  await app.dispose()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

test('a space of the data folder is one space, by its id and by its folder', async () => {
  const { id } = await app.spaces.create('harbor')
  const byId = await app.spaces.open(id)
  expect(await app.spaces.open(app.spaces.folder(id))).toBe(byId)
  await app.spaces.release(app.spaces.folder(id))
  expect(await app.spaces.open(id)).not.toBe(byId)
  await expect(app.spaces.open(join(folder, 'data', 'spaces', 'none'))).rejects.toMatchObject({
    code: 'NOT_FOUND',
  })
})

test('a folder elsewhere is a space of its own', async () => {
  const outside = await app.spaces.open(join(folder, 'spaces', 'space-1'))
  expect(outside.path).toBe(join(folder, 'spaces', 'space-1'))
  expect(await app.spaces.list()).toEqual([])
})
