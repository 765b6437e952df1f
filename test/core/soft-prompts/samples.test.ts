import { describe, expect, it } from 'vitest'
import { estimateTraining, headRows, type ModelSizes } from '../../../src/core/soft-prompts/estimate'
import { chooseLengths } from '../../../src/core/soft-prompts/lengths'
import { chooseReservedTokens } from '../../../src/core/soft-prompts/reserved-tokens'
import { sampleProblem, samplesOf } from '../../../src/core/soft-prompts/samples'

describe('samples', () => {
  it('put rounds that continue each other into one sequence with both actions to predict', () => {
    const rounds = [
      { prompt: [1, 2], action: [3, 4] },
      { prompt: [1, 2, 3, 4, 5], action: [6] },
    ]
    expect(samplesOf('a', rounds, 0)).toEqual([
      { id: 'a', tokens: [1, 2, 3, 4, 5, 6], softAt: 0, targets: [2, 3, 5] },
    ])
  })

  it('keep rounds apart whose action is not what the next round tells', () => {
    const rounds = [
      { prompt: [1, 2], action: [9] },
      { prompt: [1, 2, 3, 4, 5], action: [6] },
    ]
    expect(samplesOf('a', rounds, 1).map(({ targets }) => targets)).toEqual([[2], [5]])
  })

  it('carry the teacher’s distributions in the order of their targets', () => {
    const taught = (id: number) => ({ ids: [id], probabilities: [1] })
    const rounds = [
      { prompt: [1], action: [2], teacher: [taught(2)] },
      { prompt: [1, 2, 3], action: [4], teacher: [taught(4)] },
    ]
    expect(samplesOf('a', rounds, 0)[0]?.teacher?.map(({ ids }) => ids[0])).toEqual([2, 4])
  })

  it('are refused with the reason', () => {
    const good = { id: 'a', tokens: [1, 2, 3], softAt: 1, targets: [1, 2] }
    expect(sampleProblem(good, 10)).toBeNull()
    expect(sampleProblem({ ...good, targets: [] }, 10)).toMatch(/no tokens to predict/)
    expect(sampleProblem(good, 3)).toMatch(/outside the vocabulary of 3/)
    expect(sampleProblem({ ...good, targets: [0] }, 10)).toMatch(/out of order/)
    expect(sampleProblem({ ...good, teacher: [] }, 10)).toMatch(/one teacher distribution/)
  })
})

describe('lengths', () => {
  it('are few, multiples of 32, and cover every sample with little padding', () => {
    expect(chooseLengths([10, 20, 33, 100], 9)).toEqual([32, 64, 128])
    expect(chooseLengths([...Array(50).fill(30), 60, 500], 2)).toEqual([32, 512])
    expect(chooseLengths([40, 90, 200], 1)).toEqual([224])
  })
})

describe('reserved tokens', () => {
  it('are those made for it, then bytes that text never holds', () => {
    const texts = ['<unk>', '<|reserved_0|>', 'a', '<0xC0>', '<0x41>', '[PAD7]', '<0x01>', '<|eot|>']
    const types = [2, 3, 1, 6, 6, 5, 6, 3]
    expect(chooseReservedTokens({ kind: 'llama', texts, types }, 9)).toEqual([1, 5, 3, 6])
    expect(chooseReservedTokens({ kind: 'llama', texts, types }, 2, new Set([1]))).toEqual([5, 3])
  })

  it('are found as bytes in byte-level vocabularies too', () => {
    const texts = ['À', 'A', 'Ā', 'ÿ', 'Àb']
    expect(chooseReservedTokens({ kind: 'gpt2', texts, types: [1, 1, 1, 1, 1] }, 9)).toEqual([0, 3, 2])
  })
})

describe('the estimate', () => {
  const llama8b: ModelSizes = {
    layers: 32,
    width: 4096,
    heads: 32,
    keyHeads: 8,
    headWidth: 128,
    feedForward: 14336,
    vocabulary: 128_256,
    weightBytes: 4.9e9,
    matrixValues: 7.5e9,
  }
  it('turns weights on the fly where a copy would not fit, and keeps small models in full precision', () => {
    const tight = estimateTraining(llama8b, [2048], 'auto', 16e9)
    expect(tight.transposes).toBe('on-the-fly')
    // Measured: 3.19 GB.
    expect(tight.workBytes).toBeGreaterThan(3.19e9)
    expect(tight.workBytes).toBeLessThan(4e9)
    expect(estimateTraining(llama8b, [2048], 'auto', 64e9).transposes).toBe('stored-bf16')
    const small = { ...llama8b, matrixValues: 4e6, weightBytes: 8e6 }
    expect(estimateTraining(small, [256], 'auto', 4e9).transposes).toBe('stored-f32')
    // About 6 FLOP per weight and token, and the attention.
    expect(tight.operationsPerSequence / 1e12).toBeGreaterThan(80)
    expect(tight.operationsPerSequence / 1e12).toBeLessThan(110)
  })

  it('keeps blocks of logits near 64 MiB', () => {
    expect(headRows(128_256)).toBe(128)
    expect(headRows(500)).toBe(256)
    expect(headRows(2_000_000)).toBe(16)
  })
})
