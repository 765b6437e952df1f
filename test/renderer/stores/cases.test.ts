import { describe, expect, it, vi } from 'vitest'
import type { CaseQuery } from '../../../src/shared/domain/case'
import { createCasesStore } from '../../../src/renderer/stores/cases'
import { caseRecord, partialClient } from '../fixtures'

function openStore(ids = ['a', 'b', 'c']) {
  const search = vi.fn(async (query: CaseQuery) => ({
    hits: ids.map((id) => ({ case: caseRecord(id), score: query.text === '' ? null : 0.5 })),
    total: ids.length,
    ms: 1,
  }))
  const client = partialClient({
    cases: {
      search,
      get: async ({ caseId }: { caseId: string }) => caseRecord(caseId),
      delete: async ({ caseId }: { caseId: string }) =>
        caseRecord(caseId, { deletedAt: '2026-01-02T00:00:00.000Z' }),
      restore: async ({ caseId }: { caseId: string }) => caseRecord(caseId),
    },
  })
  return { store: createCasesStore(client), search }
}

describe('cases store', () => {
  it('reads a space when it is entered', async () => {
    const { store } = openStore()
    store.getState().enter('space-1')
    await vi.waitFor(() => expect(store.getState().hits).toHaveLength(3))
    expect(store.getState().total).toBe(3)
  })

  it('takes a deleted case off the list and puts it back where it was', async () => {
    const { store } = openStore()
    store.getState().enter('space-1')
    await vi.waitFor(() => expect(store.getState().status).toBe('ready'))
    await store.getState().setDeleted('b', true)
    expect(store.getState().hits.map((hit) => hit.case.id)).toEqual(['a', 'c'])
    expect(store.getState().total).toBe(2)
    await store.getState().setDeleted('b', false)
    expect(store.getState().hits.map((hit) => hit.case.id)).toEqual(['a', 'b', 'c'])
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
