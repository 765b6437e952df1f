import { expect, test } from 'vitest'
import { checkRunSettings } from '../../../src/core/lab/setting-groups'
import { caseOf } from '../../../src/core/memory/cases/recalled-case'
import { caseBank } from '../../../src/core/methods/case-bank/case-bank'
import { withPlacesForMeaning } from '../../../src/core/retrieval/fuse'
import type { MethodContext } from '../../../src/core/ground/method'
import type { CaseFilter } from '../../../src/core/ground/ports'
import type { ScoredCase } from '../../../src/shared/domain/case'
import type { SettingChanges } from '../../../src/shared/domain/setting'
import { attemptAt, openLab, taskAt } from './fixtures'

const hit = (n: number, score: number): ScoredCase => ({ case: caseOf(attemptAt(n, 1)), score })

/** A bank in which words find 1 and 2, meaning 2 and 3, and both 2 and 1. */
async function recalled(settings: SettingChanges['case-bank'], k = 2) {
  const { context, memory } = openLab(caseBank, [], { k, settings: { 'case-bank': settings } })
  const asked: (CaseFilter | undefined)[] = []
  const bank: MethodContext['bank'] = {
    ...memory,
    search: (_text, limit, filter) => (
      asked.push(filter),
      Promise.resolve([hit(1, 5), hit(2, 4)].slice(0, limit))
    ),
    nearest: (_vector, limit, filter) => (
      asked.push(filter),
      Promise.resolve([hit(2, 0.9), hit(3, 0.8)].slice(0, limit))
    ),
    find: (_text, _vector, limit, filter) => (
      asked.push(filter),
      Promise.resolve([hit(2, 0.9), hit(1, 0.5)].map((one) => ({ ...one, cosine: 0.5 })).slice(0, limit))
    ),
  }
  const { retrieved } = await caseBank.recall({ task: taskAt(9), context: '' }, { ...context, bank })
  return { found: retrieved.map(({ item }) => [item.trajectoryId, item.scoreKind]), asked }
}

test.each([
  [
    'semantic',
    [
      ['r1-t0003', 'cosine'],
      ['r1-t0002', 'cosine'],
    ],
  ],
  [
    'text',
    [
      ['r1-t0002', 'bm25'],
      ['r1-t0001', 'bm25'],
    ],
  ],
  [
    'hybrid',
    [
      ['r1-t0001', 'hybrid'],
      ['r1-t0002', 'hybrid'],
    ],
  ],
] as const)('retrieval by %s, best last', async (retrieval, expected) => {
  expect((await recalled({ retrieval })).found).toEqual(expected)
})

test('solved or failed cases only, or none', async () => {
  expect((await recalled({})).asked).toEqual([{ environment: 'lab-db' }])
  expect((await recalled({ failed: false })).asked).toEqual([{ environment: 'lab-db', reward: 1 }])
  expect((await recalled({ solved: false, retrieval: 'text' })).asked).toEqual([
    { environment: 'lab-db', reward: 0 },
  ])
  expect(await recalled({ solved: false, failed: false })).toEqual({ found: [], asked: [] })
  expect(await recalled({}, 0)).toEqual({ found: [], asked: [] })
})

test('of three places one is kept for what is nearest in meaning', () => {
  const hits = [0.1, 0.2, 0.3, 0.9].map((cosine, i) => ({ id: `h${i}`, cosine }))
  expect(withPlacesForMeaning(hits, 3).map(({ id }) => id)).toEqual(['h0', 'h1', 'h3', 'h2'])
  expect(withPlacesForMeaning(hits, 2)).toEqual(hits)
})

test('a misspelt setting is refused', () => {
  expect(() => checkRunSettings({ evosc: { errorLesson: false } })).toThrow('no setting evosc.errorLesson')
  expect(() => checkRunSettings({ evocs: {} })).toThrow('no settings called "evocs"')
  expect(checkRunSettings({ evosc: { errorLessons: false } })).toEqual({
    evosc: { errorLessons: false },
  })
})
