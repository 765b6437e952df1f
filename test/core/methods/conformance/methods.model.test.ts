import { setTimeout as sleep } from 'node:timers/promises'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { METHODS } from '../../../../src/core/methods'
import { createApp, type App } from '../../../../src/main/app'
import { findResources } from '../../../../src/main/ground/resources'
import type { RunInfo } from '../../../../src/shared/domain/run'
import type { Trajectory } from '../../../../src/shared/domain/trajectory'
import { contentOf, trajectoriesOf } from '../../../main/runs/rig-app'
import { TORTURE } from '../../../torture'

vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 })

const K = TORTURE ? 3 : 1
/** More than K and one, so that a choice has to be made. */
const TASKS = TORTURE ? 8 : 3
/** Kinds that K counts; lessons, documents and soft prompts have limits of their own. */
const COUNTED = ['case', 'trajectory', 'summary', 'note', 'workflow', 'experience']
const settings = {
  agent: { allowed: 'all' },
  brew: { train: 2, evaluation: 1, width: 1, depth: 1, iterations: 1 },
}

let folder: string
let app: App
const open = (): Promise<App> =>
  createApp({ dataPath: join(folder, 'data'), host: 'memory', resources: findResources(), gpuLayers: 'cpu' })
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loam-methods-'))
  app = await open()
})
afterAll(async () => {
  await app.dispose()
  await rm(folder, { recursive: true, force: true })
})

const start = (
  method: string,
  more: { maxTokens?: number; k?: number; tasks?: number } = {},
): Promise<RunInfo> =>
  app.runDrafts.start({
    ...{
      stream: 'house-rules-a',
      method,
      tasks: TASKS,
      k: K,
      seed: 3,
      temperature: 0.4,
      maxTokens: 64,
      settings,
    },
    ...more,
  })
const attemptsOf = async (id: string): Promise<Trajectory[]> =>
  (await trajectoriesOf(app, id)).filter(({ runId }) => runId === id)

/** The attempts of each method's run that was never interrupted, and the run of each that was. */
const wholes = new Map<string, Trajectory[]>()
const interrupted = new Map<string, string>()

/** Whether the method at this place of the list is stopped in its middle, too: every fifth, and all with `npm run torture`. A scripted model stops all (methods.test.ts). */
const isStopped = (place: number): boolean => TORTURE || place % 5 === 0

describe.each(METHODS.map((method, n) => [method.info.id, method, isStopped(n)] as const))(
  'method %s on the real engine',
  (id, { info }, stopped) => {
    it('recalls within its budget, and only what it says', async () => {
      // One that is stopped in its middle too needs a middle.
      const tasks = stopped ? TASKS : 2
      const run = await start(id, { tasks })
      expect(await app.runs.ended(run.id)).toMatchObject({ status: 'done', problem: null, done: tasks })
      const whole = await attemptsOf(run.id)
      wholes.set(id, whole)
      expect(whole).toHaveLength(tasks)
      const kinds = new Set<string>(info.recalls.map(({ kind }) => kind))
      for (const { recalled } of whole) {
        for (const item of recalled) {
          expect(kinds, `${id} recalls ${item.kind}`).toContain(item.kind)
          expect(item.tokens).toBeGreaterThan(0)
          expect(item.title).not.toBe('')
        }
        const counted = recalled.filter(({ kind }) => COUNTED.includes(kind))
        expect(counted.length).toBeLessThanOrEqual(info.usesK ? K : 0)
      }
      if (info.usesK && kinds.has('case'))
        expect(whole.some(({ recalled }) => recalled.length > 0)).toBe(true)
    })

    it.skipIf(!stopped)('is paused in its middle', async () => {
      const run = await start(id)
      while (app.runs.get(run.id).done < 1) await sleep(2)
      await app.runs.pause(run.id)
      expect(await app.runs.settled(run.id)).toMatchObject({ status: 'paused' })
      interrupted.set(id, run.id)
    })

    it.skipIf(!stopped)('stops in mid-token when it is cancelled, and keeps what is finished', async () => {
      const run = await start(id, { maxTokens: 400 })
      const writing = () => (app.runs.snapshot(run.id).live?.streaming ?? '') !== ''
      while (app.runs.get(run.id).done < 1 || !writing()) {
        if (app.runs.get(run.id).status === 'done') break
        await sleep(1)
      }
      // It may end by itself in that moment.
      const ended = await app.runs.cancel(run.id).catch(() => app.runs.get(run.id))
      expect(['cancelled', 'done']).toContain(ended.status)
      expect(await attemptsOf(run.id)).toHaveLength(ended.done)
    })

    it.skipIf(!stopped)('recalls nothing that K counts at K = 0', async () => {
      if (!info.usesK) return
      const run = await start(id, { k: 0, tasks: 2 })
      expect(await app.runs.ended(run.id)).toMatchObject({ status: 'done', problem: null })
      for (const { recalled } of await attemptsOf(run.id))
        expect(recalled.filter(({ kind }) => COUNTED.includes(kind))).toEqual([])
    })
  },
)

describe('resumed in another process of the host', () => {
  // One for all: a host and its engine take longer to start than a run to go on.
  beforeAll(async () => {
    await app.dispose()
    app = await open()
  })

  it.each(METHODS.filter((_, n) => isStopped(n)).map(({ info }) => info.id))(
    '%s makes the attempts of a run that was never interrupted',
    async (id) => {
      const runId = interrupted.get(id) ?? ''
      await app.runDrafts.resume(runId)
      expect(await app.runs.ended(runId)).toMatchObject({ status: 'done', done: TASKS })
      expect(contentOf(await attemptsOf(runId))).toBe(contentOf(wholes.get(id) ?? []))
    },
  )
})
