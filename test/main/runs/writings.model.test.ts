import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openAppRig, type AppRig } from './rig-app'
import { findResources } from '../../../src/main/ground/resources'

// Engines start slowly on a busy machine.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 180_000 })

let rig: AppRig
beforeAll(async () => {
  rig = await openAppRig(0, () => Promise.resolve(findResources()))
})
afterAll(() => rig.close())

test('a run counts the texts its roles were asked for, and says how many could not be used', async () => {
  const { id } = await rig.app.runDrafts.start({ stream: 'house-rules-a', method: 'evosc', tasks: 6 })
  await rig.app.runs.settled(id)
  const { writings = [] } = rig.app.runs.report(id)
  expect(writings.map(({ role }) => role).sort()).toEqual(['evosc-error', 'evosc-success'])
  for (const { asked, failed, mended } of writings) {
    expect(asked).toBeGreaterThan(0)
    expect(failed + mended).toBeLessThanOrEqual(asked)
  }
  // The same from its events and its journal after a restart.
  const again = await rig.reopen()
  expect(again.runs.report(id).writings).toEqual(writings)
})

test('a run whose method writes nothing has none', async () => {
  const app = await rig.reopen()
  const { id } = await app.runDrafts.start({
    stream: 'house-rules-a',
    method: 'case-bank',
    tasks: 2,
    preset: 'paper',
  })
  await app.runs.settled(id)
  expect(app.runs.report(id).writings).toBeUndefined()
  expect(app.runs.get(id).config).toMatchObject({ preset: 'paper', k: 4 })
})
