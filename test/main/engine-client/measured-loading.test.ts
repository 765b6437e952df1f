import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { EnginePool } from '../../../src/main/engine-client/engine-pool'
import { measuredLoading } from '../../../src/main/engine-client/measured-loading'
import type { EngineSupervisor } from '../../../src/main/engine-client/supervisor'
import type { ModelInfo, ModelLoadOptions, ModelSpeed } from '../../../src/shared/domain/model'

vi.mock(import('../../../src/main/ground/machine'), async (original) => ({
  ...(await original()),
  isBusy: () => false,
}))

const SPEED: ModelSpeed = {
  ...{ reading: 400, writing: 100, bytesPerSecond: 9e9, at: '2026-11-29T12:00:00.000Z', busy: false },
}

/** An engine that tries a model whenever its threads are not known. */
function fakeEngine(busy: boolean) {
  const loads: ModelLoadOptions[] = []
  let models: { path: string; threads: object; speed?: ModelSpeed }[] = []
  const engine = {
    loadModel: (options: ModelLoadOptions) => {
      loads.push(options)
      const isTried = options.measuredThreads === null && options.wantsSpeed
      const speed = isTried ? { speed: { ...SPEED, writing: busy ? 5 : 100, busy } } : {}
      models = [{ path: options.path, threads: { reading: 2, writing: 1 }, ...speed }]
      return Promise.resolve({})
    },
    get state() {
      return { models }
    },
  }
  return { loads, engine: engine as unknown as EngineSupervisor }
}

type Choices = ReturnType<Parameters<typeof measuredLoading>[4]>
const PLACE: Choices = {
  ...{ gpuLayers: 'auto', gpuBackend: 'auto', flashAttention: 'auto', cacheType: 'f16' },
  ...{ threads: 'auto', engineProcesses: 'auto', promptReuse: 'exact' },
}

describe('how fast a model is', () => {
  let folder: string
  let path: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'loam-loading-'))
    path = join(folder, 'model.gguf')
    await writeFile(path, 'GGUF')
  })
  beforeAll(() => void vi.useFakeTimers({ toFake: ['Date'] }))
  afterAll(() => void vi.useRealTimers())
  afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))

  const start = (machine = 'this', place: { readonly threads?: number } = {}, busy = false) => {
    const { loads, engine } = fakeEngine(busy)
    const choices = (): Choices => ({ ...PLACE, ...place })
    const loading = measuredLoading(engine, {} as EnginePool, folder, machine, choices)
    const model = { path, name: 'model' } as ModelInfo
    return {
      loads,
      load: () => loading.load(path),
      /** Tokens it writes in a second, as lists say it. */
      async writes() {
        const [one] = await loading.withSpeeds([model])
        return one?.speed?.writing
      },
    }
  }

  it('is tried at its first load, kept over starts, and unknown before', async () => {
    const first = start()
    expect(await first.writes()).toBeUndefined()
    await first.load()
    expect(first.loads[0]).toMatchObject({ measuredThreads: null, wantsSpeed: true })
    expect(await first.writes()).toBe(100)
    const second = start()
    expect(await second.writes()).toBe(100)
    await second.load()
    expect(second.loads[0]).toMatchObject({ measuredThreads: { reading: 2, writing: 1 } })
    expect(await second.writes()).toBe(100)
  })

  it('is tried anew with other threads, on another machine and for another file', async () => {
    const fixed = start('this', { threads: 1 })
    expect(await fixed.writes()).toBeUndefined()
    await fixed.load()
    expect(fixed.loads[0]).toMatchObject({ threads: 1, measuredThreads: null })
    expect(await fixed.writes()).toBe(100)
    expect(await start('another', { threads: 1 }).writes()).toBeUndefined()
    await utimes(path, 1, 1)
    expect(await fixed.writes()).toBeUndefined()
  })

  it('is what was tried in peace, else what others’ work left over', async () => {
    const place = { threads: 2 }
    const beside = start('this', place, true)
    await beside.load()
    expect(await beside.writes()).toBe(5)
    vi.setSystemTime(Date.now() + 25 * 3_600_000)
    await start('this', place).load()
    vi.setSystemTime(Date.now() + 25 * 3_600_000)
    await beside.load()
    expect(beside.loads).toHaveLength(2)
    expect(await beside.writes()).toBe(100)
  })
})
