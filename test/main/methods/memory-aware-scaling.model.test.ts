import { beforeEach, expect, it, vi } from 'vitest'
import type { App } from '../../../src/main/app'
import { appInTemp } from '../app-in-temp'
import { trajectoriesOf } from '../runs/rig-app'
import { TORTURE } from '../../torture'

vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 })

const running = appInTemp('scaling')
let app: App
beforeEach(() => {
  app = running()
})

it.each(TORTURE ? ['parallel', 'sequential'] : ['parallel'])(
  'several attempts at a task, %s, on the real engine',
  async (scaling) => {
    const run = await app.runDrafts.start({
      ...{
        stream: 'house-rules-a',
        method: 'reasoning-bank',
        tasks: 2,
        k: 3,
        temperature: 0.2,
        maxTokens: 96,
      },
      settings: { 'reasoning-bank': { attempts: 3, scaling } },
    })
    expect(await app.runs.ended(run.id)).toMatchObject({ status: 'done', problem: null, done: 2 })
    const made = await trajectoriesOf(app, run.id)
    expect(made).toHaveLength(2)
    for (const { scaling: several, reward, rounds } of made) {
      expect(several).toMatchObject({ how: scaling })
      expect(several?.attempts).toHaveLength(3)
      expect(several?.attempts[several.reported]).toMatchObject({ reward, rounds })
    }
    const report = app.runs.report(run.id)
    expect(report.scaling).toMatchObject({ attempts: 3, reported: report.successRate })
    const spent = made.reduce((sum, { usage, scaling: several }) => {
      return sum + usage.promptTokens + (several?.usage.promptTokens ?? 0)
    }, 0)
    expect(report.promptTokens).toBeGreaterThanOrEqual(spent)
    const again = await app.runDrafts.start({
      ...{
        stream: 'house-rules-a',
        method: 'reasoning-bank',
        tasks: 2,
        k: 3,
        temperature: 0.2,
        maxTokens: 96,
      },
      settings: { 'reasoning-bank': { attempts: 3, scaling } },
    })
    await app.runs.ended(again.id)
    expect(app.runs.report(again.id).rewards).toEqual(report.rewards)
  },
)
