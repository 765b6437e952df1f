import { beforeEach, describe, expect, it, vi } from 'vitest'
import { ENVIRONMENTS } from '../../../../src/core/tasks'
import type { EnvironmentModule } from '../../../../src/core/ground/environment-module'
import type { App } from '../../../../src/main/app'
import { appInTemp } from '../../../main/app-in-temp'
import { trajectoriesOf } from '../../../main/runs/rig-app'
import { TORTURE } from '../../../torture'

vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 })

const running = appInTemp('environments')
let app: App
beforeEach(() => {
  app = running()
})

// Room for the longest context of an environment, beyond what the demo model was trained for.
const contextSize = 16_384
const settings = { agent: { maxCycles: 2, maxSubtasks: 2, maxSteps: 2, thinkTokens: 16, allowed: 'all' } }

/** A cancel meets the loop of its way to play: the first environment of each shows it, and all with `npm run torture`. */
const isStopped = ({ id, play }: EnvironmentModule): boolean =>
  TORTURE || ENVIRONMENTS.find((one) => one.play === play)?.id === id

// The demo model knows the database world alone: elsewhere every attempt is to end, graded, as a failure.
describe.each(ENVIRONMENTS.map((module) => [module.id, module, isStopped(module)] as const))(
  'environment %s on the real engine',
  (_id, { id: environment, sample }, stopped) => {
    it('ends every attempt with a grade', async () => {
      const tasks = TORTURE ? 3 : 1
      const { id } = await app.runDrafts.start({
        ...{ stream: sample, method: 'none', tasks, temperature: 0.4, maxTokens: 48, contextSize, settings },
      })
      expect(await app.runs.ended(id)).toMatchObject({ status: 'done', problem: null, done: tasks })
      const attempts = (await trajectoriesOf(app, id)).filter(({ runId }) => runId === id)
      expect(attempts).toHaveLength(tasks)
      for (const { task, reward, finish, rounds } of attempts) {
        expect(task.environment).toBe(environment)
        expect([0, 1]).toContain(reward)
        expect(finish).not.toBe('')
        expect(rounds.length).toBeGreaterThan(0)
      }
    })

    it.skipIf(!stopped)(
      'ends at once when it is cancelled in the middle of an attempt, and another run goes on',
      async () => {
        const { id } = await app.runDrafts.start({
          ...{
            stream: sample,
            method: 'none',
            tasks: 5,
            temperature: 0.4,
            maxTokens: 400,
            contextSize,
            settings,
          },
        })
        await vi.waitFor(() => expect(app.runs.get(id).status).toBe('running'), { timeout: 60_000 })
        await app.runs.cancel(id)
        const run = await app.runs.ended(id)
        expect(run.status).toBe('cancelled')
        expect(run.done).toBeLessThan(5)
        const next = await app.runDrafts.start({
          ...{ stream: sample, method: 'none', tasks: 1, maxTokens: 16, contextSize, settings },
        })
        expect(await app.runs.ended(next.id)).toMatchObject({ status: 'done', done: 1 })
      },
    )
  },
)
