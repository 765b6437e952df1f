import { expect, test } from 'vitest'
import { suitableLength } from '../../../src/core/soft-prompts/reserved-tokens'

test('narrow models get more tokens for a soft prompt, wide ones as many as in the paper', () => {
  expect(suitableLength(256, 75)).toBe(64)
  expect(suitableLength(512, 75)).toBe(32)
  expect(suitableLength(4096, 250)).toBe(20)
  expect(suitableLength(64, 250)).toBe(64)
})

test('never more than the model has to spare', () => {
  expect(suitableLength(256, 42)).toBe(42)
  expect(suitableLength(4096, 12)).toBe(12)
})
