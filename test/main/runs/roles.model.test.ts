import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { moveRoles } from '../../../src/core/agent/roles'
import type { GenerateRequest, LanguageModel } from '../../../src/core/ground/chat'
import { parseRunSetting } from '../../../src/core/lab/setting-groups'
import { EngineSupervisor } from '../../../src/main/engine-client/supervisor'
import { createApp, type App } from '../../../src/main/app'
import { startModelServer, type ModelServer } from '../../fixtures/model-server'
import { withToolsOf } from '../app-in-temp'
import { trajectoriesOf } from './rig-app'
import { TORTURE } from '../../torture'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })

const STORIES = resolve('../shared/models/stories260K/stories260K-F32.gguf')
const noStories = !existsSync(STORIES)
const AGENT = { maxCycles: 1, maxSubtasks: 1, maxSteps: 1, allowed: 'math' }

let folder: string
let app: App
let server: ModelServer | null = null
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loam-roles-'))
  app = await createApp({ dataPath: join(folder, 'data'), host: 'memory', gpuLayers: 'cpu' })
  // What all tools say of themselves would be most of what is read.
  await withToolsOf(app, 'math')
})
afterEach(async () => {
  await app.dispose()
  await server?.close()
  server = null
  await rm(folder, { recursive: true, force: true })
})

const start = (roles: Record<string, string | number>, change: object = {}) =>
  app.runDrafts.start({
    stream: 'desk-questions',
    method: 'evosc',
    tasks: 1,
    temperature: 0.7,
    maxTokens: 96,
    settings: { agent: AGENT, roles },
    ...change,
  })

describe('roles with models of their own', () => {
  it.skipIf(noStories)('plans on one file and executes on another; both are loaded and named', async () => {
    const both = vi.fn()
    app.engine.onState(({ models = [] }) => {
      if (models.length === 2) both(models.map(({ path }) => path).sort())
    })
    const { id } = await start({ executorModel: STORIES }, { contextSize: 8192 })
    const run = await app.runs.ended(id)
    expect(run).toMatchObject({ status: 'done', problem: null, done: 1 })
    const record = JSON.parse(await readFile(join(folder, 'data/runs', id, 'run.json'), 'utf8')) as object
    expect(record).toMatchObject({
      config: { settings: { roles: { executorModel: STORIES } } },
      hashes: { otherModels: { [STORIES]: { sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string } } },
    })
    expect(both).toHaveBeenCalledWith([STORIES, app.demoModel].sort())
    const [attempt] = await trajectoriesOf(app, id)
    const cycles = attempt?.cycles ?? []
    // The planner's dialog is the demo model's, the subtasks' are the other's: both wrote.
    expect(cycles.length).toBeGreaterThan(0)
    expect(cycles.every(({ usage }) => usage.completionTokens > 0)).toBe(true)
    const worked = cycles.flatMap(({ subtasks }) => subtasks)
    expect(worked.some(({ usage }) => usage.completionTokens > 0)).toBe(true)
  })

  it.skipIf(!TORTURE || noStories)(
    'takes turns where the engine keeps one at a time, with the same replies',
    async () => {
      const played = async (): Promise<unknown> => {
        // Greedy: what a prompt began with before is read in other batches when a model is loaded anew, and rounds differently.
        const { id } = await start({ executorModel: STORIES }, { contextSize: 8192, temperature: 0 })
        expect(await app.runs.ended(id)).toMatchObject({ status: 'done', problem: null })
        const [attempt] = await trajectoriesOf(app, id)
        return attempt?.cycles?.map(({ reply, subtasks }) => [reply, subtasks.map(({ result }) => result)])
      }
      const together = await played()
      await app.engine.unload()
      const load = app.engine.loadModel.bind(app.engine)
      const alone = vi
        .spyOn(app.engine, 'loadModel')
        .mockImplementation((input, options) => load(input, { ...options, beside: false }))
      const most = vi.fn()
      app.engine.onState(({ models = [] }) => most(models.length))
      expect(await played()).toEqual(together)
      expect(alone.mock.calls.length).toBeGreaterThan(2)
      expect(Math.max(...most.mock.calls.map(([count]) => count as number))).toBe(1)
    },
  )

  it('asks a server for what its writer writes, at the writer’s own temperature, and nobody else there', async () => {
    const engine = new EngineSupervisor()
    const asked: GenerateRequest[] = []
    try {
      const model = await engine.loadModel({ path: app.demoModel, gpuLayers: 'cpu' })
      const listening: LanguageModel = {
        ...model,
        generate: (request, options) => {
          asked.push(request)
          return model.generate(request, options)
        },
      }
      server = await startModelServer('scribe', listening)
      const writer = `openai:scribe@${server.url}`
      const { id } = await start(
        { writerModel: writer, writerTemperature: 0.9 },
        { stream: 'house-rules-a', tasks: 4, temperature: 0.2 },
      )
      expect(await app.runs.ended(id)).toMatchObject({ status: 'done', problem: null, done: 4 })
      const attempts = await trajectoriesOf(app, id)
      expect(asked.length).toBeGreaterThan(0)
      expect(new Set(asked.map(({ temperature }) => temperature))).toEqual(new Set([0.9]))
      expect(attempts.some(({ learnUsage }) => (learnUsage?.completionTokens ?? 0) > 0)).toBe(true)
      // Replies of the actor are no business of the writer's server.
      expect(asked.every(({ messages }) => !messages[0]?.content.includes('Action: Operation'))).toBe(true)
    } finally {
      await engine.dispose()
    }
  })

  it('refuses a model for a role that the tasks do not have', async () => {
    await expect(
      start({ plannerModel: app.demoModel, userModel: '/x.gguf' }, { stream: 'house-rules-a' }),
    ).rejects.toMatchObject({
      code: 'BAD_INPUT',
      why: 'Databases: these tasks have no planner and no user.',
    })
  })

  it('reads models of roles as they were once written', async () => {
    expect(moveRoles({ agent: { plannerModel: '/p.gguf', maxCycles: 2 } })).toEqual({
      agent: { maxCycles: 2 },
      roles: { plannerModel: '/p.gguf' },
    })
    expect(parseRunSetting('agent.judgeModel=/j.gguf')).toEqual({ roles: { judgeModel: '/j.gguf' } })
  })
})
