import { describe, expect, it } from 'vitest'
import { stem, termsOf } from '../../../src/core/retrieval/terms'
import { WordIndex } from '../../../src/core/retrieval/word-index'
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
    const index = new WordIndex()
    index.set('told', 'We went by automobile.')
    index.set('noise', 'How did the what when where do the.')
    const [first, second] = index.match('How did the car go?', () => true).sort((a, b) => b.score - a.score)
    expect(first?.id).toBe('told')
    expect(second?.id).toBe('noise')
  })

  it('finds words in scripts without blanks', () => {
    const index = new WordIndex()
    index.set('database', '数据库里有多少订单')
    index.set('weather', '今天天气很好')
    expect(index.match('订单', () => true).map(({ id }) => id)).toEqual(['database'])
  })

  it('answers the same whatever came and went on the way', () => {
    const rng = createRng('words')
    const texts = Array.from({ length: 200 }, () =>
      Array.from({ length: 12 }, () => rng.pick(WORDS)).join(' '),
    )
    const plain = new WordIndex()
    texts.forEach((text, i) => {
      plain.set(`r${i}`, text)
    })
    const moved = new WordIndex()
    for (const [i, text] of [...texts.entries()].reverse()) moved.set(`r${i}`, `other ${text}`)
    for (let i = 0; i < 50; i++) moved.set(`gone${i}`, 'booking')
    texts.forEach((text, i) => {
      moved.set(`r${i}`, text)
    })
    for (let i = 0; i < 50; i++) moved.delete(`gone${i}`)
    const answer = (index: WordIndex) =>
      index
        .match('cancel a paid booking', () => true)
        .map(({ id, score }) => `${id} ${score.toFixed(12)}`)
        .sort()
    expect(answer(moved)).toEqual(answer(plain))
    expect(moved.size).toBe(200)
  })

  it('scores rows as the index on disk does', () =>
    inTempFolder(async (folder) => {
      const rng = createRng('as on disk')
      const embedder = wordEmbedder(16)
      const table = await openCaseTable(folder, { dimension: 16, exactRows: 1000, create: true })
      const own = new WordIndex(0.75)
      const rows: CaseRow[] = []
      for (let n = 0; n < 150; n++) {
        const state = Array.from({ length: 3 + rng.int(20) }, () => rng.pick(WORDS)).join(' ')
        const [vector = new Float32Array()] = await embedder.embed([state])
        rows.push({ id: `r${n}`, vector, state, environment: 'e', reward: 1, createdAt: '', deleted: false })
        own.set(`r${n}`, state)
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
        const here = own.match(query, () => true)
        expect(here.map(({ id }) => id).sort()).toEqual([...onDisk.keys()].sort())
        // LanceDB counts in 32 bits.
        for (const { id, score } of here)
          expect(Math.abs(score / (onDisk.get(id) ?? 0) - 1)).toBeLessThan(1e-4)
      }
      table.close()
    }))
})
