import { describe, expect, it } from 'vitest'
import { filesort, keysBefore } from '../../../../src/core/mysql/filesort'

const sorted = (keys: readonly number[]) => {
  const rows = keys.map((key, index) => ({ key, index }))
  filesort(rows, (a, b) => a.key < b.key)
  return rows
}

describe("MySQL's sort", () => {
  it('keeps ties in order up to 16 rows', () => {
    const rows = sorted([2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1])
    expect(rows.map((row) => row.index)).toEqual([1, 3, 5, 7, 9, 11, 13, 15, 0, 2, 4, 6, 8, 10, 12, 14])
  })

  it.each([0, 1, 17, 40, 500])('sorts %i rows', (count) => {
    const keys = Array.from({ length: count }, (_, i) => (i * 7919) % 101)
    const rows = sorted(keys)
    expect(rows.map((row) => row.key)).toEqual([...keys].sort((a, b) => a - b))
    expect(new Set(rows.map((row) => row.index)).size).toBe(count)
  })

  it('sorts what would make quicksort slow', () => {
    const organ = Array.from({ length: 4000 }, (_, i) => Math.min(i, 4000 - i))
    expect(sorted(organ).map((row) => row.key)).toEqual([...organ].sort((a, b) => a - b))
  })

  it('puts NULL first, folds case and turns for DESC', () => {
    const up = [{ descending: false }]
    expect(keysBefore([null], [0], up)).toBe(true)
    expect(keysBefore(['a'], ['B'], up)).toBe(true)
    expect(keysBefore(['A'], ['a'], up)).toBe(false)
    expect(keysBefore([1], [2], [{ descending: true }])).toBe(false)
    expect(keysBefore([1, 3], [1, 2], [{ descending: false }, { descending: true }])).toBe(true)
  })
})
