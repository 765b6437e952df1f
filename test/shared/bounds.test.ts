import { describe, expect, test } from 'vitest'
import { BOUNDS, integerIn, numberIn } from '../../src/shared/domain/bounds'

describe.each(Object.entries(BOUNDS))('%s', (_, bounds) => {
  test('takes its least and its most and nothing beyond', () => {
    const [min, max] = bounds
    for (const schema of [numberIn(bounds), ...(Number.isInteger(min) ? [integerIn(bounds)] : [])]) {
      expect(schema.safeParse(min).success).toBe(true)
      expect(schema.safeParse(max).success).toBe(true)
      expect(schema.safeParse(min - 1).success).toBe(false)
      expect(schema.safeParse(max + 1).success).toBe(false)
    }
    expect(integerIn(bounds).safeParse(min + 0.5).success).toBe(false)
  })
})
