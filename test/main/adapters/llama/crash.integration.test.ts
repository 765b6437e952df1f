import { copyFile, mkdtemp, open, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { RestartPolicy } from '../../../../src/main/ground/restart-policy'
import { EngineSupervisor } from '../../../../src/main/engine-client/supervisor'
import type { EngineSupervisorOptions } from '../../../../src/main/engine-client/supervisor-options'
import { hasStories, STORIES } from './stories-model'
import { longTest } from '../../../torture'

const messages = [{ role: 'user' as const, content: 'Once upon a time' }]
const alive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

describe.skipIf(!hasStories)('an engine that fails', { timeout: 120_000 }, () => {
  let folder: string
  let engine: EngineSupervisor
  const start = (options: Partial<EngineSupervisorOptions> = {}) => {
    engine = new EngineSupervisor({
      markerFile: join(folder, 'model-loading.json'),
      restarts: new RestartPolicy({ backOffMs: [10] }),
      ...options,
    })
    return engine
  }
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'loam-engine-'))
  })
  afterEach(async () => {
    await engine.dispose()
    await rm(folder, { recursive: true, force: true })
  })

  /** Kills the process while a reply is being written. */
  const killMidToken = async (model: Awaited<ReturnType<EngineSupervisor['loadModel']>>) => {
    const pid = engine.pid as number
    const writing = model.generate(
      {
        messages,
        maxTokens: 500,
        temperature: 1.5,
        constraint: { kind: 'gbnf', grammar: 'root ::= [a-z ]+' },
      },
      { onToken: () => process.kill(pid, 'SIGKILL') },
    )
    await expect(writing).rejects.toMatchObject({ code: 'ENGINE_DIED', retryable: true })
    return pid
  }

  it('dies mid-token: the call rejects, the engine comes back and the handle works as before', async () => {
    start()
    const model = await engine.loadModel({ path: STORIES, gpuLayers: 'cpu' })
    const before = await model.generate({ messages, maxTokens: 20 })
    const states: string[] = []
    engine.onState(({ status }) => states.push(status))
    const pid = await killMidToken(model)
    expect(engine.state.problem).toMatch(/SIGKILL/)
    const after = await model.generate({ messages, maxTokens: 20 })
    expect(after.text).toBe(before.text)
    expect(engine.pid).not.toBe(pid)
    expect(engine.state).toMatchObject({ status: 'ready', restarts: 1, problem: null })
    expect(states).toContain('starting')
    expect(states).toContain('loading')
  })

  longTest('is started again at most three times in five minutes', async () => {
    let now = 0
    start({ restarts: new RestartPolicy({ backOffMs: [0], now: () => now }) })
    const model = await engine.loadModel({ path: STORIES, gpuLayers: 'cpu' })
    for (let death = 0; death < 4; death++) await killMidToken(model)
    expect(engine.state).toMatchObject({ status: 'failed', restarts: 3 })
    await expect(model.generate({ messages })).rejects.toMatchObject({
      code: 'ENGINE_DIED',
      retryable: false,
    })
    now += 6 * 60_000
    expect((await model.generate({ messages, maxTokens: 3 })).usage.completionTokens).toBe(3)
  })

  it('leaves a marker when a load takes it down, and refuses that load until asked again', async () => {
    start()
    const marker = join(folder, 'model-loading.json')
    await engine.restart()
    const watch = setInterval(() => {
      if (existsSync(marker)) process.kill(engine.pid as number, 'SIGKILL')
    }, 1)
    engine.onState(({ restarts }) => restarts > 0 && clearInterval(watch))
    await expect(engine.loadModel({ path: STORIES, gpuLayers: 'auto' })).rejects.toMatchObject({
      code: 'ENGINE_DIED',
    })
    expect(JSON.parse(await readFile(marker, 'utf8'))).toMatchObject({ path: STORIES, gpuLayers: 'auto' })
    await engine.dispose()
    start()
    expect(await engine.crashedModel()).toBe(STORIES)
    await expect(engine.loadModel({ path: STORIES })).rejects.toMatchObject({
      code: 'MODEL_CRASHED_LAST_TIME',
      suggestion: expect.stringMatching(/CPU.*smaller/) as string,
    })
    await engine.loadModel({ path: STORIES, gpuLayers: 'cpu' })
    expect(existsSync(marker)).toBe(false)
    await writeFile(marker, JSON.stringify({ path: STORIES, gpuLayers: 'cpu', at: '' }))
    await engine.unload()
    await expect(engine.loadModel({ path: STORIES, gpuLayers: 'cpu' })).rejects.toMatchObject({
      code: 'MODEL_CRASHED_LAST_TIME',
    })
    await engine.loadModel({ path: STORIES, gpuLayers: 'cpu' }, { retryAfterCrash: true })
    expect(existsSync(marker)).toBe(false)
  })

  it('answers a bad model file with one clear error and stays alive', async () => {
    start()
    const bad = join(folder, 'bad.gguf')
    const load = () => engine.loadModel({ path: bad, gpuLayers: 'cpu' })
    await expect(load()).rejects.toMatchObject({ code: 'MODEL_NOT_FOUND' })
    const pid = engine.pid
    await writeFile(bad, 'PK\u0003\u0004 not a model at all')
    await expect(load()).rejects.toMatchObject({ code: 'MODEL_NOT_GGUF' })
    await copyFile(STORIES, bad)
    await truncate(bad, 600_000)
    await expect(load()).rejects.toMatchObject({ code: 'MODEL_TRUNCATED' })
    await truncate(bad, 4000)
    await expect(load()).rejects.toMatchObject({ code: 'MODEL_TRUNCATED' })
    await copyFile(STORIES, bad)
    const file = await open(bad, 'r+')
    const text = (await readFile(bad)).toString('latin1')
    await file.write('llamb', text.indexOf('llama'), 'latin1')
    await file.close()
    await expect(load()).rejects.toMatchObject({ code: 'MODEL_LOAD' })
    expect(engine.state.status).toBe('idle')
    expect(engine.state.problem).toMatch(/could not be loaded/)
    await engine.loadModel({ path: STORIES, gpuLayers: 'cpu' })
    expect(engine.pid).toBe(pid)
  })

  it('leaves no process behind', async () => {
    start()
    await engine.loadModel({ path: STORIES, gpuLayers: 'cpu' })
    const pid = engine.pid as number
    expect(alive(pid)).toBe(true)
    await engine.dispose()
    expect(alive(pid)).toBe(false)
    expect(engine.state.status).toBe('stopped')
    await expect(engine.loadModel({ path: STORIES })).rejects.toMatchObject({ code: 'ENGINE_DIED' })
  })
})
