import { describe, expect, it, vi } from 'vitest'
import type { ItemQuery, ItemRef } from '../../../src/shared/domain/item'
import { createItemsStore } from '../../../src/renderer/stores/items'
import { memoryItem, partialClient } from '../fixtures'

const KIND = 'lesson'
const MATCH = {
  score: 0.5,
  textScore: 0.5,
  semanticScore: null,
  bm25: 1,
  cosine: null,
  utilityPart: 0,
  terms: [],
}

function openStore(ids = ['a', 'b', 'c']) {
  const gone = new Set<string>()
  const itemOf = ({ id }: Pick<ItemRef, 'id'>) =>
    memoryItem(KIND, id, {
      gone: gone.has(id) ? { why: 'deleted', at: '2026-01-02T00:00:00.000Z', by: null } : null,
    })
  const list = vi.fn(async ({ text, offset = 0, limit = 100 }: Partial<ItemQuery>) => {
    const all = ids.filter((id) => !gone.has(id))
    const page = all.slice(offset, offset + limit)
    const rows = page.map((id) => ({ ...itemOf({ id }), ...(text !== '' && { match: MATCH }) }))
    return { rows, total: all.length, counts: [], environments: [], tags: [], span: null, facets: [], ms: 1 }
  })
  const set = (isGone: boolean) => async (ref: ItemRef) => {
    if (isGone) gone.add(ref.id)
    else gone.delete(ref.id)
    return { item: itemOf(ref), undo: [{ do: isGone ? 'restore' : 'delete', ref }] }
  }
  const client = partialClient({
    items: {
      list,
      show: async (ref: ItemRef) => itemOf(ref),
      delete: set(true),
      restore: set(false),
    },
  })
  return { store: createItemsStore(client), client, list }
}

const listed = (store: ReturnType<typeof createItemsStore>): string[] =>
  [...store.getState().rows.values()].map(({ id }) => id)

describe('items store', () => {
  it('reads a memory when it is entered', async () => {
    const { store } = openStore()
    store.getState().enter('space-1')
    await vi.waitFor(() => expect(listed(store)).toHaveLength(3))
    expect(store.getState().total).toBe(3)
  })

  it('chooses all that are listed, whether they were looked at or not, up to a thousand', async () => {
    for (const count of [250, 1200]) {
      const { store } = openStore(Array.from({ length: count }, (_, i) => `item ${i}`))
      store.getState().enter('space-1')
      await vi.waitFor(() => expect(listed(store)).toHaveLength(100))
      expect(await store.getState().pickAll()).toBeNull()
      expect(store.getState().picked).toHaveLength(Math.min(count, 1000))
    }
  })

  it('takes a deleted item off the list and puts it back where it was', async () => {
    const { store, client } = openStore()
    store.getState().enter('space-1')
    await vi.waitFor(() => expect(store.getState().status).toBe('ready'))
    const b = { memoryId: 'space-1', kind: KIND, id: 'b' }
    const changed = await store.getState().change(() => client.items.delete(b))
    expect(changed).toMatchObject({ problem: null, undo: [{ do: 'restore' }] })
    await vi.waitFor(() => expect(listed(store)).toEqual(['a', 'c']))
    await store.getState().change(() => client.items.restore(b))
    await vi.waitFor(() => expect(listed(store)).toEqual(['a', 'b', 'c']))
  })

  it('searches at once, and once more for all that is typed meanwhile', async () => {
    const { store, list } = openStore()
    store.getState().enter('space-1')
    await vi.waitFor(() => expect(store.getState().status).toBe('ready'))
    for (const text of ['b', 'bo', 'boo']) store.getState().filter({ text })
    await vi.waitFor(() => expect(list.mock.lastCall?.[0].text).toBe('boo'))
    expect(list.mock.calls.map(([{ text }]) => text)).toEqual(['', 'b', 'boo'])
  })

  it('opens an item that is not in the list, and says why one was found', async () => {
    const { store } = openStore()
    store.getState().enter('space-1')
    await vi.waitFor(() => expect(store.getState().status).toBe('ready'))
    await store.getState().show({ kind: KIND, id: 'elsewhere' })
    expect(store.getState()).toMatchObject({ open: { id: 'elsewhere' }, openMatch: null })
    store.getState().filter({ text: 'b' })
    await vi.waitFor(() => expect(store.getState().rows.get(0)?.match).toEqual(MATCH))
    await store.getState().show({ kind: KIND, id: 'b' })
    expect(store.getState().openMatch).toEqual(MATCH)
  })

  it('keeps the words of a search in another memory, not what only one memory has', async () => {
    const { store, list } = openStore()
    store.getState().enter('a')
    await vi.waitFor(() => expect(store.getState().status).toBe('ready'))
    store.getState().filter({ text: 'moss', tag: 'north' })
    await store.getState().show({ kind: KIND, id: 'b' })
    store.getState().enter('b')
    expect(store.getState()).toMatchObject({ filters: { text: 'moss', tag: null }, open: null })
    await vi.waitFor(() => expect(list.mock.lastCall?.[0]).toMatchObject({ memoryId: 'b', text: 'moss' }))
  })

  it('does not read the list again after a change that was refused', async () => {
    const { store, list } = openStore()
    store.getState().enter('a')
    await vi.waitFor(() => expect(store.getState().status).toBe('ready'))
    expect(await store.getState().change(() => Promise.reject(new Error('no')))).toMatchObject({
      problem: { code: 'INTERNAL' },
    })
    expect(list).toHaveBeenCalledTimes(1)
  })
})
