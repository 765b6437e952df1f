import { expect, test } from 'vitest'
import { verbOf, verbOfCommand } from '../../../../src/core/memory/experiences/actions'
import { isCompatible } from '../../../../src/core/memory/experiences/retrieve'
import { fuse, withoutRepeats, type FoundRow, type FuseInput } from '../../../../src/core/retrieval/fuse'

const row = (id: string, score: number, ...vector: number[]): FoundRow => ({
  id,
  score,
  vector: Float32Array.from(vector.length > 0 ? vector : [1, 0]),
})

const input = (change: Partial<FuseInput>): FuseInput => ({
  mode: 'hybrid',
  byWords: [],
  byMeaning: [],
  vector: Float32Array.from([1, 0]),
  alpha: 0.5,
  utility: () => 0.5,
  ...change,
})

test('takes words as a share of what was asked, and meaning from nothing to the best of the query', () => {
  const hits = fuse(
    input({ byWords: [row('a', 8, 0, 1), row('b', 4)], byMeaning: [row('b', 1), row('c', 0, 0, 1)] }),
  )
  expect(
    hits.map(({ id, textScore, semanticScore, score }) => ({ id, textScore, semanticScore, score })),
  ).toEqual([
    { id: 'b', textScore: 0.5, semanticScore: 1, score: 0.75 },
    { id: 'a', textScore: 1, semanticScore: 0, score: 0.5 },
    { id: 'c', textScore: 0, semanticScore: 0, score: 0 },
  ])
  expect(hits.map(({ bm25, cosine }) => [bm25, cosine])).toEqual([
    [4, 1],
    [8, 0],
    [null, 0],
  ])
  expect(fuse(input({ byWords: [row('a', 8, 0, 1)], fullBm25: 16 }))).toMatchObject([{ textScore: 0.5 }])
})

test('alpha moves between words and meaning', () => {
  const both = { byWords: [row('words', 5, 0, 1)], byMeaning: [row('meaning', 0.9)] }
  expect(fuse(input({ ...both, alpha: 1 }))[0]?.id).toBe('words')
  expect(fuse(input({ ...both, alpha: 0 }))[0]?.id).toBe('meaning')
})

test('one search alone needs nothing of the other', () => {
  const byWords = [row('a', 5), row('b', 1)]
  expect(fuse(input({ mode: 'text', byWords, vector: null }))).toMatchObject([
    { id: 'a', score: 1, semanticScore: null, cosine: null },
    { id: 'b', score: 0.2 },
  ])
  expect(fuse(input({ mode: 'semantic', byMeaning: [row('a', 0.5)] }))).toMatchObject([
    { id: 'a', score: 1, textScore: null, bm25: null },
  ])
})

test('what helped before moves up when scores are close', () => {
  const byMeaning = [row('unused', 0.9), row('useful', 0.88)]
  const utility = (id: string): number => (id === 'useful' ? 1 : 0.5)
  expect(fuse(input({ mode: 'semantic', byMeaning, utility }))[0]?.id).toBe('useful')
})

test('drops hits that say the same as a better one', () => {
  const hits = fuse(
    input({ mode: 'semantic', byMeaning: [row('a', 0.9), row('twin', 0.9), row('c', 0.1, 0, 1)] }),
  )
  expect(withoutRepeats(hits, 2).map(({ id }) => id)).toEqual(['a', 'c'])
})

test('fits by domain, and by tool or what the tool does', () => {
  const experience = { domain: 'code', tools: ['execute_bash'] }
  const fits = (wanted: Parameters<typeof isCompatible>[1]): boolean =>
    isCompatible(experience, wanted, verbOf)
  expect(fits({})).toBe(true)
  expect(fits({ domains: ['web'] })).toBe(false)
  expect(fits({ domains: ['web', 'code'] })).toBe(true)
  expect(fits({ tools: ['python_interpreter'] })).toBe(true)
  expect(fits({ tools: ['visit_webpage'] })).toBe(false)
  expect(fits({ tools: ['unknown-tool'] })).toBe(false)
  expect(isCompatible({ domain: 'general', tools: [] }, { domains: ['web'], tools: ['x'] }, verbOf)).toBe(
    true,
  )
})

test('knows what the tools of the frameworks do', () => {
  expect(
    ['DuckDuckGoSearchTool', 'str_replace_editor', 'Bash', 'WebFetch', 'final_answer', 'Frobnicate'].map(
      verbOf,
    ),
  ).toEqual(['search', 'edit', 'run', 'browse', 'answer', 'other'])
  expect(['grep -rn x .', 'cat a.py', 'submit', 'pytest -q'].map(verbOfCommand)).toEqual([
    'search',
    'read',
    'answer',
    'run',
  ])
})
