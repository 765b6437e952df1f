import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { App } from '../../../src/main/app'
import { writeRandomModel } from '../../models/random-model'
import { BOOKINGS, COUNT_BOOKINGS, hasDemoModel, openAsksRig, type AsksRig } from './rig'

/** One for both: each run is compared with the one that nobody disturbed. */
let rig: AsksRig
let undisturbed: Awaited<ReturnType<typeof textsOf>>
const needs = test.skipIf(!hasDemoModel)
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })

const TASKS = 8
const startRun = (app: App) =>
  app.runDrafts.start({
    stream: 'house-rules-a',
    method: 'case-bank',
    tasks: TASKS,
    seed: 5,
    temperature: 0.8,
  })

/** Everything that a run wrote. */
const textsOf = async (app: App, runId: string) =>
  Promise.all(
    app.runs.steps(runId).map(async ({ index, reward }) => {
      const { rounds } = await app.runs.trajectory(runId, index)
      return { reward, texts: rounds.map(({ completion }) => completion) }
    }),
  )

beforeAll(async () => {
  rig = await openAsksRig()
  const { id } = await startRun(rig.app)
  expect(await rig.app.runs.ended(id)).toMatchObject({ status: 'done', done: TASKS })
  undisturbed = await textsOf(rig.app, id)
})
afterAll(() => rig.close())

needs(
  'another model is asked beside a run; one that takes its place is given it back, and the run ends as undisturbed',
  async () => {
    const { app, folder } = rig
    const model = join(folder, 'babel.gguf')
    const vocabulary = resolve('models/loam-demo.gguf')
    writeRandomModel(model, { architecture: 'qwen2', vocabulary, template: null, seed: 3, loud: [] })
    const run = await startRun(app)
    await expect.poll(() => app.runs.head(run.id).done).toBeGreaterThan(0)
    // As where memory has no room for both. Nobody has asked yet (this test is the first), so it is given back at once, and not after a minute.
    await app.engine.loadModel({ path: model, gpuLayers: 'cpu', contextSize: 512 })
    const before = app.runs.head(run.id).done
    await expect.poll(() => app.runs.head(run.id).done).toBeGreaterThan(before + 1)
    const { id } = await app.askDrafts.start({ text: 'Tell me a story.', model, maxTokens: 40 })
    await app.asks.settled()
    expect(app.asks.get(id).ask).toMatchObject({ status: 'done', problem: null })
    expect(app.engine.state.models?.map(({ name }) => name).sort()).toEqual(['Babel qwen2', 'Loam demo'])
    expect(await app.runs.ended(run.id)).toMatchObject({ status: 'done', problem: null })
    expect(await textsOf(app, run.id)).toEqual(undisturbed)
  },
)

needs('asks are answered while a run goes on, which ends as one that nobody disturbed', async () => {
  const { app } = rig
  const run = await startRun(app)
  let answered = 0
  while (app.runs.head(run.id).status !== 'done') {
    const { id } = await app.askDrafts.start({ text: COUNT_BOOKINGS, world: BOOKINGS })
    await app.asks.settled()
    expect(app.asks.get(id).ask).toMatchObject({ status: 'done', problem: null })
    if (app.runs.head(run.id).status === 'running') answered++
  }
  expect(answered).toBeGreaterThan(3)
  expect(await textsOf(app, run.id)).toEqual(undisturbed)
})
