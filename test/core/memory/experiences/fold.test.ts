import { expect, test } from 'vitest'
import {
  applyExperienceEvent,
  isBeyondTrash,
  standingOf,
  type ExperienceEntries,
} from '../../../../src/core/memory/experiences/fold'
import type { ExperienceEvent } from '../../../../src/core/memory/experiences/events'
import { memoryMemory } from '../../methods/fixtures'
import { timeOf } from '../../../main/memory-store/fixtures'
import { experienceOf } from './fixtures'

const added = (id: string): ExperienceEvent => ({
  kind: 'experience-added',
  experience: experienceOf(id, `question ${id}`),
})
const used = (useId: string, reward: number, framework = 'loam'): ExperienceEvent => ({
  kind: 'experience-used',
  experienceId: 'a',
  useId,
  framework,
  reward,
  eta: 0.1,
  at: timeOf(5),
})

function fold(...events: ExperienceEvent[]): ExperienceEntries {
  const entries: ExperienceEntries = new Map()
  events.forEach((event, n) => {
    applyExperienceEvent(entries, event, n)
  })
  return entries
}
const standing = (...events: ExperienceEvent[]) => {
  const entry = fold(...events).get('a')
  if (!entry) throw new Error('not there')
  return standingOf(entry)
}

test('utility moves towards each reward by eta: u <- u + eta (r - u)', () => {
  expect(standing(added('a'), used('t1', 1)).utility).toBeCloseTo(0.55)
  expect(standing(added('a'), used('t1', 1), used('t2', 0)).utility).toBeCloseTo(0.495)
})

test('one attempt counts once; help in another framework is noted', () => {
  const after = standing(added('a'), used('t1', 1), used('t1', 1), used('t2', 1, 'smolagents'))
  expect(after).toMatchObject({ uses: 2, transfers: ['loam'], lastUsedAt: timeOf(5) })
  expect(standing(added('a'), used('t1', 0)).transfers).toEqual([])
})

test('superseded and evicted ones can come back', () => {
  const superseded: ExperienceEvent = {
    kind: 'experience-superseded',
    experienceId: 'a',
    by: 'b',
    why: 'duplicate',
    at: timeOf(1),
  }
  expect(standing(added('a'), superseded)).toMatchObject({ state: 'superseded', by: 'b', why: 'duplicate' })
  const restored: ExperienceEvent = { kind: 'experience-restored', experienceId: 'a', at: timeOf(2) }
  expect(standing(added('a'), superseded, restored)).toMatchObject({ state: 'live', by: null })
})

test('the trash is emptied after 30 days', () => {
  const evicted: ExperienceEvent = {
    kind: 'experience-evicted',
    experienceId: 'a',
    score: 0.1,
    at: timeOf(0),
  }
  const entry = fold(added('a'), evicted).get('a')
  const days = (n: number): Date => new Date(Date.parse(timeOf(0)) + n * 86_400_000)
  expect(entry && isBeyondTrash(entry, days(30))).toBe(false)
  expect(entry && isBeyondTrash(entry, days(30.1))).toBe(true)
})

test('a commit that changes nothing is not kept; unknown and differing experiences are refused', async () => {
  const memory = memoryMemory()
  await memory.commit([added('a'), used('t1', 1)])
  await memory.commit([added('a'), used('t1', 1)])
  expect(memory.events).toHaveLength(2)
  await expect(
    memory.commit([{ kind: 'experience-added', experience: experienceOf('a', 'another') }]),
  ).rejects.toMatchObject({ code: 'CONFLICT' })
  await expect(
    memory.commit([{ kind: 'experience-restored', experienceId: 'x', at: timeOf(1) }]),
  ).rejects.toMatchObject({ code: 'NOT_FOUND' })
})
