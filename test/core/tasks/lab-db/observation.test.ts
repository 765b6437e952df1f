import { describe, expect, it } from 'vitest'
import { formatObservation, MAX_OBSERVATION_CHARS } from '../../../../src/core/tasks/lab-db/observation'
import { reprText } from '../../../../src/core/ground/python-text'
import { reprFloat } from '../../../../src/core/tasks/lab-db/python-repr'

describe('observations', () => {
  it('prints rows as Python prints what mysql-connector returns', () => {
    const text = formatObservation({
      kind: 'rows',
      columns: ['id', 'name', 'average', 'ratio', 'day'],
      types: ['int', 'text', 'decimal', 'double', 'date'],
      rows: [
        [1, "O'Hara", '4.5000', 2, '2024-05-09'],
        [2, null, null, 0.1, null],
      ],
    })
    expect(text).toBe(
      `[(1, "O'Hara", Decimal('4.5000'), 2.0, datetime.date(2024, 5, 9)), (2, None, None, 0.1, None)]`,
    )
  })

  it('gives one-column rows their comma and empty results []', () => {
    expect(formatObservation({ kind: 'rows', columns: ['n'], types: ['int'], rows: [[3]] })).toBe('[(3,)]')
    expect(formatObservation({ kind: 'rows', columns: ['n'], types: ['int'], rows: [] })).toBe('[]')
    expect(formatObservation({ kind: 'done', affectedRows: 4 })).toBe('[]')
  })

  it('cuts what is very long and says so', () => {
    const text = formatObservation({ kind: 'error', message: 'x'.repeat(MAX_OBSERVATION_CHARS + 1) })
    expect(text).toBe(`${'x'.repeat(MAX_OBSERVATION_CHARS)}... [TRUNCATED]`)
  })

  it.each([
    [1, '1.0'],
    [0.0001, '0.0001'],
    [0.00001, '1e-05'],
    [1e16, '1e+16'],
    [123456.789, '123456.789'],
    [-0.5, '-0.5'],
  ])('prints the float %d as %s', (value, text) => expect(reprFloat(value)).toBe(text))

  it.each([
    ['plain', "'plain'"],
    [`both ' and "`, `'both \\' and "'`],
    ['back\\slash\nline', "'back\\\\slash\\nline'"],
  ])('quotes %j', (value, text) => expect(reprText(value)).toBe(text))
})
