import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createRng } from '../../../src/core/ground/random'
import { cosine } from '../../../src/core/retrieval/cosine'
import { lexicalVector } from '../../../src/core/retrieval/lexical-embedder'
import {
  SearchCore,
  type CoreFilter,
  type CoreHit,
  type CoreRow,
} from '../../../src/core/retrieval/search-core'
import { termsOf, TERM_WEIGHTS } from '../../../src/core/retrieval/terms'

const rng = createRng('search core')
const VOCABULARY = Array.from({ length: 400 }, (_, i) => `w${i}`).concat(
  'the of to how my is where'.split(' '),
)

/** Frequent words often, rare ones rarely, as in texts. */
const word = (): string => VOCABULARY[Math.floor(VOCABULARY.length * rng.next() ** 3)] ?? 'the'
const text = (length: number): string => Array.from({ length }, word).join(' ')
const vector = (dimension: number): Float32Array =>
  Float32Array.from({ length: dimension }, () => rng.next() - 0.5)

const fits = ({ id, environment, reward, deleted }: CoreRow, filter: CoreFilter): boolean =>
  (filter.includeDeleted === true || !deleted) &&
  (filter.environment ?? environment) === environment &&
  (filter.reward ?? reward) === reward &&
  (filter.accepts?.(id) ?? true)

const countsByText = new Map<string, { readonly counts: Map<string, number>; readonly length: number }>()

