import { describe, expect, it, vi } from 'vitest'
import type { CaseQuery } from '../../../src/shared/domain/case'
import { createCasesStore } from '../../../src/renderer/stores/cases'
import { caseRecord, partialClient } from '../fixtures'

function openStore(ids = ['a', 'b', 'c']) {
  const deleted = new Set<string>()
  const recordOf = (id: string) =>
    caseRecord(id, { deletedAt: deleted.has(id) ? '2026-01-02T00:00:00.000Z' : null })
  const search = vi.fn(async (query: CaseQuery) => {
    const found = ids.filter((id) => !deleted.has(id))
    return {
      hits: found.map((id) => ({ case: recordOf(id), score: query.text === '' ? null : 0.5 })),
      total: found.length,
      ms: 1,
    }
  })
  const client = partialClient({
    cases: {
      search,
      get: async ({ caseId }: { caseId: string }) => recordOf(caseId),
      delete: async ({ caseId }: { caseId: string }) => {
        deleted.add(caseId)
        return recordOf(caseId)
      },
      restore: async ({ caseId }: { caseId: string }) => {
        deleted.delete(caseId)
        return recordOf(caseId)
      },
    },
  })
  return { store: createCasesStore(client), search }
}

const listed = (store: ReturnType<typeof createCasesStore>): string[] =>
  [...store.getState().rows.values()].map((found) => found.case.id)

describe('cases store', () => {
  it('reads a space when it is entered', async () => {
    const { store } = openStore()
    store.getState().enter('space-1')
    await vi.waitFor(() => expect(listed(store)).toHaveLength(3))
    expect(store.getState().total).toBe(3)
  })

  it('takes a deleted case off the list and puts it back where it was', async () => {
    const { store } = openStore()
    store.getState().enter('space-1')
    await vi.waitFor(() => expect(store.getState().status).toBe('ready'))
    await store.getState().setDeleted('b', true)
    expect(listed(store)).toEqual(['a', 'c'])
    expect(store.getState().total).toBe(2)
    await store.getState().setDeleted('b', false)
    expect(listed(store)).toEqual(['a', 'b', 'c'])
    expect(store.getState().total).toBe(3)
  })

  it('searches once after typing pauses', async () => {
    const { store, search } = openStore()
    store.getState().enter('space-1')
    await vi.waitFor(() => expect(store.getState().status).toBe('ready'))
    for (const text of ['b', 'bo', 'boo']) store.getState().filter({ text })
    await vi.waitFor(() => expect(search).toHaveBeenCalledTimes(2))
    expect(search.mock.lastCall?.[0].text).toBe('boo')
  })

  it('opens a case that is not in the list', async () => {
    const { store } = openStore()
    store.getState().enter('space-1')
    await vi.waitFor(() => expect(store.getState().status).toBe('ready'))
    await store.getState().show('elsewhere')
    expect(store.getState().open?.id).toBe('elsewhere')
  })
})
