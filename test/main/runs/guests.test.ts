import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { LanguageModel } from '../../../src/core/ground/ports'
import { createGuests } from '../../../src/main/runs/guests'
import { restingModel } from '../../../src/main/runs/resting-model'
import type { ModelWait } from '../../../src/shared/domain/ask'
import { LoamError } from '../../../src/shared/errors'
import { NO_USAGE } from '../../../src/shared/domain/usage'

const never = new AbortController().signal

function rig() {
  const state = { run: null as string | null, open: true }
  const guests = createGuests({
    atWork: () => state.run,
    isOpen: () => state.open,
    changed: () => undefined,
    now: () => Date.now(),
  })
  const waits = new Map<string, ModelWait | null>()
  const order: string[] = []
  const enter = async (title: string, lane: 'ask' | 'learning' | 'program' = 'ask', model = 'a.gguf') => {
    const onWait = (wait: ModelWait | null) => void waits.set(title, wait)
    const leave = await guests.enter({ title, lane, model, onWait }, never)
    order.push(title)
    return leave
  }
  return { state, guests, waits, order, enter }
}
const turn = () => vi.advanceTimersByTimeAsync(0)

beforeEach(() => {
  vi.useFakeTimers()
  return () => vi.useRealTimers()
})

describe('guests of the engine', () => {
  it('go beside a run one at a time, by lane and then in order, and are told their place', async () => {
    const { state, waits, order, enter } = rig()
    state.run = 'a run of Case bank'
    const first = enter('first')
    void enter('a program', 'program')
    void enter('learning', 'learning')
    void enter('second')
    await turn()
    expect(order).toEqual(['first'])
    expect(waits.get('second')).toEqual({ place: 1, behind: 'first', waitMs: null })
    expect(waits.get('a program')).toMatchObject({ place: 3, behind: 'learning' })
    await vi.advanceTimersByTimeAsync(4000)
    const leave = await first
    leave()
    await turn()
    expect(order).toEqual(['first', 'second'])
    expect(waits.get('second')).toBeNull()
    // Asks took four seconds so far.
    expect(waits.get('learning')).toMatchObject({ place: 1, behind: 'second', waitMs: 4000 })
  })

  it('share a model by two where nothing else works, and wait for one with another', async () => {
    const { order, waits, enter } = rig()
    const first = enter('first')
    const second = enter('second')
    void enter('third', 'ask', 'b.gguf')
    await turn()
    expect(order).toEqual(['first', 'second'])
    ;(await first)()
    await turn()
    expect(order).toEqual(['first', 'second'])
    expect(waits.get('third')).toMatchObject({ place: 1 })
    ;(await second)()
    await turn()
    expect(order).toEqual(['first', 'second', 'third'])
  })

  it('of programs share a model by four, and leave a place for an ask', async () => {
    const { order, enter } = rig()
    const leaves = [1, 2, 3, 4, 5].map((i) => enter(`request ${String(i)}`, 'program'))
    await turn()
    expect(order).toEqual(['request 1', 'request 2', 'request 3', 'request 4'])
    void enter('an ask')
    await turn()
    expect(order.at(-1)).toBe('an ask')
    ;(await leaves[0])?.()
    await turn()
    expect(order.at(-1)).toBe('request 5')
  })

  it('wait while a training has the engine, without a guess how long', async () => {
    const { state, guests, waits, order, enter } = rig()
    Object.assign(state, { run: 'a training', open: false })
    void enter('first')
    await turn()
    expect(waits.get('first')).toEqual({ place: 1, behind: 'a training', waitMs: null })
    state.open = true
    guests.next()
    await turn()
    expect(order).toEqual(['first'])
  })
})

describe('a model that gives way', () => {
  it('is loaded again a minute after the last guest left, and its call goes on', async () => {
    const { guests, enter } = rig()
    let displaced = false
    let loads = 0
    const load = (): Promise<LanguageModel> => {
      loads++
      displaced = false
      const generate = () =>
        displaced
          ? Promise.reject(
              new LoamError('CONFLICT', 'It is no longer loaded.', { suggestion: 'Load it again.' }),
            )
          : Promise.resolve({ text: 'hello', finish: 'end' as const, usage: NO_USAGE })
      return Promise.resolve({
        ...{ name: 'a', path: 'a.gguf', contextSize: 1000, generate },
        countTokens: () => Promise.resolve([]),
      })
    }
    const model = await restingModel(load, guests.quiet)
    const held: boolean[] = []
    const onHeld = (now: boolean) => void held.push(now)
    await model.generate({ messages: [] }, { onHeld })
    expect([loads, held]).toEqual([1, []])

    const leave = await enter('another', 'ask', 'b.gguf')
    displaced = true
    let text = ''
    void model.generate({ messages: [] }, { onHeld }).then((result) => (text = result.text))
    await vi.advanceTimersByTimeAsync(300_000)
    leave()
    await vi.advanceTimersByTimeAsync(59_000)
    expect([loads, text, held]).toEqual([1, '', [true]])
    await vi.advanceTimersByTimeAsync(1_000)
    expect([loads, text, held]).toEqual([2, 'hello', [true, false]])
  })
})