/** How often each term is in a row, and how many there are. */
function countsOf({ text: own }: CoreRow) {
  const before = countsByText.get(own)
  if (before) return before
  const terms = termsOf(own)
  const counts = new Map<string, number>()
  for (const { term } of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
  const fresh = { counts, length: terms.length }
  countsByText.set(own, fresh)
  return fresh
}

/** BM25 of every row, word by word, in double precision. */
function everyBm25(rows: readonly CoreRow[], query: string): Map<string, number> {
  const terms = rows.map(countsOf)
  const mean = terms.reduce((sum, { length }) => sum + length, 0) / rows.length
  const scores = new Map<string, number>()
  for (const [term, weight] of new Map(termsOf(query).map((each) => [each.term, TERM_WEIGHTS[each.kind]]))) {
    const counts = terms.map(({ counts: own }) => own.get(term) ?? 0)
    const holders = counts.filter((count) => count > 0).length
    const rarity = weight * Math.log(1 + (rows.length - holders + 0.5) / (holders + 0.5))
    for (const [i, count] of counts.entries()) {
      if (count === 0) continue
      const id = rows[i]?.id ?? ''
      const part = (count * 2.2) / (count + 1.2 * (0.6 + (0.4 * (terms[i]?.length ?? 0)) / mean))
      scores.set(id, (scores.get(id) ?? 0) + rarity * part)
    }
  }
  return scores
}

/** The k best, and all that tie with the last. */
type Hit = Pick<CoreHit, 'id' | 'score'>

function best(hits: readonly Hit[], k: number): Hit[] {
  const order = hits.toSorted((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
  const last = order[k - 1]?.score ?? -2
  return order.filter(({ score }) => score >= last)
}

function expectSame(actual: readonly Hit[], expected: readonly Hit[]): void {
  const order = best(actual, actual.length)
  expect(order.map(({ id }) => id)).toEqual(expected.map(({ id }) => id))
  for (const [i, { score }] of order.entries()) expect(score).toBeCloseTo(expected[i]?.score ?? NaN, 10)
}

/** Compares what a core finds with what comparing one by one finds. */
function check(
  core: SearchCore,
  rows: readonly CoreRow[],
  query: string,
  near: Float32Array,
  filter: CoreFilter,
): void {
  const byId = new Map(rows.map((row) => [row.id, row]))
  const passing = (id: string): boolean => fits(byId.get(id) as CoreRow, filter)
  const byWords = [...everyBm25(rows, query)].flatMap(([id, score]) => (passing(id) ? [{ id, score }] : []))
  const byMeaning = rows.flatMap(({ id, vector: own }) => {
    const score = cosine(own, near)
    return score === null || !passing(id) ? [] : [{ id, score }]
  })
  for (const k of [1, 10, 100]) {
    expectSame(core.match(query, k, filter), best(byWords, k))
    expectSame(core.nearest(near, k, filter), best(byMeaning, k))
  }
}

const FILTERS: readonly CoreFilter[] = [
  {},
  { includeDeleted: true },
  { environment: 'b' },
  { environment: 'a', reward: 1 },
  { environment: 'nowhere' },
  { reward: 0, accepts: (id) => id.endsWith('3') },
]

function tidy(core: SearchCore): void {
  for (const job = core.tidied(); ;) {
    const { done, value } = job.next()
    if (done === true) return expect(value).toBe(true)
  }
}

describe('the search core', () => {
  it.each([7, 40, 256])(
    'finds what comparing one by one finds through every change, at %i numbers a row',
    (dimension) => {
      const core = new SearchCore(dimension)
      const rows = new Map<string, CoreRow>()
      const put = (id: string): void => {
        const own = rng.int(40) === 0 ? new Float32Array(dimension) : vector(dimension)
        const row: CoreRow = {
          ...{ id, text: text(1 + rng.int(40)), vector: own, reward: rng.int(2), deleted: rng.int(10) === 0 },
          environment: rng.pick(['a', 'b', 'ä']),
        }
        rows.set(id, row)
        core.set(row)
      }
      const verify = (): void => {
        expect(core.size).toBe(rows.size)
        for (const filter of FILTERS) check(core, [...rows.values()], text(8), vector(dimension), filter)
      }
      for (let i = 0; i < 2500; i++) put(`row ${i}`)
      verify()
      tidy(core)
      verify()
      for (let i = 2500; i < 2600; i++) put(`row ${i}`)
      // Replaced, marked, taken out.
      for (let i = 0; i < 2600; i += 9) put(`row ${i}`)
      for (let i = 0; i < 2600; i += 11) {
        const id = `row ${i}`
        core.setDeleted(id, true)
        rows.set(id, { ...(rows.get(id) as CoreRow), deleted: true })
      }
      for (let i = 0; i < 2600; i += 5) {
        core.remove(`row ${i}`)
        rows.delete(`row ${i}`)
      }
      verify()
      const bytes = core.parts.words.size
      tidy(core)
      expect(core.parts.words.size).toBeLessThan(bytes)
      expect(core.parts.words.size).toBe(rows.size)
      verify()
      for (let i = 0; i < 50; i++) put(`row ${i}`)
      verify()
      for (let i = 0; i < 2600; i++) expect(core.has(`row ${i}`)).toBe(rows.has(`row ${i}`))
      const deleted = [...rows.values()].filter((row) => row.deleted).map(({ id }) => id)
      expect([...core.deletedIds()].sort()).toEqual(deleted.sort())
      expect(core.vector('row 1')).toEqual(rows.get('row 1')?.vector)
      expect(core.vector('nobody')).toBeNull()
    },
  )

  it('answers between the steps of tidying, and drops that work after a write', () => {
    const core = new SearchCore(8)
    const row = (id: string): CoreRow => ({
      ...{ id, text: text(60), vector: vector(8), environment: 'a', reward: 1, deleted: false },
    })
    const rows = Array.from({ length: 3000 }, (_, i) => row(`row ${i}`))
    for (const each of rows) core.set(each)
    const job = core.tidied()
    expect(job.next().done).toBe(false)
    check(core, rows, 'w1 w20 the', vector(8), {})
    const extra = row('late')
    core.set(extra)
    check(core, [...rows, extra], extra.text, vector(8), {})
    expect(job.next()).toEqual({ done: true, value: false })
    tidy(core)
    check(core, [...rows, extra], extra.text, vector(8), {})
  })

  it('gives all that tie with the last one, and none for a query without direction', () => {
    const core = new SearchCore(2)
    for (let i = 0; i < 30; i++)
      core.set({
        ...{
          id: `r${i}`,
          text: 'the same',
          vector: Float32Array.of(3, 4),
          environment: 'a',
          reward: 0,
          deleted: false,
        },
      })
    expect(core.match('same', 3, {})).toHaveLength(30)
    expect(core.nearest(Float32Array.of(1, 0), 3, {}).map(({ score }) => score)).toEqual(Array(30).fill(0.6))
    expect(core.nearest(new Float32Array(2), 3, {})).toEqual([])
    expect(core.match('the of', 3, { reward: 1 })).toEqual([])
    expect(core.match('', 3, {})).toEqual([])
  })

  it('does not overflow where all numbers of long vectors are equal', () => {
    const core = new SearchCore(4096)
    const one = new Float32Array(4096).fill(1)
    core.set({ ...{ id: 'one', text: 'x', vector: one, environment: 'a', reward: 0, deleted: false } })
    expect(core.nearest(one, 1, {})[0]?.score).toBeCloseTo(1, 12)
  })
})

const sessions = resolve(
  import.meta.dirname,
  '../../../../shared/data/lifelongagentbench/db_graded_sessions.jsonl',
)
it.skipIf(!existsSync(sessions))(
  'finds the same in real tasks, by real questions (skipped when ../shared/data is absent)',
  () => {
    const texts = readFileSync(sessions, 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.slice(0, 2000))
    const rows = texts.map((own, i): CoreRow => ({
      ...{
        id: `s${i}`,
        text: own,
        vector: lexicalVector(own),
        environment: 'db',
        reward: i % 2,
        deleted: false,
      },
    }))
    const core = new SearchCore(384)
    for (const row of rows) core.set(row)
    expect(rows.length).toBeGreaterThan(500)
    for (const question of [
      'How many orders of the customer are still open, and what is the total of them?',
      'insert a new row into the table with the given values',
      'Which of the products has the lowest price?',
    ])
      check(core, rows, question, lexicalVector(question), {})
  },
)
