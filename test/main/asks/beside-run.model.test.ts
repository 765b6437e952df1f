import { expect, test } from 'vitest'
import type { App } from '../../../src/main/app'
import { BOOKINGS, COUNT_BOOKINGS, hasDemoModel, useAsksRig } from './rig'

const openRig = useAsksRig()
const needs = test.skipIf(!hasDemoModel)

const TASKS = 12
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

needs('asks are answered while a run goes on, which ends as one that nobody disturbed', async () => {
  const { app } = await openRig()
  const alone = await startRun(app)
  expect(await app.runs.ended(alone.id)).toMatchObject({ status: 'done', done: TASKS })

  const run = await startRun(app)
  let answered = 0
  while (app.runs.head(run.id).status !== 'done') {
    const { id } = await app.askDrafts.start({ text: COUNT_BOOKINGS, world: BOOKINGS })
    await app.asks.settled()
    expect(app.asks.get(id).ask).toMatchObject({ status: 'done', problem: null })
    if (app.runs.head(run.id).status === 'running') answered++
  }
  expect(answered).toBeGreaterThan(3)
  expect(await textsOf(app, run.id)).toEqual(await textsOf(app, alone.id))
})
