import { describe, expect, it, vi } from 'vitest'
import { createStore } from 'zustand/vanilla'
import { createMemoryList, type MemoryList } from '../../../src/renderer/stores/memory-list'

interface Word {
  readonly id: string
}
interface Words extends MemoryList<Word, { readonly text: string; readonly place: string | null }, Word> {
  readonly about: string | null
}

function openWords() {
  const read = vi.fn(async (memoryId: string) => ({ rows: [{ id: `of ${memoryId}` }], total: 1, ms: 1 }))
  let helpers!: Pick<ReturnType<typeof createMemoryList<Words>>, 'change' | 'about'>
  const store = createStore<Words>()((set, get) => {
    const { list, ...rest } = createMemoryList<Words>(set, get, {
      read,
      idOf: ({ id }) => id,
      filters: { text: '', place: null },
      filtersElsewhere: { place: null },
      empty: { about: null },
    })
    helpers = rest
    return { ...list, about: null }
  })
  return { store, read, helpers }
}

const ready = (store: { getState(): Words }) =>
  vi.waitFor(() => expect(store.getState().status).toBe('ready'))

describe('a list of records of a memory', () => {
  it('keeps the words of a search in another memory, not what only one memory has', async () => {
    const { store } = openWords()
    store.getState().enter('a')
    await ready(store)
    store.getState().filter({ text: 'moss', place: 'north' })
    store.setState({ open: { id: 'x' }, about: 'x' })
    store.getState().enter('b')
    expect(store.getState()).toMatchObject({
      filters: { text: 'moss', place: null },
      open: null,
      about: null,
    })
    await vi.waitFor(() => expect(store.getState().rows.get(0)?.id).toBe('of b'))
  })

  it('reads the list again after a change, and not after one that was refused', async () => {
    const { store, read, helpers } = openWords()
    store.getState().enter('a')
    await ready(store)
    expect(await helpers.change(() => Promise.reject(new Error('no')))).toMatchObject({ code: 'INTERNAL' })
    expect(read).toHaveBeenCalledTimes(1)
    expect(await helpers.change(async () => undefined)).toBeNull()
    expect(read).toHaveBeenCalledTimes(2)
  })

  it('drops what was asked about a record that is not open any more', async () => {
    const { store, helpers } = openWords()
    store.getState().enter('a')
    await ready(store)
    store.setState({ open: { id: 'one' } })
    const asked = helpers.about(
      async (_, { id }) => id,
      (about) => ({ about }),
    )
    store.setState({ open: { id: 'two' } })
    await asked
    expect(store.getState().about).toBeNull()
  })
})
