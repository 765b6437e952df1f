import { expect, test } from 'vitest'
import type { AskAttempt } from '../../../../src/shared/domain/ask'
import { contextOf, writingSpeed } from '../../../../src/renderer/features/ask/pace'

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

test('the context of a try is its last request, of planned work its fullest, and unknown where neither is told', () => {
  const trajectory = { rounds: [round(5, 1), round(7, 1)] } as unknown as AskAttempt['trajectory']
  const straight = { trajectory, contextSize: 100, contextUsed: null }
  expect(contextOf(straight)).toEqual({ used: 17, size: 100, isPlanned: false })
  const planned = { ...straight, trajectory: { ...trajectory, cycles: [] } }
  expect(contextOf({ ...planned, contextUsed: 60 })).toEqual({ used: 60, size: 100, isPlanned: true })
  // An attempt of an earlier version does not say.
  expect(contextOf(planned)).toBeNull()
  expect(contextOf({ ...straight, contextSize: null })).toBeNull()
  expect(contextOf(undefined)).toBeNull()
})
