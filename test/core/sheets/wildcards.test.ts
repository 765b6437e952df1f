import { expect, it } from 'vitest'
import { Failure, wildcard } from '../../../src/core/sheets/formula/values'
import { createRng } from '../../../src/shared/random'

/** What the wildcards mean, as an expression; only for short texts, since it may take exponential time. */
const expression = (pattern: string): RegExp =>
  new RegExp(
    `^${pattern.replace(/~[*?~]|[*?]|[\\^$.|+()[\]{}]/g, (part) =>
      part === '*' ? '[^]*' : part === '?' ? '[^]' : `\\${part.length === 2 ? (part[1] ?? '') : part}`,
    )}$`,
    'i',
  )

it('fit the texts that they mean', () => {
  const rng = createRng('wildcards')
  const text = (letters: string, most: number): string =>
    Array.from({ length: rng.int(most) }, () => letters.charAt(rng.int(letters.length))).join('')
  let fitting = 0
  for (let i = 0; i < 5000; i++) {
    const [pattern, value] = [text('aAb*?~.', 7), text('abB*?~.', 7)]
    const fits = wildcard(pattern).test(value)
    expect([pattern, value, fits]).toEqual([pattern, value, expression(pattern).test(value)])
    if (fits) fitting++
  }
  expect(fitting).toBeGreaterThan(300)
})

// An expression of these would still be at work when the sun goes out.
it('take no more steps than text and pattern have characters, multiplied', () => {
  const longest = 'a'.repeat(32_767)
  for (const stars of [1, 2, 4, 8, 16, 32, 64, 120]) {
    expect(wildcard(`${'*a'.repeat(stars)}*b`).test(longest)).toBe(false)
    expect(wildcard(`${'*a'.repeat(stars)}*`).test(longest)).toBe(true)
  }
  expect(() => wildcard('*'.repeat(256))).toThrow(Failure)
})
