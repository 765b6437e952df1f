import { expect, test } from 'vitest'
import { caseOf } from '../../../../src/core/memory/cases/recalled-case'
import { lastCorrectionOf } from '../../../../src/core/memory/cases/curation'
import { newEvents } from '../../../../src/core/memory/new-events'
import { applyEvents, emptyMemoryState } from '../../../../src/core/memory/memory-state'
import type { MemoryEvent } from '../../../../src/core/memory/events'
import { attemptAt } from '../../methods/fixtures'

const at = new Date(0).toISOString()
const known = caseOf(attemptAt(1, 0))
const caseId = known.id
const ADDED: MemoryEvent = { kind: 'case-added', case: known }
const mark = (to: 'pinned' | 'muted' | null): MemoryEvent => ({ kind: 'case-marked', caseId, mark: to, at })
const corrected = (id: string, reward: 0 | 1): MemoryEvent => ({
  kind: 'case-corrected',
  id,
  caseId,
  state: `state of ${id}`,
  plan: known.plan,
  reward,
  at,
})

test('the last mark and the last correction count, and events applied twice change nothing', () => {
  const journal = [ADDED, mark('pinned'), corrected('a', 1), mark('muted'), corrected('b', 0)]
  const state = emptyMemoryState()
  for (const times of [1, 2]) {
    journal.forEach((event, seq) => applyEvents(state, [event], seq))
    expect(state.curation.marks.get(caseId), `round ${times}`).toBe('muted')
    expect(lastCorrectionOf(state.curation, caseId)).toBe(4)
    expect([...(state.curation.corrections.get(caseId)?.keys() ?? [])]).toEqual(['a', 'b'])
    expect(state.curation.lastCorrection).toBe('b')
    expect(state.cases.get(caseId)?.reward).toBe(0)
  }
  applyEvents(state, [mark(null)], 5)
  expect(state.curation.marks.size).toBe(0)
})

test('only what changes something is kept; unknown cases and other texts under a known id are refused', async () => {
  const state = emptyMemoryState()
  const journal: MemoryEvent[] = [ADDED, corrected('a', 1)]
  journal.forEach((event, seq) => applyEvents(state, [event], seq))
  const fresh = (...events: MemoryEvent[]) =>
    newEvents(events, state, (at) => Promise.resolve(journal[at] ?? null))
  expect(await fresh(mark(null), mark('pinned'), mark('pinned'), mark(null))).toEqual([
    mark('pinned'),
    mark(null),
  ])
  expect(await fresh(corrected('a', 1))).toEqual([])
  await expect(fresh(corrected('a', 0))).rejects.toMatchObject({ code: 'CONFLICT' })
  await expect(fresh({ kind: 'case-marked', caseId: 'nobody', mark: 'muted', at })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  })
})
