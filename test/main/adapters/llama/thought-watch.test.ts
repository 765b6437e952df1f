import { describe, expect, it } from 'vitest'
import { ThoughtWatch } from '../../../../src/main/adapters/llama/thought-watch'

const THINK = ['<think>', '</think>'] as const
const HARMONY = ['<|channel|>analysis<|message|>', '<|end|>'] as const

/** Pushes pieces until the watch ends a thought; answers what it wrote and after how many pieces. */
function pushed(watch: ThoughtWatch, pieces: readonly string[]): [closing: string | null, after: number] {
  for (const [index, piece] of pieces.entries()) {
    const closing = watch.push(piece)
    if (closing !== null) return [closing, index + 1]
  }
  return [null, pieces.length]
}
const words = (count: number): string[] => Array.from({ length: count }, () => ' hm')

describe('a thought and its budget', () => {
  it('is ended after its budget, whether the model or the prompt opened it', () => {
    expect(pushed(new ThoughtWatch(THINK, { budget: 5 }, 'assistant\n<think>\n'), words(20))).toEqual([
      '\n</think>\n\n',
      5,
    ])
    const own = new ThoughtWatch(THINK, { budget: 5 }, 'assistant\n')
    expect(pushed(own, ['<th', 'ink>', ...words(20)])).toEqual(['\n</think>\n\n', 6])
    expect(own.tokens).toBe(5)
  })

  it('is not ended when it ends by itself, and what follows is no thought', () => {
    const watch = new ThoughtWatch(THINK, { budget: 5 }, '<think>')
    expect(pushed(watch, [' hm', '</', 'think>', ...words(20)])).toEqual([null, 23])
    expect(watch.tokens).toBe(3)
  })

  it('goes on for ever without a budget, and is counted', () => {
    const watch = new ThoughtWatch(THINK, 'on', '<think>')
    expect(pushed(watch, words(50))).toEqual([null, 50])
    expect(watch.tokens).toBe(50)
  })

  it('ends in the last channel where the model has channels', () => {
    const watch = new ThoughtWatch(HARMONY, { budget: 3 }, '<|start|>assistant')
    expect(pushed(watch, ['<|channel|>', 'analysis', '<|message|>', ...words(9)])).toEqual([
      '<|end|><|start|>assistant<|channel|>final<|message|>',
      5,
    ])
  })
})
