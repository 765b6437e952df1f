import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, expect, it, vi } from 'vitest'
import type { App } from '../../../src/main/app'
import { appInTemp } from '../app-in-temp'
import { contentOf, trajectoriesOf } from '../runs/rig-app'

vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 })

const running = appInTemp('ace-offline')
let app: App
beforeEach(() => {
  app = running()
})

const start = () =>
  app.runDrafts.start({
    ...{ stream: 'house-rules-a', method: 'ace', tasks: 5, temperature: 0.2, maxTokens: 96 },
    settings: { ace: { offline: 2, epochs: 2 } },
  })

it('adapts offline over its epochs, tests with the playbook as it then is, and goes on where it was paused', async () => {
  const whole = await start()
  expect(await app.runs.ended(whole.id)).toMatchObject({ status: 'done', problem: null, done: 5 })
  const made = await trajectoriesOf(app, whole.id)
  const epochs = made.filter(({ id }) => id.includes('-epoch'))
  expect(epochs).toHaveLength(2)
  expect(epochs.every(({ learnUsage }) => (learnUsage?.completionTokens ?? 0) > 0)).toBe(true)
  const tested = made.filter(({ id, task }) => !id.includes('-epoch') && task.index >= 2)
  expect(tested.map(({ learnUsage }) => learnUsage)).toEqual([undefined, undefined, undefined])
  expect(new Set(tested.map(({ recalled }) => recalled.map(({ id }) => id).join())).size).toBe(1)
  const report = app.runs.report(whole.id)
  expect(report).toMatchObject({ tasks: 3, built: { tasks: 2, outcome: { iterations: 2, evaluations: 2 } } })

  const stopped = await start()
  while (app.runs.get(stopped.id).building === undefined) await sleep(1)
  await app.runs.pause(stopped.id)
  await app.runs.settled(stopped.id)
  expect(app.runs.get(stopped.id)).toMatchObject({ status: 'paused', done: 2 })
  await app.runDrafts.resume(stopped.id)
  expect(await app.runs.ended(stopped.id)).toMatchObject({ status: 'done', done: 5 })

  expect(contentOf(await trajectoriesOf(app, stopped.id))).toBe(contentOf(made))
})
