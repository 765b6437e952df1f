import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PatternFilter } from '../../../src/core/ground/pattern-filter'
import { needsOf } from '../../../src/core/ground/pattern-needs'

const PATTERNS = [
  /\b(?:sk-[A-Za-z0-9]{4,}|gsk_[a-z]{2,})/g,
  /(?<=[a-z]:\/\/)[a-z]{2,5}(?=@)/gi,
  /(\bpass["']?[ \t]{0,4}[:=][ \t]{0,4}["']?)(?!\[)[^\s"']{3,}/gi,
  /[MNO][a-z]{2}\.(?:[xy]|z{2,3})?/g,
  /contrase[nñ]a|пароль|密码/gi,
  /(?:a|b)+c?[^\r\n]{1,3}\d/g,
  /x*/g,
]

const possible = (filter: PatternFilter, text: string): number[] => {
  filter.read(text)
  const indexes: number[] = []
  for (let index = filter.next(0); index >= 0; index = filter.next(index + 1)) indexes.push(index)
  return indexes
}

describe('what a pattern needs', () => {
  it('is what each of its matches holds, and how short one may be', () => {
    expect(needsOf(/\b(?:hf_[a-z]{20,}|gl(?:pat|rt)-\w{16,})/)).toEqual({
      shortest: 21,
      parts: [['hf_', 'glpat-', 'glrt-']],
    })
    expect(needsOf(/(?<=:\/\/)[a-z]{3,9}(?=@)/i)).toEqual({ shortest: 3, parts: [['://'], ['@']] })
    expect(needsOf(/(key|KEY)?\s*/)).toEqual({ shortest: 0, parts: [] })
  })

  it('is nothing where a pattern is of a kind that is not read', () => {
    for (const pattern of [/\p{L}key/u, /(?<name>key)\k<name>/, /(key)\1/])
      expect(needsOf(pattern)).toEqual({ shortest: 0, parts: [] })
  })
})

describe('the filter of patterns', () => {
  it('leaves out no pattern that matches', () => {
    const filter = new PatternFilter(PATTERNS.map((pattern) => ({ pattern })))
    const pieces = fc.oneof(
      ...PATTERNS.map((pattern) =>
        fc.stringMatching(new RegExp(pattern.source.replaceAll(/\(\?<?[=!][^)]*\)|\\b/g, ''))),
      ),
      fc.constantFrom(
        'ftp://me@',
        'PASS: "hunter2"',
        'SK-abcd',
        'sk-abcd',
        'CONTRASEÑA',
        'ПАРОЛЬ',
        'Nab.zz',
        'é',
      ),
      fc.string({ unit: 'binary', maxLength: 12 }),
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 6 }), (parts) => {
        const text = parts.join('')
        const matching = PATTERNS.flatMap((pattern, index) => (text.search(pattern) >= 0 ? [index] : []))
        expect(possible(filter, text)).toEqual(expect.arrayContaining(matching))
      }),
      { numRuns: 2000 },
    )
  })

  it('leaves out what cannot match, and what stands beside no such word', () => {
    const filter = new PatternFilter([
      { pattern: /\bsk-[a-z]{4,}/g },
      { pattern: /[a-z]+/g, beside: 'docker login' },
      { pattern: /[a-z]{30,}/g },
    ])
    expect(possible(filter, 'a disk, and what it skips')).toEqual([])
    expect(possible(filter, 'docker login sk-abcdef')).toEqual([0, 1])
    expect(possible(filter, 'a'.repeat(30))).toEqual([2])
  })

  it('forgets a text with the next one, however many came before', () => {
    const filter = new PatternFilter([{ pattern: /key/g }])
    for (let n = 0; n < 70_000; n++) filter.read(n % 2 === 0 ? 'key' : 'lock')
    expect(possible(filter, 'lock')).toEqual([])
    expect(possible(filter, 'key')).toEqual([0])
  })
})
