import { describe, expect, it } from 'vitest'
import { fastest, threadChoices } from '../../../../src/main/adapters/llama/choose-threads'

describe('how many threads a model is worked out with', () => {
  it('is tried with one, half of the processors and all', () => {
    expect(threadChoices(16)).toEqual([1, 8, 16])
    expect(threadChoices(2)).toEqual([1, 2])
    expect(threadChoices(1)).toEqual([1])
  })

  it('is the fewest that nothing beats by more than a tenth', () => {
    expect(
      fastest([
        [1, 100],
        [8, 95],
        [16, 94],
      ]),
    ).toBe(1)
    expect(
      fastest([
        [1, 100],
        [8, 20],
        [16, 19],
      ]),
    ).toBe(8)
    expect(
      fastest([
        [1, 100],
        [8, 30],
        [16, 20],
      ]),
    ).toBe(16)
    expect(
      fastest([
        [1, 10],
        [2, 400],
      ]),
    ).toBe(1)
  })
})
