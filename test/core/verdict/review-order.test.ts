import { expect, test } from 'vitest'
import { reviewOrder } from '../../../src/core/verdict/review-order'

const LONG = 'Sort the invoices of March by customer and date'
const LIKE = 'Please sort the invoices of April by customer and date'
const OTHER = 'Which mountain in Norway is highest?'

test('what is asked most often comes first, then what is most in doubt', () => {
  const waiting = [
    { request: OTHER, confidence: 0.5 },
    { request: LONG, confidence: 0.8 },
    { request: LIKE, confidence: 0.6 },
  ]
  const ordered = reviewOrder(waiting, [OTHER, LONG, LIKE])
  expect(ordered.map(({ request, often }) => [request, often])).toEqual([
    [LIKE, 2],
    [LONG, 2],
    [OTHER, 1],
  ])
})

test('requests of few words are alike where they are the same', () => {
  const waiting = ['ls', 'go on', 'LS '].map((request) => ({ request, confidence: 0.5 }))
  const ordered = reviewOrder(waiting, ['ls', 'go on', 'LS ', 'ls'])
  expect(ordered.map(({ often }) => often)).toEqual([3, 3, 1])
})
