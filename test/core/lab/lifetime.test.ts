import { expect, it } from 'vitest'
import { lifetimeOf, type LivedAttempt, type LivedItem } from '../../../src/core/lab/lifetime'

const at = (second: number): string => new Date(second * 1000).toISOString()
const shown = (id: string) => ({
  ...{ kind: 'lesson', id, trajectoryId: null, title: id, score: 1, scoreKind: 'cosine', reward: null },
  tokens: 10,
})
/** The attempt that ends in that second, with what it was shown. */
const attempt = (second: number, reward: 0 | 1, ...ids: string[]): LivedAttempt => ({
  ...{ recalled: ids.map(shown), reward, finishedAt: at(second), beside: [] },
  ungraded: undefined,
  measured: undefined,
})
const item = (id: string, second: number, more: Partial<LivedItem> = {}): LivedItem => ({
  ref: { kind: 'lesson', id },
  ids: [id],
  createdAt: at(second),
  goneAt: null,
  muted: false,
  claim: null,
  ...more,
})

it('tells of each item when it was learned, what it carried, and how it stands', () => {
  const attempts = [
    attempt(1, 0),
    attempt(2, 1, 'old'),
    attempt(3, 1, 'old', 'old'),
    attempt(4, 1, 'good'),
    attempt(5, 0, 'good', 'bad'),
    attempt(6, 0, 'bad'),
    attempt(7, 0, 'bad'),
    attempt(8, 1, 'good'),
    attempt(9, 1, 'good'),
  ]
  const life = lifetimeOf(
    attempts,
    [
      item('old', 1),
      item('good', 3),
      item('bad', 4),
      item('never', 5),
      item('aside', 5, { muted: true }),
      item('left', 2, { goneAt: at(6) }),
    ],
    5,
  )
  const told = life.items.map(({ ref, learned, left, carried, uses, standing }) => [
    ref.id,
    learned,
    left,
    `${carried} of ${uses.length}`,
    standing,
  ])
  expect(told).toEqual([
    ['good', 3, null, '3 of 4', 'carrying'],
    ['old', 1, null, '2 of 2', 'fading'],
    ['bad', 4, null, '0 of 3', 'failing'],
    ['left', 2, 6, '0 of 0', 'gone'],
    ['never', 5, null, '0 of 0', 'unused'],
  ])
  expect(life).toMatchObject({ tasks: 9, more: 1, rewards: [0, 1, 1, 1, 0, 0, 0, 1, 1] })
  expect(life.standings).toEqual({ fading: 1, carrying: 1, failing: 1, unused: 1, muted: 1, gone: 1 })
  // Learned with tasks 1, 2, 3, 4, 5 and 5; one gone with task 6.
  expect(life.size).toEqual([1, 2, 3, 4, 6, 5, 5, 5, 5])
  expect(life.tokens).toEqual([0, 10, 20, 10, 20, 10, 10, 10, 10])
})

it('counts what really was, leaves open what nobody could tell, and sees a newer claim against an older one', () => {
  const withheld = { ...attempt(2, 0, 'a'), ungraded: 'not told' }
  const flipped = { ...attempt(3, 1, 'a'), measured: 0 as const }
  const claim = (reward: number) => ({ claim: { about: 'Count the cancelled bookings.', reward } })
  const life = lifetimeOf(
    [attempt(1, 1), withheld, flipped],
    [item('a', 1, claim(1)), item('b', 3, claim(0)), item('c', 3, claim(0))],
    10,
  )
  expect(life.rewards).toEqual([1, null, 0])
  expect(life.items.map(({ ref, contradicted }) => [ref.id, contradicted])).toEqual([
    ['a', 3],
    ['b', null],
    ['c', null],
  ])
  expect(life.items[0]?.uses).toEqual([
    { at: 1, reward: null },
    { at: 2, reward: 0 },
  ])
})
