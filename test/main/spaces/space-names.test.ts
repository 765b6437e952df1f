import { join } from 'node:path'
import { expect, test } from 'vitest'
import { appPerTest } from '../app-in-temp'

const here = appPerTest('names')

test('a space of the data folder is one space, by its id and by its folder', async () => {
  const { id } = await here.app.spaces.create('harbor')
  const byId = await here.app.spaces.open(id)
  expect(await here.app.spaces.open(here.app.spaces.folder(id))).toBe(byId)
  await here.app.spaces.release(here.app.spaces.folder(id))
  expect(await here.app.spaces.open(id)).not.toBe(byId)
  await expect(here.app.spaces.open(join(here.folder, 'data', 'spaces', 'none'))).rejects.toMatchObject({
    code: 'NOT_FOUND',
  })
})

test('a folder elsewhere is a space of its own', async () => {
  const outside = await here.app.spaces.open(join(here.folder, 'spaces', 'space-1'))
  expect(outside.path).toBe(join(here.folder, 'spaces', 'space-1'))
  expect((await here.app.spaces.list()).map(({ role }) => role)).toEqual(['mine'])
})
