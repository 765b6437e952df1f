import { describe, expect, it } from 'vitest'
import { createStore } from 'zustand/vanilla'
import { createNewest, NOT_READ, readInto, type Reading } from '../../../src/renderer/stores/read-into'

interface Held extends Reading {
  readonly words: string
}
const held = () => createStore<Held>()(() => ({ ...NOT_READ, words: '' }))

describe('reading into a store', () => {
  it('says that it reads the first time, and keeps what is there while it reads again', async () => {
    const store = held()
    const seen: string[] = []
    store.subscribe(({ status, words }) => seen.push(`${status} ${words}`))
    await readInto(store.setState, async () => ({ words: 'one' }))
    await readInto(store.setState, async () => ({ words: 'two' }))
    expect(seen).toEqual(['loading ', 'ready one', 'ready two'])
  })

  it('says why it failed, and forgets that once it works', async () => {
    const store = held()
    await readInto(store.setState, () => Promise.reject(new Error('gone')))
    expect(store.getState()).toMatchObject({ status: 'failed', problem: { code: 'INTERNAL' } })
    await readInto(store.setState, async () => ({ words: 'here' }))
    expect(store.getState()).toEqual({ status: 'ready', problem: null, words: 'here' })
  })

  it('drops an answer that was overtaken', async () => {
    const store = held()
    const newest = createNewest()
    let answer = (_words: string): void => undefined
    const slow = readInto(
      store.setState,
      () => new Promise<{ words: string }>((resolve) => (answer = (words) => resolve({ words }))),
      newest(),
    )
    await readInto(store.setState, async () => ({ words: 'new' }), newest())
    answer('old')
    await slow
    expect(store.getState().words).toBe('new')
  })
})
