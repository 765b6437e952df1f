import { describe, expect, it } from 'vitest'
import { createEmbedder, SPECIAL, trainTokenizer } from '../../models/training/tokenizer'

const text = Array.from(
  { length: 60 },
  (_, i) => `Harbor rules: paid 'K', price cents\nSELECT COUNT(*) FROM orders WHERE id = ${i};`,
).join('\n')

describe("the demo model's tokenizer", () => {
  const tokenizer = trainTokenizer(text, 480, 10)
  const encode = createEmbedder(tokenizer)
  const decode = (ids: readonly number[]): string =>
    ids
      .map((id) => tokenizer.pieces[id])
      .join('')
      .replaceAll('\u2581', ' ')

  it('gives back what it was given', () => {
    for (const sample of [text.slice(0, 200), "  two memories, 'quotes' 123", ''])
      expect(decode(encode(sample))).toBe(sample)
  })

  it('falls back to bytes for what it has never seen', () => {
    expect(encode('é')).toEqual([SPECIAL.length + 0xc3, SPECIAL.length + 0xa9])
  })

  it('keeps digits, quotes and line ends apart, so that codes are copied token by token', () => {
    for (const [id, piece] of tokenizer.pieces.entries()) {
      const bare = piece.replace(/^\u2581/, '')
      if (tokenizer.types[id] === 1 && bare.length > 1) expect(bare).not.toMatch(/[0-9'\n,]/)
    }
  })

  it('reserves room for soft prompts', () => {
    expect(tokenizer.pieces.filter((piece) => piece.startsWith('<|reserved_'))).toHaveLength(32)
  })
})
