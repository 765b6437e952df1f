import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createApp, type App } from '../../../src/main/app'
import { contentOf, trajectoriesOf } from './rig-app'
import { longTest, TORTURE } from '../../torture'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 60_000 })

let folder: string
let app: App
const open = async (): Promise<App> => {
  const opened = await createApp({ dataPath: join(folder, 'data'), host: 'memory', gpuLayers: 'cpu' })
  await opened.saveSettings({ threads: 1 })
  return opened
}
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loam-lifelong-'))
  app = await open()
})
afterEach(async () => {
  await app.dispose()
  await rm(folder, { recursive: true, force: true })
})

const play = async (kind: string, method: string, tasks: number): Promise<string> => {
  const { id } = await app.runDrafts.start({ stream: `lifelong:${kind}?world=101`, method, tasks })
  expect(await app.runs.ended(id)).toMatchObject({ status: 'done', problem: null, done: tasks })
  return id
}
const rewardsOf = (id: string): readonly number[] => app.runs.steps(id).map(({ reward }) => reward)

describe('lifelong streams on the demo model', () => {
  longTest('noisy: the agent learns from what it is told, figures count what it was', async () => {
    // One in each ten is told otherwise.
    const tasks = TORTURE ? 20 : 10
    const steady = await play('steady', 'none', tasks)
    const noisy = await play('noisy', 'none', tasks)
    expect(rewardsOf(noisy)).toEqual(rewardsOf(steady))
    const told = await trajectoriesOf(app, noisy)
    const flipped = told.filter(({ measured }) => measured !== undefined)
    expect(flipped.map(({ task }) => Math.floor(task.index / 10))).toEqual(TORTURE ? [0, 1] : [0])
    for (const { reward, measured } of flipped) expect(reward).toBe(1 - (measured ?? 0))
    const kept = await play('noisy', 'case-bank', tasks)
    const memory = await app.memories.open(app.runs.get(kept).config.memoryId)
    for (const { id, task, reward, measured } of await trajectoriesOf(app, kept)) {
      const found = await memory.search(task.instruction, 20)
      expect(found.find((hit) => hit.case.trajectoryId === id)?.case.reward).toBe(reward)
      expect(rewardsOf(kept)[task.index]).toBe(measured ?? reward)
    }
  })

  longTest('sparse: nothing is learned where nothing is told, and it is measured all the same', async () => {
    const run = await play('sparse', 'case-bank', 10)
    const attempts = await trajectoriesOf(app, run)
    expect(attempts.filter(({ ungraded }) => ungraded === undefined).map(({ task }) => task.index)).toEqual([
      4, 9,
    ])
    expect(rewardsOf(run)).toEqual(attempts.map(({ reward, measured }) => measured ?? reward))
    const memory = await app.memories.open(app.runs.get(run).config.memoryId)
    const kept: string[] = []
    for await (const { case: found } of memory.writes(0)) kept.push(found.trajectoryId)
    expect(kept).toEqual([4, 9].map((index) => attempts[index]?.id))
  })

  it('poisoned: the memory starts with the other agent’s attempts, once, however often it is begun', async () => {
    const stream = 'lifelong:poisoned?world=101'
    const { id } = await app.runDrafts.start({ stream, method: 'case-bank', tasks: 3 })
    await vi.waitUntil(async () => (await trajectoriesOf(app, id)).length > 5, {
      timeout: 60_000,
      interval: 5,
    })
    await app.dispose()
    app = await open()
    const stopped = app.runs.get(id)
    await app.runDrafts.resume(id)
    expect(await app.runs.ended(id)).toMatchObject({ status: 'done', done: 3 })
    const all = await trajectoriesOf(app, id)
    expect(stopped.status).toBe('paused')
    expect(all.filter(({ runId }) => runId === 'shared-other-agent').length).toBe(50)
    expect(all.length).toBe(53)
    expect(all.slice(50).some(({ recalled }) => recalled.length > 0)).toBe(true)
    const again = await app.runDrafts.start({ stream, method: 'case-bank', tasks: 3 })
    await app.runs.ended(again.id)
    expect(contentOf(await trajectoriesOf(app, again.id))).toBe(contentOf(all))
  })
})
