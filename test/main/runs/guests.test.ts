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
    expect(waits.get('second')).toEqual({ place: 1, behind: 'first', waitMs: null, canStart: false })
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

  it('of programs go in by turns, however many requests one of them has', async () => {
    const { guests } = rig()
    const order: string[] = []
    const leaves: (() => void)[] = []
    const come = async (client: string): Promise<void> => {
      const asked = { title: 'a request', lane: 'program', model: 'a.gguf', client } as const
      const leave = await guests.enter(asked, never)
      order.push(client)
      leaves.push(leave)
    }
    for (let i = 0; i < 10; i++) void come('a')
    await turn()
    for (const client of ['b', 'b', 'c']) void come(client)
    for (let i = 0; i < 6; i++) {
      leaves.shift()?.()
      await turn()
    }
    expect(order.join('')).toBe('aaaabcabaa')
  })

  it('wait while a training has the engine, without a guess how long', async () => {
    const { state, guests, waits, order, enter } = rig()
    Object.assign(state, { run: 'a training', open: false })
    void enter('first')
    await turn()
    expect(waits.get('first')).toEqual({ place: 1, behind: 'a training', waitMs: null, canStart: false })
    state.open = true
    guests.next()
    await turn()
    expect(order).toEqual(['first'])
  })
})

describe('a guest that is to start now', () => {
  /** Guests that give their place back when they are asked to, and wait again. */
  function yielding() {
    const { guests, waits, order, state } = rig()
    const leaves = new Map<string, () => void>()
    const come = async (id: string, model = 'a.gguf', again = false): Promise<void> => {
      const leave = await guests.enter(
        {
          ...{ id, again, title: id, lane: 'ask', model },
          onWait: (wait) => void waits.set(id, wait),
          yields() {
            leaves.get(id)?.()
            void come(id, model, true)
          },
        },
        never,
      )
      order.push(id)
      leaves.set(id, leave)
    }
    const leave = async (id: string): Promise<void> => {
      leaves.get(id)?.()
      await turn()
    }
    return { guests, waits, order, state, come, leave }
  }

  it('takes the place of who came last, who goes on before those behind it', async () => {
    const { guests, waits, order, come, leave } = yielding()
    for (const id of ['first', 'second', 'third', 'fourth']) void come(id)
    await turn()
    expect(order).toEqual(['first', 'second'])
    expect(waits.get('fourth')).toMatchObject({ place: 2, canStart: true })
    expect(guests.startNow('fourth')).toBe(true)
    await turn()
    expect(order).toEqual(['first', 'second', 'fourth'])
    expect(waits.get('second')).toMatchObject({ place: 1 })
    expect(waits.get('third')).toMatchObject({ place: 2, behind: 'second' })
    await leave('fourth')
    expect(order).toEqual(['first', 'second', 'fourth', 'second'])
    await leave('first')
    expect(order.at(-1)).toBe('third')
  })

  it('has all who use another model rest', async () => {
    const { guests, order, come, leave } = yielding()
    for (const id of ['first', 'second']) void come(id)
    void come('other', 'b.gguf')
    await turn()
    expect(guests.startNow('other')).toBe(true)
    await turn()
    expect(order).toEqual(['first', 'second', 'other'])
    await leave('other')
    expect(order.slice(3)).toEqual(['first', 'second'])
  })

  it('cannot where what has the place keeps it', async () => {
    const { guests, waits, state, come } = yielding()
    void guests.enter({ title: 'learning', lane: 'learning', model: 'b.gguf' }, never)
    void come('first')
    await turn()
    expect(waits.get('first')).toMatchObject({ place: 1, canStart: false })
    expect(guests.startNow('first')).toBe(false)
    expect(guests.startNow('nobody')).toBe(false)
    Object.assign(state, { run: 'a training', open: false })
    expect(guests.startNow('first')).toBe(false)
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
