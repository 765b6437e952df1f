import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { App } from '../../../src/main/app'
import {
  askCode,
  forgetfulModel,
  stateOfMine,
  teachCode,
  walk,
  walkRng,
  WALK_STEPS,
} from '../../fixtures/memory-walk'
import { startModelServer, type ModelServer } from '../../fixtures/model-server'
import { useAsksRig } from '../asks/rig'

vi.setConfig({ testTimeout: 180_000 })

const openRig = useAsksRig()
let server: ModelServer
beforeEach(async () => {
  server = await startModelServer('forgetful', forgetfulModel)
})
afterEach(() => server.close())

test('a taught answer is recalled, and My memory reads the same, after runs, experiments, imports, deletions and restarts', async () => {
  const rig = await openRig()
  const model = `openai:forgetful@${server.url}`
  const rng = walkRng('walk')
  const codes = ['417203', '998120', '305561']
  const app = (): App => rig.app
  for (const [n, code] of codes.entries()) {
    expect((await askCode(app(), model, n)).answer).not.toContain(code)
    await teachCode(app(), model, n, code)
  }
  const before = await stateOfMine(app())
  for (const step of rng.sample(WALK_STEPS, WALK_STEPS.length)) {
    await walk(app(), step, model, rng)
    expect(await stateOfMine(app()), step).toEqual(before)
  }
  await rig.reopen()
  expect(await stateOfMine(app())).toEqual(before)
  for (const [n, code] of codes.entries()) {
    const { answer, memoryId } = await askCode(app(), model, n)
    expect(answer).toContain(code)
    expect(memoryId).toBe(before.id)
  }
})

test('an ask recalls its project and what is shared, and takes what it has taught along when it is moved', async () => {
  const { app } = await openRig()
  const model = `openai:forgetful@${server.url}`
  const ask = async (project: string | null) => (await askCode(app, model, 5, undefined, project)).answer
  const { askId } = await askCode(app, model, 5, undefined, 'Garden')
  await app.asks.teach(askId, 0, { verdict: 'wrong', answer: '771100', wrongAt: null, note: null })
  await app.asks.settled()
  expect(await ask('Garden')).toContain('771100')
  expect(await ask('Office')).not.toContain('771100')
  expect(await ask(null)).not.toContain('771100')

  await app.asks.file(askId, 'Office')
  expect(await ask('Garden')).not.toContain('771100')
  expect(await ask('Office')).toContain('771100')

  await app.asks.file(askId, null)
  expect(await ask('Garden')).toContain('771100')
  expect(await ask(null)).toContain('771100')
})
