import { expect, test } from 'vitest'
import { createRng } from '../../../src/core/ground/random'
import type { Candidate } from '../../../src/core/recall/candidates'
import { choose } from '../../../src/core/recall/choose'
import type { Prepared } from '../../../src/core/recall/features'
import { PRIOR } from '../../../src/core/recall/prior'
import { createValueModel } from '../../../src/core/recall/value-model'
import { withOneInDoubt } from '../../../src/core/recall/verify'

/** An item that speaks of words that a task needs, each believed with a probability. */
function item(id: string, said: Readonly<Record<string, number>>, more: Partial<Candidate> = {}): Prepared {
  const says = Object.entries(said).map(([word, p]) => ({ word, need: 1, p }))
  const candidate = {
    ...{ kind: 'lesson', id, title: id, place: 'advice', tokens: 10, pinned: false, reward: 1 },
    ...{ terms: new Map([[id, 1]]), vector: new Float32Array([1]), ...more },
  } as unknown as Candidate
  return { candidate, key: `lesson ${id}`, says, features: { item: 1, meaning: 0.5 } }
}
const options = {
  ...{ budget: 100, price: 0.0008, most: 10, attempts: 4, off: new Set<string>() },
  explore: { rng: createRng('none'), scale: 0 },
}
const chosenOf = (prepared: readonly Prepared[], more: Partial<typeof options> = {}): string[] =>
  choose(prepared, createValueModel(PRIOR), { ...options, ...more }).chosen.map(
    ({ prepared: one }) => one.candidate.id,
  )

test('shows what is believed, once, and not what is in doubt', () => {
  const price = item('price', { price: 0.97 })
  const again = item('again', { price: 0.97 }, { tokens: 60 })
  const wrong = item('wrong', { guest: 0.2 })
  expect(chosenOf([again, wrong, price])).toEqual(['price'])
  expect(chosenOf([wrong])).toEqual([])
})

test('beside what findings say a solved attempt shows how to act on it, once; one that failed, or acts on what is wrong, shows nothing', () => {
  const findings = [item('price', { price: 0.97 }), item('guest', { guest: 0.97 })]
  const said = { price: 0.97, guest: 0.97 } as const
  const attempt = (id: string, reward: 0 | 1, says: Parameters<typeof item>[1] = said): Prepared =>
    item(id, says, { place: 'attempt', tokens: 40, reward })
  expect(chosenOf([...findings, attempt('solved', 1)])).toEqual(['price', 'guest', 'solved'])
  expect(chosenOf([...findings, attempt('solved', 1), attempt('twin', 1)])).toHaveLength(3)
  expect(chosenOf([...findings, attempt('failed', 0)])).toEqual(['price', 'guest'])
  const old = attempt('old', 1, { ...said, guest: 0.03 })
  expect(chosenOf([...findings, old])).toEqual(['price', 'guest'])
})

test('of two that speak of the same the one that is believed more is shown', () => {
  const old = item('old', { price: 0.7 })
  const fresh = item('fresh', { price: 0.95 })
  expect(chosenOf([old, fresh])).toEqual(['fresh'])
})

test('keeps to budget, to the number of items and of attempts; pinned ones come first', () => {
  const many = Array.from({ length: 8 }, (_, i) => item(`i${i}`, { [`thing${i}`]: 0.97 }))
  expect(chosenOf(many, { budget: 25 })).toHaveLength(2)
  expect(chosenOf(many, { most: 3 })).toHaveLength(3)
  const attempts = many.map((one) => ({ ...one, candidate: { ...one.candidate, place: 'attempt' as const } }))
  expect(chosenOf(attempts)).toHaveLength(4)
  const pinned = item('pinned', {}, { pinned: true, tokens: 90 })
  expect(chosenOf([...many, pinned])[0]).toBe('pinned')
})

test('what came close is told, best first', () => {
  const { runnersUp } = choose(
    [item('price', { price: 0.97 }), item('wrong', { guest: 0.2 })],
    createValueModel(PRIOR),
    options,
  )
  expect(runnersUp.map(({ prepared }) => prepared.candidate.id)).toEqual(['wrong'])
  expect(runnersUp[0]?.value).toBeLessThan(0.05)
})

test('one thing in doubt is held back to be looked up, and only where nothing else has to be', () => {
  const sure = item('sure', { price: 0.97 })
  const doubted = item('doubted', { guest: 0.8 })
  const more = item('more', { city: 0.85 })
  expect(chosenOf(withOneInDoubt([sure, doubted, more])).toSorted()).toEqual(['more', 'sure'])
  expect(withOneInDoubt([sure])[0]).toBe(sure)
  const lost = item('lost', { state: 0.3 })
  expect(chosenOf(withOneInDoubt([sure, doubted, lost])).toSorted()).toEqual(['doubted', 'sure'])
})
