import { describe, expect, test } from 'vitest'
import type { GuideText } from '../../../../src/shared/domain/guide'
import {
  inventedParticulars,
  putBack,
  unsaidInsights,
  unsourcedWords,
  withoutRepetitions,
} from '../../../../src/core/memory/guides/zero-loss'

const text = (howToUse: string, bestPractices = ''): GuideText => ({
  context: '',
  howToUse,
  whenToUse: '',
  bestPractices,
})

const INSIGHTS = [
  'Orchid rules: borrowed 17, member as-is.',
  'Orchid rules: renewed 75, fee cents.',
  'Orchid rules: reserved 85, library upper.',
]

describe('insights that a document does not say', () => {
  test('are those whose particulars or words are missing', () => {
    expect(unsaidInsights(INSIGHTS, text('Orchid rules: borrowed 17, member as-is, renewed 75.'))).toEqual([
      'Orchid rules: renewed 75, fee cents.',
      'Orchid rules: reserved 85, library upper.',
    ])
  })

  test('are none where all is said in other words, endings apart', () => {
    const said = text('Before cancelling a booking, check its fare class with `get_booking`.')
    const insight = 'Check the fare class of a booking with `get_booking` before it is cancelled.'
    expect(unsaidInsights([insight], said)).toEqual([])
    expect(unsaidInsights([insight], text('Cancel bookings at once.'))).toEqual([insight])
  })
})

test('what nobody said is found: particulars that were made up, and words that stand in no source', () => {
  const written = text('Orchid rules: borrowed 17, members as-is, merged MERGED, renewed 75, due_on iso.')
  expect(inventedParticulars(written, INSIGHTS)).toEqual(['MERGED'])
  expect(unsourcedWords(written, INSIGHTS)).toEqual(['merg', 'due', 'iso'])
})

describe('what a version lost', () => {
  test('is put back word for word: sentences of the old document, then insights', () => {
    const before = text('Orchid rules: lost 91.', 'See /data/codes.csv first.')
    const made = putBack(text('Orchid rules: borrowed 17, member as-is.'), before, INSIGHTS, 1000)
    expect(made.lost).toEqual([])
    expect(made.back).toEqual([
      'Orchid rules: lost 91.',
      'See /data/codes.csv first.',
      'Orchid rules: renewed 75, fee cents.',
      'Orchid rules: reserved 85, library upper.',
    ])
    expect(made.text.bestPractices).toBe('See /data/codes.csv first.')
    expect(unsaidInsights(INSIGHTS, made.text)).toEqual([])
  })

  test('is named where there is no room for it', () => {
    const after = text('Orchid rules: borrowed 17, member as-is.')
    const made = putBack(after, null, INSIGHTS, after.howToUse.length + 45)
    expect(made.back).toEqual(['Orchid rules: renewed 75, fee cents.'])
    expect(made.lost).toEqual(['Orchid rules: reserved 85, library upper.'])
  })
})

test('repetitions go: clauses of a sentence that goes in circles, and sentences said twice', () => {
  const circling = text(
    'Orchid rules: reopened 71, owner upper, team lower, reopened 71, owner upper, team lower, reopened 71.',
    'Look first. Look first. Then answer.',
  )
  expect(withoutRepetitions(circling)).toEqual(
    text('Orchid rules: reopened 71, owner upper, team lower.', 'Look first. Then answer.'),
  )
  const code = text(
    'Run `a b, a b, a b`.\n```\nx, y z, y z\nx, y z, y z\n```',
    'Ratios are 0, 0, 1.\n- one\n  - two',
  )
  expect(withoutRepetitions(code)).toEqual(code)
})
