import { expect, test } from 'vitest'
import { writingSpeed } from '../../../../src/renderer/features/ask/pace'

const round = (completionTokens: number, ms: number, firstMs?: number) => ({
  usage: { promptTokens: 10, completionTokens, reusedTokens: 0, ms },
  ...(firstMs !== undefined && { firstMs }),
})

test('how fast a model writes leaves out the wait for its first word, and is not told of too little', () => {
  expect(writingSpeed([round(41, 3000, 1000)])).toBe(20)
  expect(writingSpeed([round(41, 3000, 1000), round(21, 1500, 500)])).toBe(20)
  expect(writingSpeed([round(41, 3000)])).toBeNull()
  expect(writingSpeed([{ ...round(41, 3000, 1000), thought: 'Hm.' }])).toBeNull()
  expect(writingSpeed([round(4, 3000, 1000)])).toBeNull()
  expect(writingSpeed([round(41, 1010, 1000)])).toBeNull()
})
