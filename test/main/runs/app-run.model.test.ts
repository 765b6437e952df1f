import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { setTimeout as sleep } from 'node:timers/promises'
import { hasActed } from '../../../src/core/ground/method'
import {
  contentOf,
  demoResources,
  DEMO_MODEL,
  hasTinyModel,
  openAppRig,
  TINY_MODEL,
  trajectoriesOf,
  type AppRig,
} from './rig-app'
import { longTestWhere } from '../../torture'

// Engines start slowly on a busy machine.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })

/** One for all tests but the demo's; the run that was never interrupted is played once. */
let rig: AppRig
let whole: string
const TASKS = 6
const CHOICE = {
  stream: 'small',
  method: 'case-bank',
  model: TINY_MODEL,
  seed: 7,
  temperature: 0.8,
  maxTokens: 40,
}
const needsModel = test.skipIf(!hasTinyModel)
beforeAll(async () => {
  rig = await openAppRig(TASKS)
  const { id } = await rig.app.runDrafts.start(CHOICE)
  await rig.app.runs.ended(id)
  whole = contentOf(await trajectoriesOf(rig.app, id))
})
afterAll(() => rig.close())

needsModel('a run through the real engine and the real case bank, as a job and as a feed', async () => {
  const { app } = rig
  // Held to the form, so that it acts on tasks of others.
  const settings = { presentation: { replies: 'held' } }
  const started = await app.runDrafts.start({ ...CHOICE, model: DEMO_MODEL, settings })
  expect(app.jobs.list()[0]).toMatchObject({
    kind: 'run',
    status: 'running',
    subject: started.id,
    unit: 'tasks',
  })
  const run = await app.runs.ended(started.id)
  expect(run).toMatchObject({ status: 'done', done: TASKS, config: { k: 4 } })
  expect(run.usage.completionTokens).toBeGreaterThan(0)
  const memory = await app.memories.open(run.config.memoryId)
  // A case for every attempt that did anything.
  const acted = (await trajectoriesOf(app, run.id)).filter(hasActed)
  expect(acted.length).toBeGreaterThan(1)
  expect(await memory.info()).toMatchObject({ cases: acted.length, trajectories: TASKS })
  const last = await app.runs.trajectory(run.id, TASKS - 1)
  expect(last.recalled).toHaveLength(Math.min(4, acted.filter(({ task }) => task.index < TASKS - 1).length))
  expect(last.recalled).not.toEqual([])
  expect(last.recalled.every((item) => item.tokens > 0 && item.scoreKind === 'cosine')).toBe(true)
  const [first] = await app.runViews
    .watch(run.id, {})
    .next()
    .then(({ value }) => [value])
  expect(first).toMatchObject({ kind: 'snapshot', state: { run: { status: 'done' } } })
  await expect.poll(() => app.jobs.list()[0]).toMatchObject({ status: 'done', done: TASKS, total: TASKS })
})

needsModel('the engine killed in mid-token pauses the run; resumed, nothing differs', async () => {
  const { app } = rig
  const { id } = await app.runDrafts.start(CHOICE)
  while (app.runs.get(id).done < 2 || (app.runs.snapshot(id).live?.streaming ?? '') === '') await sleep(1)
  process.kill(app.engine.pid ?? 0, 'SIGKILL')
  const paused = await app.runs.settled(id)
  expect(paused).toMatchObject({ status: 'paused', problem: { code: 'ENGINE_DIED' } })
  expect(paused.done).toBeLessThan(TASKS)
  await app.runDrafts.resume(id)
  expect(await app.runs.ended(id)).toMatchObject({ status: 'done', done: TASKS, problem: null })
  expect(contentOf(await trajectoriesOf(app, id))).toBe(whole)
})

needsModel('cancelling through the job ends the run and keeps what is finished', async () => {
  const { app } = rig
  const { id } = await app.runDrafts.start({ ...CHOICE, maxTokens: 300 })
  while (app.runs.get(id).done < 1 || (app.runs.snapshot(id).live?.streaming ?? '') === '') await sleep(1)
  const job = app.jobs.list().find((each) => each.subject === id)
  expect(await app.jobs.cancel(job?.id ?? '')).toMatchObject({ status: 'cancelled' })
  const run = app.runs.get(id)
  expect(run.status).toBe('cancelled')
  expect(await trajectoriesOf(app, id)).toHaveLength(run.done)
})

// The last of the shared rig, whose app it replaces.
longTestWhere(hasTinyModel)(
  'a run interrupted twice gives the same attempts as one that was not',
  async () => {
    const { id } = await rig.app.runDrafts.start(CHOICE)
    const runs = rig.app.runs
    while (runs.get(id).done < 2) await sleep(5)
    await runs.pause(id)
    expect((await runs.settled(id)).status).toBe('paused')
    await rig.app.runDrafts.resume(id)
    while (runs.get(id).done < 4 || runs.snapshot(id).live === null) await sleep(2)
    const next = await rig.reopen()
    expect(next.runs.get(id)).toMatchObject({ status: 'paused', problem: { code: 'INTERRUPTED' } })
    await next.runDrafts.resume(id)
    expect(await next.runs.ended(id)).toMatchObject({ status: 'done', done: TASKS })
    expect(contentOf(await trajectoriesOf(next, id))).toBe(whole)
  },
)

needsModel('the demo is one job over two runs, each in a fresh memory, one after the other', async () => {
  const own = await openAppRig(3, demoResources)
  onTestFinished(() => own.close())
  const { app } = own
  const { jobId, runIds } = await app.runDrafts.startDemo()
  expect(runIds.map((id) => app.runs.get(id).config.method)).toEqual(['none', 'case-bank'])
  expect(app.runs.get(runIds[1] ?? '').status).toBe('queued')
  expect(app.jobs.get(jobId)).toMatchObject({ kind: 'demo', status: 'running' })
  const ends = await Promise.all(runIds.map((id) => app.runs.ended(id)))
  expect(ends.map((run) => [run.status, run.done])).toEqual([
    ['done', 3],
    ['done', 3],
  ])
  expect(new Set(ends.map((run) => run.config.memoryId)).size).toBe(2)
  await expect.poll(() => app.jobs.get(jobId)).toMatchObject({ status: 'done', done: 6, total: 6 })
  expect(app.jobs.list()).toHaveLength(1)
})
