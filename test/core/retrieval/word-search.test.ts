import { describe, expect, it } from 'vitest'
import { stem, termsOf } from '../../../src/core/retrieval/terms'
import { WordSearch } from '../../../src/core/retrieval/word-search'
import { createRng } from '../../../src/core/ground/random'
import { openCaseTable, type CaseRow } from '../../../src/main/adapters/lancedb/case-table'
import { inTempFolder, wordEmbedder } from '../../main/memory-store/fixtures'

const WORDS =
  'booking bookings cancelled cancelling invoice invoices paid order orders status refund ticket flight fast repair shop depot claim'.split(
    ' ',
  )

describe('words in memory', () => {
  it.each([
    ['caresses', 'caress'],
    ['ponies', 'poni'],
    ['plastered', 'plaster'],
    ['motoring', 'motor'],
    ['hopping', 'hop'],
    ['relational', 'relat'],
    ['generalizations', 'gener'],
    ['went', 'go'],
    ['children', 'child'],
    ['sky', 'sky'],
    ['order7', 'order7'],
    ['книгами', 'книг'],
  ])('%s is %s', (word, root) => expect(stem(word)).toBe(root))

  it('weighs words that say little less, and knows a few that say the same', () => {
    const kinds = termsOf('How did the car get there?').map(({ term, kind }) => `${kind} ${term}`)
    expect(kinds.slice(0, 6)).toEqual([
      'stop ~how',
      'stop ~did',
      'stop ~the',
      'word car',
      'word get',
      'stop ~there',
    ])
    const search = new WordSearch()
    const told = search.add('We went by automobile.')
    const noise = search.add('How did the what when where do the.')
    const [first, second] = search.match('How did the car go?', 9).sort((a, b) => b.score - a.score)
    expect([first?.row, second?.row]).toEqual([told, noise])
  })

  it('finds words in scripts without blanks', () => {
    const search = new WordSearch()
    const database = search.add('数据库里有多少订单')
    search.add('今天天气很好')
    expect(search.match('订单', 9).map(({ row }) => row)).toEqual([database])
  })

  it('scores rows as the index on disk does', () =>
    inTempFolder(async (folder) => {
      const rng = createRng('as on disk')
      const embedder = wordEmbedder(16)
      const table = await openCaseTable(folder, { dimension: 16, exactRows: 1000, create: true })
      const own = new WordSearch(0.75)
      const rows: CaseRow[] = []
      for (let n = 0; n < 150; n++) {
        const state = Array.from({ length: 3 + rng.int(20) }, () => rng.pick(WORDS)).join(' ')
        const [vector = new Float32Array()] = await embedder.embed([state])
        rows.push({ id: `r${n}`, vector, state, environment: 'e', reward: 1, createdAt: '', deleted: false })
        own.add(state)
      }
      await table.add(rows)
      await table.indexWords()
      for (const query of [
        'booking',
        'the paid invoice and a flight',
        'cancel paid invoice',
        'fast flights',
        'my airplane',
      ]) {
        const onDisk = new Map((await table.match(query, 150, {})).map(({ id, score }) => [id, score]))
        const here = own.match(query, 150).map(({ row, score }) => ({ id: `r${row}`, score }))
        expect(here.map(({ id }) => id).sort()).toEqual([...onDisk.keys()].sort())
        // LanceDB counts in 32 bits.
        for (const { id, score } of here)
          expect(Math.abs(score / (onDisk.get(id) ?? 0) - 1)).toBeLessThan(1e-4)
      }
      table.close()
    }))
})
