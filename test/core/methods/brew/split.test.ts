import { describe, expect, test } from 'vitest'
import { brew } from '../../../../src/core/methods/brew/brew'
import {
  chooseBalanced,
  dealBalanced,
  laterBuilds,
  splitBalanced,
  splitCounts,
} from '../../../../src/core/methods/brew/split'
import { taskAt } from '../fixtures'

const tasks = (skills: readonly (readonly string[])[]) =>
  skills.map((own, n) => ({ ...taskAt(n), id: `t${n}`, skills: [...own] }))
const count = (list: readonly { skills: readonly string[] }[], skill: string): number =>
  list.filter(({ skills }) => skills.includes(skill)).length

describe('a split', () => {
  test('has the same share of every category on both sides, whatever the order', () => {
    // First all loans, then all orders, then the few rentals: the last third would score nothing but the latter.
    const list = tasks([
      ...Array.from({ length: 12 }, () => ['loans']),
      ...Array.from({ length: 12 }, () => ['orders']),
      ...Array.from({ length: 6 }, () => ['rentals']),
    ])
    const { train, evaluation } = dealBalanced(list, 10)
    expect([train.length, evaluation.length]).toEqual([20, 10])
    expect(['loans', 'orders', 'rentals'].map((one) => count(evaluation, one))).toEqual([4, 4, 2])
  })

  test('deals tasks of no category in turn, and never scores with one that was learned from', () => {
    const list = tasks(Array.from({ length: 9 }, () => []))
    const { train, evaluation } = dealBalanced(list, 3)
    expect(evaluation.map(({ index }) => index)).toEqual([1, 4, 7])
    expect([...train, ...evaluation].map(({ id }) => id).sort()).toEqual(list.map(({ id }) => id))
  })

  test('out of a longer stream takes as many of each category, the earlier ones first', () => {
    const list = tasks(Array.from({ length: 60 }, (_, n) => [n < 50 ? 'common' : 'rare']))
    const chosen = chooseBalanced(list, 12)
    expect([count(chosen, 'common'), count(chosen, 'rare')]).toEqual([6, 6])
    const { train, evaluation } = splitBalanced(list, { train: 8, evaluation: 4 })
    expect([count(train, 'rare'), count(evaluation, 'rare')]).toEqual([4, 2])
  })

  test('takes at most half of a short stream, with something to score with', () => {
    expect(splitCounts({}, 120)).toEqual({ train: 20, evaluation: 10 })
    expect(splitCounts({}, 12)).toEqual({ train: 4, evaluation: 2 })
    expect(splitCounts({}, 4)).toEqual({ train: 1, evaluation: 1 })
    expect(splitCounts({}, 2)).toEqual({ train: 1, evaluation: 0 })
  })

  test('is 30 and 10 for spreadsheets', () => {
    expect(brew.defaultsFor?.('spreadsheet')).toEqual({ brew: { train: 30 } })
    expect(brew.defaultsFor?.('lab-db')).toEqual({})
    expect(splitCounts(brew.defaultsFor?.('spreadsheet') ?? {}, 200)).toEqual({ train: 30, evaluation: 10 })
  })
})

test('a run builds on ever more seldom, never after the last task, and not at all when told so', () => {
  expect(laterBuilds({}, 120)).toEqual([60])
  expect(laterBuilds({}, 3000)).toEqual([60, 120, 240, 480, 960, 1920])
  expect(laterBuilds({ brew: { again: 50 } }, 120)).toEqual([80])
  expect(laterBuilds({ brew: { again: 0 } }, 120)).toEqual([])
  expect(laterBuilds({}, 20)).toEqual([])
})
