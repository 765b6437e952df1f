import { afterEach, describe, expect, it, vi } from 'vitest'
import type { EngineLanguageModel } from '../../../src/main/engine-client/engine-language-model'
import { calibrateProcesses, openEnginePool } from '../../../src/main/engine-client/engine-pool'
import type { EngineSupervisor } from '../../../src/main/engine-client/supervisor'
import { onTrail } from '../../../src/main/ground/trail'
import { modelLoadOptionsSchema } from '../../../src/shared/domain/model'

describe('how many processes work side by side', () => {
  const choose = async (most: number, msOf: (count: number) => number) => {
    const clock = { ms: 0 }
    const trial = (count: number) => {
      clock.ms += msOf(count)
      return Promise.resolve(msOf(count))
    }
    return { count: await calibrateProcesses(most, trial, () => clock.ms), ms: clock.ms }
  }

  it('is one for each processor that is free', async () => {
    expect((await choose(4, () => 50)).count).toBe(4)
    // Two of four processors are free: more processes take as much longer.
    expect((await choose(4, (count) => 50 * Math.max(1, count / 2))).count).toBe(2)
    expect((await choose(2, () => 50)).count).toBe(2)
    expect((await choose(1, () => 50)).count).toBe(1)
  })

  it('is one where others only wait for each other, and is known within a second and one trial of each', async () => {
    expect((await choose(4, (count) => 50 * count)).count).toBe(1)
    const slow = await choose(2, (count) => 600 * count)
    expect(slow).toEqual({ count: 1, ms: 1800 })
  })
})

/** An engine that says which one it is, and answers when it is told to. */
function fakeEngine(name: string, fits = true, beginning = Promise.resolve()) {
  const log: string[] = []
  const waiters: (() => void)[] = []
  let listener: () => void = () => undefined
  let isHeld = true
  const write = async () => {
    log.push('call')
    await new Promise<void>((resolve) => waiters.push(resolve))
    return { text: name, finish: 'stop' as const, usage: { promptTokens: 1, completionTokens: 1, ms: 1 } }
  }
  const model = { name: 'm', path: '/m.gguf', contextSize: 512, generate: write, generateRaw: write }
  const engine = {
    onState: (own: () => void) => (listener = own),
    holds: () => isHeld,
    fit: async () => {
      await beginning
      return { fits }
    },
    loadModel: () => Promise.resolve(model),
    noteProcesses: (_: unknown, count: number) => log.push(`${count} processes`),
    hold: (held: boolean) => log.push(held ? 'hold' : 'go on'),
    dispose: () => Promise.resolve(log.push('end')),
  }
  return {
    log,
    model: model as unknown as EngineLanguageModel,
    engine: engine as unknown as EngineSupervisor,
    change: () => listener(),
    answer: () => waiters.splice(0).forEach((resolve) => resolve()),
    drop: () => {
      isHeld = false
      listener()
    },
  }
}

describe('a model in several processes', () => {
  afterEach(() => vi.useRealTimers())
  const options = modelLoadOptionsSchema.parse({ path: '/m.gguf' })
  const request = { messages: [] }
  const open = async (fits = true) => {
    const [first, second] = [fakeEngine('first'), fakeEngine('second', fits)]
    const pool = openEnginePool(first.engine, () => second.engine)
    const choice = { most: 2, isMeasured: true }
    const spread = await pool.spread('work', first.model, options, choice)
    return { first, second, pool, spread, choice }
  }

  it('gives each work a process of its own, the same as before while that is free', async () => {
    const { first, second, spread, pool } = await open()
    expect([spread.count, first.log, pool.countOf('work')]).toEqual([2, ['2 processes'], 2])
    const ask = (trail: string) => onTrail(trail, () => spread.model.generate(request))
    const both = [ask('a'), ask('b')]
    first.answer()
    second.answer()
    expect((await Promise.all(both)).map(({ text }) => text)).toEqual(['first', 'second'])
    const again = [ask('b'), ask('a')]
    first.answer()
    second.answer()
    expect((await Promise.all(again)).map(({ text }) => text)).toEqual(['second', 'first'])
    await pool.dispose()
    expect(second.log.at(-1)).toBe('end')
  })

  it('holds all others for what a person waits for', async () => {
    const { first, second, pool } = await open()
    pool.hold(true)
    pool.hold(false)
    expect([first.log, second.log]).toEqual([['2 processes'], ['hold', 'go on']])
  })

  it('ends what goes on before the others go with the model', async () => {
    const { first, second, spread, pool } = await open()
    const calls = ['a', 'b'].map((trail) => onTrail(trail, () => spread.model.generate(request)))
    first.drop()
    expect(second.log).not.toContain('end')
    // Where the first says that the model is gone.
    calls.push(onTrail('b', () => spread.model.generate(request)))
    expect([first.log.at(-1), second.log]).toEqual(['call', ['call']])
    first.answer()
    second.answer()
    await Promise.all(calls)
    expect(second.log).toContain('end')
    expect(pool.countOf('work')).toBeNull()
  })

  it('lets the others go after a minute without a call', async () => {
    vi.useFakeTimers()
    const { first, second, spread } = await open()
    const reply = spread.model.generate(request)
    first.answer()
    await reply
    vi.advanceTimersByTime(59_000)
    expect(second.log).not.toContain('end')
    vi.advanceTimersByTime(2000)
    expect(second.log).toContain('end')
    // What begins later is done by the first.
    const later = ['a', 'b'].map((trail) => onTrail(trail, () => spread.model.generate(request)))
    first.answer()
    expect((await Promise.all(later)).map(({ text }) => text)).toEqual(['first', 'first'])
  })

  it('waits longer than that for one that begins slowly', async () => {
    vi.useFakeTimers()
    let isReady: () => void = () => undefined
    const beginning = new Promise<void>((resolve) => (isReady = resolve))
    const [first, second] = [fakeEngine('first'), fakeEngine('second', true, beginning)]
    const pool = openEnginePool(first.engine, () => second.engine)
    const opening = pool.spread('work', first.model, options, { most: 2, isMeasured: true })
    first.change()
    vi.advanceTimersByTime(120_000)
    isReady()
    expect((await opening).count).toBe(2)
    expect(second.log).not.toContain('end')
    await pool.dispose()
  })

  it('stays in one process where memory has no room for another', async () => {
    const { first, spread, pool, choice } = await open(false)
    expect(spread).toMatchObject({ count: 1, model: first.model })
    expect(await pool.spread('work', first.model, options, choice)).toBe(spread)
  })
})
