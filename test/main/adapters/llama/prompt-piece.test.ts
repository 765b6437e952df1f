import { describe, expect, it } from 'vitest'
import { PromptPiece } from '../../../../src/main/adapters/llama/prompt-tokens'
import { REUSE_STEP } from '../../../../src/main/adapters/llama/sequence-pool'

describe('a piece of a prompt', () => {
  it('is as long as a model reads in a moment, in whole steps, and never too short or too long', () => {
    const lengths = [0.01, 0.5, 1, 2, 3, 8, 100].map((msPerToken) => {
      const piece = new PromptPiece(false)
      piece.took(64, 64 * msPerToken)
      expect(piece.tokens % REUSE_STEP).toBe(0)
      return piece.tokens
    })
    expect(lengths).toEqual([48, 48, 48, 48, 32, 32, 32])
  })

  it('is short before anything is known, and follows a machine that gets busy', () => {
    const piece = new PromptPiece(true)
    expect(piece.tokens).toBe(64)
    for (let i = 0; i < 5; i++) piece.took(512, 20)
    expect(piece.tokens).toBe(512)
    for (let i = 0; i < 8; i++) piece.took(64, 64 * 2)
    expect(piece.tokens).toBe(48)
  })
})
