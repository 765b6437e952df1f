import { afterEach, describe, expect, it, vi } from 'vitest'
import type { EnginePort } from '../../../src/main/engine-client/engine-port'
import type { EngineEvent, EngineRequest, LoadedModelInfo } from '../../../src/main/ground/engine-protocol'
import { onTrail } from '../../../src/main/ground/trail'
import { RestartPolicy } from '../../../src/main/ground/restart-policy'
import { EngineSupervisor } from '../../../src/main/engine-client/supervisor'

const INFO: LoadedModelInfo = {
  name: 'fake',
  path: '/m.gguf',
  contextSize: 128,
  reserve: 1,
  gpu: 'cpu',
  gpuLayers: 0,
  threads: { reading: 1, writing: 1 },
  gpuAbsence: null,
  layout: { own: true, name: 'its own chat template', why: null },
  templateCan: { tools: false, thinking: false },
}

/** An engine process made of nothing: the test says what it answers. */
class FakeProcess implements EnginePort {
  readonly pid = 1
  readonly requests: EngineRequest[] = []
  killed = false
  readonly #events: ((event: EngineEvent) => void)[] = []
  readonly #exits: ((reason: string) => void)[] = []
  readonly #behave: (request: EngineRequest, process: FakeProcess) => void

  constructor(behave: (request: EngineRequest, process: FakeProcess) => void) {
    this.#behave = behave
  }
  send(request: EngineRequest): void {
    this.requests.push(request)
    queueMicrotask(() => this.#behave(request, this))
  }
  onEvent(listener: (event: EngineEvent) => void): void {
    this.#events.push(listener)
  }
  onExit(listener: (reason: string) => void): void {
    this.#exits.push(listener)
  }
  kill(): void {
    this.killed = true
    this.die('it was ended by SIGKILL')
  }
  tell(event: EngineEvent): void {
    for (const listener of this.#events) listener(event)
  }
  die(reason = 'it ended with code 1'): void {
    for (const listener of this.#exits) listener(reason)
  }
}

describe('the engine supervisor', () => {
  const processes: FakeProcess[] = []
  let engine: EngineSupervisor | undefined
  afterEach(async () => {
    await engine?.dispose()
    processes.length = 0
  })

  /** Loads at once; everything else is up to `behave`. */
  const start = (
    behave: (request: EngineRequest, process: FakeProcess) => void,
    ready = true,
    waitedFor: (isWaited: boolean) => void = () => undefined,
  ) => {
    engine = new EngineSupervisor({
      waitedFor,
      restarts: new RestartPolicy({ backOffMs: [0], now: () => 0 }),
      spawn: () => {
        const process = new FakeProcess((request, self) => {
          if (request.kind === 'shutdown') self.die('it ended with code 0')
          else if (request.kind === 'load') self.tell({ kind: 'answer', id: request.id, value: INFO })
          else behave(request, self)
        })
        processes.push(process)
        queueMicrotask(() => (ready ? process.tell({ kind: 'ready', pid: 1 }) : process.die()))
        return process
      },
    })
    return engine
  }
  const messages = [{ role: 'user' as const, content: 'hi' }]

  it('tells when a person waits for a reply, and has its process hold for what is waited for elsewhere', async () => {
    const waits: boolean[] = []
    const supervisor = start(
      (request, process) => {
        if (request.kind !== 'generate') return
        const usage = { promptTokens: 1, completionTokens: 1, reusedTokens: 0, ms: 1 }
        process.tell({
          kind: 'answer',
          id: request.id,
          value: { text: 'yes', finish: 'stop', usage, tokensPerSecond: null },
        })
      },
      true,
      (isWaited) => waits.push(isWaited),
    )
    const model = await supervisor.loadModel({ path: '/m.gguf' })
    await model.generate({ messages })
    expect(waits).toEqual([])
    const first = await supervisor.loadModel({ path: '/m.gguf' }, { first: true })
    await Promise.all([first.generate({ messages }), first.generate({ messages })])
    expect(waits).toEqual([true, false])
    supervisor.hold(true)
    expect(processes[0]?.requests.at(-1)).toEqual({ kind: 'hold', held: true })
  })

  it('says in each line which work it is about, the engine’s own and that of its end', async () => {
    const lines: unknown[] = []
    engine = new EngineSupervisor({
      restarts: new RestartPolicy({ backOffMs: [0], now: () => 0 }),
      log: (level, message, fields) => lines.push({ level, message, ...fields }),
      spawn: () => {
        const process = new FakeProcess((request, self) => {
          if (request.kind === 'shutdown') self.die('it ended with code 0')
          else if (request.kind === 'load') self.tell({ kind: 'answer', id: request.id, value: INFO })
          else if (request.kind === 'generate') {
            self.tell({ kind: 'log', level: 'warn', message: 'Slow.', trails: [request.trail ?? ''] })
            if (request.trail === 'ask-2') self.die()
          }
        })
        queueMicrotask(() => process.tell({ kind: 'ready', pid: 1 }))
        return process
      },
    })
    const model = await engine.loadModel({ path: '/m.gguf' })
    const options = { messages, constraint: null, maxTokens: 1, temperature: 0, seed: 1 }
    const calls = ['run-1', 'ask-2'].map((id) => onTrail(id, () => model.generate(options as never)))
    for (const call of calls) await expect(call).rejects.toMatchObject({ code: 'ENGINE_DIED' })
    expect(lines).toEqual(
      expect.arrayContaining([
        { level: 'warn', message: 'Slow.', from: 'engine', pid: 1, trails: ['run-1'] },
        { level: 'warn', message: 'Slow.', from: 'engine', pid: 1, trails: ['ask-2'] },
        expect.objectContaining({ level: 'error', trails: ['run-1', 'ask-2'] }),
      ]),
    )
  })

  it('starts nothing before it is needed and loads the same model once', async () => {
    const supervisor = start(() => undefined)
    expect(supervisor.state.status).toBe('stopped')
    expect(processes.length).toBe(0)
    const [a, b] = await Promise.all([
      supervisor.loadModel({ path: '/m.gguf' }),
      supervisor.loadModel({ path: '/m.gguf' }),
    ])
    expect(a).toBe(b)
    expect(processes[0]?.requests.map(({ kind }) => kind)).toEqual(['load'])
    expect(supervisor.state).toMatchObject({ status: 'ready', modelName: 'fake', note: null })
  })

  it('loads anew where the card is spoken to by something else, or attention is computed otherwise, although a person waits', async () => {
    const supervisor = start((request, process) => {
      if (request.kind === 'room') process.tell({ kind: 'answer', id: request.id, value: true })
    })
    const path = '/m.gguf'
    const choices = [
      {},
      { gpuBackend: 'vulkan' },
      { gpuBackend: 'vulkan', flashAttention: 'off' },
      { gpuLayers: 'cpu', gpuBackend: 'vulkan', flashAttention: 'off' },
      // Which card is not used makes no difference.
      { gpuLayers: 'cpu', gpuBackend: 'cuda', flashAttention: 'off' },
    ] as const
    const loads = () => processes[0]?.requests.filter(({ kind }) => kind === 'load').length
    const counts: (number | undefined)[] = []
    for (const choice of choices) {
      await supervisor.loadModel({ path, ...choice }, { first: true })
      counts.push(loads())
    }
    expect(counts).toEqual([1, 2, 3, 4, 4])
    expect(supervisor.state.models).toHaveLength(1)
  })

  it('rejects a cancelled call at once, however busy the engine is, and tells the engine', async () => {
    const model = await start(() => undefined).loadModel({ path: '/m.gguf' })
    const controller = new AbortController()
    const writing = model.generate({ messages }, { signal: controller.signal })
    await vi.waitFor(() => expect(engine?.state.status).toBe('generating'))
    controller.abort()
    await expect(writing).rejects.toMatchObject({ name: 'AbortError' })
    const [, generate, abort] = processes[0]?.requests ?? []
    expect(abort).toEqual({ kind: 'abort', target: generate?.kind === 'generate' ? generate.id : -1 })
    expect(engine?.state.status).toBe('ready')
  })

  it('lets a load be cancelled that waits behind another', async () => {
    const supervisor = start(() => undefined)
    await supervisor.loadModel({ path: '/m.gguf' })
    // The fake never answers this, so everything behind it waits.
    const unloading = supervisor.unload().catch(() => undefined)
    const controller = new AbortController()
    const loading = supervisor.loadModel({ path: '/other.gguf' }, { signal: controller.signal })
    controller.abort()
    await expect(loading).rejects.toMatchObject({ name: 'AbortError' })
    processes[0]?.die()
    await unloading
  })

  it('fails every pending call when the process ends, and keeps errors typed', async () => {
    const model = await start((request, process) => {
      if (request.kind === 'count-tokens')
        process.tell({
          kind: 'error',
          id: request.id,
          error: { code: 'INTERNAL', title: 'T', cause: 'c', suggestion: 's', retryable: false },
        })
    }).loadModel({ path: '/m.gguf' })
    await expect(model.countTokens(['a'])).rejects.toMatchObject({ code: 'INTERNAL', why: 'c' })
    const calls = [model.generate({ messages }), model.generate({ messages })]
    await vi.waitFor(() => expect(processes[0]?.requests.length).toBe(4))
    processes[0]?.die('it ended with code 134')
    for (const call of calls)
      await expect(call).rejects.toMatchObject({
        code: 'ENGINE_DIED',
        retryable: true,
        why: expect.stringMatching(/134/) as string,
      })
    await vi.waitFor(() => expect(engine?.state.status).toBe('idle'))
    expect(processes.length).toBe(2)
  })

  it('gives up on an engine that never gets ready', async () => {
    const supervisor = start(() => undefined, false)
    await expect(supervisor.loadModel({ path: '/m.gguf' })).rejects.toMatchObject({ code: 'ENGINE_DIED' })
    await vi.waitFor(() => expect(supervisor.state.status).toBe('failed'))
    expect(processes.length).toBe(4)
    await expect(supervisor.loadModel({ path: '/m.gguf' })).rejects.toMatchObject({ retryable: false })
    expect(processes.length).toBe(4)
  })

  it('refuses a handle whose model was replaced', async () => {
    const supervisor = start((request, process) => {
      if (request.kind === 'count-tokens') process.tell({ kind: 'answer', id: request.id, value: [1] })
    })
    const first = await supervisor.loadModel({ path: '/m.gguf' })
    const second = await supervisor.loadModel({ path: '/m.gguf', contextSize: 64 })
    await expect(first.countTokens(['a'])).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(await second.countTokens(['a'])).toEqual([1])
  })

  it('computes the built-in embedding without an engine', async () => {
    for (const [id, dimension] of [
      ['loam-256', 256],
      ['lexical-384', 384],
    ] as const) {
      const embedder = await start(() => undefined).embedder(id)
      expect((await embedder.embed(['a']))[0]?.length).toBe(dimension)
    }
    expect(processes.length).toBe(0)
  })
})
