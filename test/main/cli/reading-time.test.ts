import { expect, test } from 'vitest'
import { readingWords } from '../../../src/main/cli/commands/reading-time'

test.each([
  [
    { reading: 140, writing: 30, busy: false },
    /It takes about 50 s here to read .* before its first word\. What/,
  ],
  [{ reading: 70, writing: 30, busy: true }, /about 100 s here .*it may be far faster/],
  [{ reading: null, writing: 7, busy: false }, /up to 1,000 s/],
  [{ reading: null, writing: 0.7, busy: true }, /is not known: other programs worked/],
])('says what a program has to be patient for, where reading was %o', (tokens_per_second, words) => {
  expect(readingWords({ context_length: 8192, tokens_per_second })).toMatch(words)
  expect(readingWords({ context_length: 8192, tokens_per_second })).toContain('leave little room')
  expect(readingWords({ context_length: 32_768, tokens_per_second })).not.toContain('leave little room')
})

test('says nothing where nothing was tried', () => {
  expect(readingWords({ context_length: 8192 })).toBeNull()
})
