import { describe, expect, it } from 'vitest'
import { CellError, parseAnswerPosition, type Scalar } from '../../../src/core/sheets/cells'
import { compareWorkbooks, type GradedCell } from '../../../src/core/sheets/compare'
import { parseSpreadsheetAction, writeCode } from '../../../src/core/tasks/spreadsheet/grammar'

const book = (cell: Partial<GradedCell>, sheets = ['S']) => ({
  sheets,
  cell: () => ({ value: null, isDate: false, unknown: false, ...cell }),
})
const verdict = (got: Partial<GradedCell>, wanted: Partial<GradedCell>, position = 'A1') =>
  compareWorkbooks(book(got), book(wanted), parseAnswerPosition(position) ?? []).kind

describe('answers', () => {
  it('stand where the benchmark writes that they do', () => {
    const a1b2 = { from: { row: 0, column: 0 }, to: { row: 1, column: 1 } }
    expect(parseAnswerPosition('A1:B2')).toEqual([{ sheet: null, ...a1b2 }])
    expect(parseAnswerPosition("'My, sheet'!A1:B2,'S'!'B2:A1'")).toEqual([
      { sheet: 'My, sheet', ...a1b2 },
      { sheet: 'S', ...a1b2 },
    ])
    expect(parseAnswerPosition('Sheet1!AA10')).toEqual([
      { sheet: 'Sheet1', from: { row: 9, column: 26 }, to: { row: 9, column: 26 } },
    ])
    for (const text of ['', 'Sheet1', 'A0', 'A1:B2:C3', 'A1,oops'])
      expect(parseAnswerPosition(text)).toBeNull()
  })

  it.each<[Scalar, Scalar, boolean]>([
    [1.004, 1, true],
    [1.01, 1, false],
    ['1.0', 1, true],
    ['', null, true],
    ['a', 'A', false],
    ['1', 'one', false],
    [true, 1, true],
    [0, null, false],
    [new CellError('#N/A'), '#N/A', true],
  ])('%s against %s: %s', (got, wanted, same) => {
    expect(verdict({ value: got }, { value: wanted })).toBe(same ? 'same' : 'different')
  })

  it('compares days by the day, and times by the minute', () => {
    const date = (value: number) => ({ value, isDate: true })
    expect(verdict(date(45_000.4), date(45_000))).toBe('same')
    expect(verdict(date(45_000), { value: 45_000 })).toBe('same')
    expect(verdict(date(45_001), date(45_000))).toBe('different')
    expect(verdict(date(0.5), date(0.5001))).toBe('same')
    expect(verdict(date(0.5), date(0.51))).toBe('different')
  })

  it('tells what cannot be known from what is wrong', () => {
    expect(verdict({ unknown: true }, { value: 1 })).toBe('unknown')
    expect(verdict({ value: 1 }, { value: 1 }, "'T'!A1")).toBe('different')
  })
})

it('reads code and the end of an attempt', () => {
  expect(parseSpreadsheetAction(`I sum up.\n${writeCode('a\nb')}`)).toEqual({ kind: 'code', content: 'a\nb' })
  expect(parseSpreadsheetAction('Action: Done')).toEqual({ kind: 'done' })
  for (const reply of ['', 'Done', 'Action: Code', 'Action: Code\n```js\n\n```']) {
    expect(parseSpreadsheetAction(reply)).toMatchObject({ kind: 'invalid' })
  }
})
