import { expect, test } from 'vitest'
import { passes, problemWith } from '../../../src/core/tasks/qa/check'
import { onlyNumberIn } from '../../../src/core/tasks/qa/numbers'

test('the one number of a text, as people of any country write it', () => {
  const written: readonly (readonly [text: string, value: number | null])[] = [
    ...([
      ['42', 42],
      ['-3', -3],
      ['−3', -3],
      ['.5', 0.5],
      [',5', 0.5],
      ['1e3', 1000],
      ['2.5e-3', 0.0025],
    ] as const),
    ...([
      ['3,5', 3.5],
      ['3.5', 3.5],
      ['1,234', 1234],
      ['1.234', 1.234],
      ['1,234.5', 1234.5],
    ] as const),
    ...([
      ['1.234,5', 1234.5],
      ['1.234.567', 1234567],
      ['1 234,50 €', 1234.5],
      ["1'234.5", 1234.5],
    ] as const),
    ...([
      ['$1,234', 1234],
      ['17 %', 17],
      ['about 42 km.', 42],
      ['**42**', 42],
      ['x = 7', 7],
    ] as const),
    ...([
      ['2 or 3', null],
      ['many', null],
      ['', null],
      ['H2O', null],
      ['1.2.3', null],
    ] as const),
  ]
  expect(written.map(([text]) => [text, onlyNumberIn(text)])).toEqual(written)
})

test('a number is found in an answer with its unit, and its decimal comma is none of thousands', async () => {
  const check = { kind: 'number', tolerance: 0.01, relative: false } as const
  const right = (answer: string, reference: string) => passes(check, answer, [reference], null)
  expect(await right('3.5', '3,5')).toBe(true)
  expect(await right('It is about 3.5 m.', '3,5 m')).toBe(true)
  expect(await right('35', '3,5')).toBe(false)
  expect(await right('3 or 4', '3')).toBe(false)
  expect(problemWith(check, ['3,5 m'])).toBeNull()
  expect(problemWith(check, ['three'])).toContain('is no number')
})
