import { describe, expect, it } from 'vitest'
import { matchesGold, type GoldRows } from '../../../../src/core/tasks/lab-db/answer'

describe('grading an answer', () => {
  it.each<[string, GoldRows, boolean]>([
    [
      "[(1, 'Ada'), (2, 'Ben')]",
      [
        [1, 'Ada'],
        [2, 'Ben'],
      ],
      true,
    ],
    [
      "[(2, 'Ben'), (1, 'Ada')]",
      [
        [1, 'Ada'],
        [2, 'Ben'],
      ],
      false,
    ],
    [
      "[(1, 'Ada')]",
      [
        [1, 'Ada'],
        [2, 'Ben'],
      ],
      false,
    ],
    ["[(Decimal('12.5000'),)]", [[12.5]], true],
    ['12.5', [[12.5]], true],
    ['[(12.5000004,)]', [[12.5]], true],
    ['[(12.6,)]', [[12.5]], false],
    ['[(1, Ada)]', [[1, 'Ada']], true],
    ['[(1, "Ada")]', [[1, 'Ada']], true],
    ["[(1, 'ada')]", [[1, 'Ada']], false],
    ['[]', [], true],
    ['[]', [[0]], false],
    ['[(1,', [[1]], false],
    ['1)', [[1]], false],
    ['[(None,)]', [[null]], true],
    ['', [[1]], false],
  ])('%s against %j is %s', (answer, gold, expected) => {
    expect(matchesGold(answer, gold)).toBe(expected)
  })
})
