import { join } from 'node:path'
import { expect, test } from 'vitest'
import { appPerTest } from '../app-in-temp'

const here = appPerTest('names')

test('a memory of the data folder is one memory, by its id and by its folder', async () => {
  const { id } = await here.app.memories.create('harbor')
  const byId = await here.app.memories.open(id)
  expect(await here.app.memories.open(here.app.memories.folder(id))).toBe(byId)
  expect([id, here.app.memories.folder(id)].map(here.app.memories.resolve)).toEqual([id, id])
  const mine = here.app.memories.resolve('mine')
  expect(here.app.memories.resolve(here.app.memories.folder(mine))).toBe(mine)
  await here.app.memories.release(here.app.memories.folder(id))
  expect(await here.app.memories.open(id)).not.toBe(byId)
  await expect(here.app.memories.open(join(here.folder, 'data', 'spaces', 'none'))).rejects.toMatchObject({
    code: 'NOT_FOUND',
  })
})

test('a folder elsewhere is a memory of its own', async () => {
  const outside = await here.app.memories.open(join(here.folder, 'spaces', 'space-1'))
  expect(outside.path).toBe(join(here.folder, 'spaces', 'space-1'))
  expect((await here.app.memories.list()).map(({ role }) => role)).toEqual(['mine'])
})
