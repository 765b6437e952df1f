import { describe, expect, it } from 'vitest'
import { newEvents } from '../../../src/core/memory/new-events'
import { parseMemoryEvent, type MemoryEvent } from '../../../src/core/memory/events'
import { applyEvents, emptyMemoryState, newestFirst } from '../../../src/core/memory/memory-state'
import { attempt, timeOf } from '../../main/memory-store/fixtures'

const removed = (caseId: string): MemoryEvent => ({ kind: 'case-deleted', caseId, at: timeOf(9) })
const restored = (caseId: string): MemoryEvent => ({ kind: 'case-restored', caseId, at: timeOf(9) })

describe('memory events', () => {
  it('reads what it knows and says what it does not', () => {
    const [, event] = attempt(1, 'state')
    expect(parseMemoryEvent(JSON.parse(JSON.stringify(event)))).toEqual(event)
    expect(() => parseMemoryEvent({ kind: 'dream-added' })).toThrow(
      expect.objectContaining({ code: 'DATA_FORMAT_NEWER' }),
    )
    for (const wrong of [null, 3, {}, { kind: 'case-deleted' }, { kind: 'case-added', case: { id: 'a' } }]) {
      expect(() => parseMemoryEvent(wrong)).toThrow(expect.objectContaining({ code: 'BAD_INPUT' }))
    }
  })
})

describe('memory state', () => {
  it('is the same when a commit is applied twice', () => {
    const once = emptyMemoryState()
    const twice = emptyMemoryState()
    const commits = [
      attempt(1, 'a'),
      attempt(2, 'b'),
      [removed('c00001')],
      [restored('c00001')],
      [removed('c00002')],
    ]
    commits.forEach((commit, at) => {
      applyEvents(once, commit, at)
      applyEvents(twice, commit, at)
      applyEvents(twice, commit, at + 100)
    })
    expect(twice).toEqual(once)
    expect(once.live).toBe(1)
  })

  it('keeps only the events of a commit that change something, in their order', async () => {
    const state = emptyMemoryState()
    const first = attempt(1, 'a')
    applyEvents(state, first, 0)
    const stored = (at: number): Promise<MemoryEvent | null> => Promise.resolve(first[at] ?? null)
    expect(await newEvents([...first, restored('c00001')], state, stored)).toEqual([])
    const undo = [removed('c00001'), removed('c00001'), restored('c00001')]
    expect(await newEvents(undo, state, stored)).toEqual([removed('c00001'), restored('c00001')])
    expect(await newEvents([...attempt(2, 'b'), removed('c00002')], state, stored)).toHaveLength(3)
    await expect(newEvents(attempt(1, 'b'), state, stored)).rejects.toMatchObject({ code: 'CONFLICT' })
    await expect(newEvents([removed('x')], state, stored)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('orders ties newest first, then by id', () => {
    const items = [
      { id: 'b', createdAt: timeOf(1) },
      { id: 'a', createdAt: timeOf(1) },
      { id: 'c', createdAt: timeOf(2) },
    ]
    expect(items.sort(newestFirst).map((item) => item.id)).toEqual(['c', 'a', 'b'])
  })
})
