import { describe, expect, test } from 'vitest'
import type { GuideText, GuideVersion, Insight } from '../../../../src/shared/domain/guide'
import {
  attribute,
  guideText,
  editedConstraints,
  enforce,
  lostParticulars,
  particulars,
} from '../../../../src/core/memory/guides/guide'
import {
  documentForm,
  parseRubrics,
  rubricForm,
  SHORT_DOCUMENT,
} from '../../../../src/core/methods/brew/messages'
import { clusterConcepts, editConcepts } from '../../../../src/core/methods/brew/concepts'
import { guidePart, rankGuides } from '../../../../src/core/methods/brew/retrieve'
import { wordEmbedder } from '../../../main/memory-store/fixtures'
import { shippedPrompts } from '../../methods/fixtures'

const text = (howToUse: string, bestPractices = ''): GuideText => ({
  context: '',
  howToUse,
  whenToUse: '',
  bestPractices,
})
const insight = (n: number, said: string, concept = 'visits'): Insight => ({
  id: `i${n}`,
  concept,
  text: said,
  trajectoryId: `t${n}`,
  taskId: `task-${n}`,
  reward: 1,
})

describe('the zero-loss check', () => {
  test('finds code, numbers, paths, options and codes in capitals', () => {
    expect([
      ...particulars('Run `ls -l` in /var/log/app.log with --all; price 1.5, cancelled K, 85% of I.'),
    ]).toEqual(['`ls -l`', '/var/log/app.log', '--all', '1.5', '85%', 'K'])
  })

  test('flags what a new version lost, and nothing else', () => {
    const before = text('Nectar rules: virtual 85, price cents.', 'See /data/codes.csv.')
    expect(lostParticulars(before, text('Nectar rules: virtual 85, spend units.'))).toEqual([
      '/data/codes.csv',
    ])
    expect(lostParticulars(before, text('See /data/codes.csv: virtual is 85.'))).toEqual([])
    expect(lostParticulars(null, text('Anything.'))).toEqual([])
  })
})

describe('provenance', () => {
  test('a merged sentence rests on each insight it took over, and on no other', () => {
    const insights = [
      insight(1, 'Nectar rules: virtual 85, price cents.'),
      insight(2, 'Nectar rules: guided 12.'),
      insight(3, 'Nectar rules: visitor lower.'),
    ]
    const [first, second] = attribute(
      text('Nectar rules: virtual 85, price cents, guided 12. Be quick.'),
      insights,
      [],
    )
    expect(first).toMatchObject({ insights: ['i1', 'i2'], trajectories: ['t1', 't2'], byHand: false })
    expect(second?.insights).toEqual([])
  })

  test('a sentence that stayed keeps what it rested on', () => {
    const before = attribute(text('Virtual is 85.'), [insight(1, 'Virtual is 85.')], [])
    expect(attribute(text('Virtual is 85. Guided is 12.'), [], before)[0]?.insights).toEqual(['i1'])
  })
})

describe('hand edits', () => {
  const version = (written: GuideText): GuideVersion => ({
    id: 'v1',
    conceptId: 'c',
    concept: 'Nectar visits',
    environment: 'lab-db',
    buildId: 'b',
    parent: null,
    text: written,
    sentences: attribute(written, [], []),
    lost: [],
    restored: [],
    constraints: { keep: [], drop: [] },
    createdAt: '',
  })

  test('what was added is put back, what was removed is taken out again', () => {
    const constraints = editedConstraints(
      version(text('Virtual is 85. Guided is 12.')),
      text('Virtual is 85. Never guess.'),
    )
    expect(constraints).toEqual({
      keep: [{ section: 'howToUse', text: 'Never guess.' }],
      drop: ['Guided is 12.'],
    })
    const { text: enforced, restored } = enforce(
      text('Virtual is 85. Guided is 12. Private is 3.'),
      constraints,
    )
    expect(enforced.howToUse).toBe('Virtual is 85. Private is 3.\nNever guess.')
    expect(restored).toEqual(['Guided is 12.', 'Never guess.'])
  })
})

describe('concepts (algorithm 3)', () => {
  const cluster = (names: readonly string[], known: Parameters<typeof clusterConcepts>[2] = []) =>
    clusterConcepts(
      wordEmbedder(256),
      names.map((name, n) => insight(n, `About ${name}.`, name)),
      known,
      { environment: 'lab-db', mergeBelow: 0.4, most: 12, idOf: (n) => `c${n}` },
    )

  test('names of one thing are one concept, called by the one nearest to the middle', async () => {
    const concepts = await cluster(['Nectar visits', 'nectar visits', 'Nectar visits table', 'Amber orders'])
    expect(concepts.map(({ name, insights }) => [name, insights.length])).toEqual([
      ['Nectar visits', 3],
      ['Amber orders', 1],
    ])
  })

  test('a concept that is known goes on under its id and name', async () => {
    const [first] = await cluster(
      ['visits table nectar'],
      [{ id: 'old', name: 'Nectar visits table', members: [] }],
    )
    expect(first).toMatchObject({ id: 'old', name: 'Nectar visits table' })
  })

  test('merge, split and rename by a person', async () => {
    const insights = ['a one', 'b two'].map((name, n) => insight(n, 'Said.', name))
    const concepts = await cluster(['a one', 'b two'])
    const [merged, ...none] = editConcepts(concepts, { kind: 'merge', into: 'c0', from: 'c1' }, insights)
    expect(none).toEqual([])
    expect(merged?.insights).toEqual(['i0', 'i1'])
    const split = editConcepts(
      merged ? [merged] : [],
      { kind: 'split', conceptId: 'c0', members: ['b two'], name: 'B' },
      insights,
    )
    expect(split.map(({ name, insights: own }) => [name, own])).toEqual([
      ['a one', ['i0']],
      ['B', ['i1']],
    ])
    expect(() => editConcepts(concepts, { kind: 'rename', conceptId: 'gone', name: 'x' }, insights)).toThrow(
      /no concept gone/,
    )
  })
})

test('documents are found by words and meaning, and shown as Markdown', async () => {
  const documents = ['visits', 'orders'].map((name) => ({
    id: name,
    conceptId: name,
    concept: `Nectar ${name}`,
    text: text(`Rules of ${name}.`),
  }))
  const [best] = await rankGuides(wordEmbedder(256), 'How many orders are paid?', documents)
  expect(best?.document.id).toBe('orders')
  expect(best && guidePart(best).text).toBe('# Nectar orders\n\n## How to use\nRules of orders.')
})

test('forms refuse what is not what was asked for', () => {
  const rubrics = parseRubrics(shippedPrompts.text('rubrics-lab-db'))
  expect(rubrics.map(({ id }) => id)).toEqual(['looks-up', 'runs-before-answering', 'keeps-form'])
  const score = (rubric: string, value: number) => ({ rubric, score: value, reason: 'So.' })
  const form = rubricForm(rubrics.slice(0, 2))
  expect(form.read({ scores: [score('runs-before-answering', 2), score('looks-up', 5)] })).toEqual([
    score('looks-up', 5),
    score('runs-before-answering', 2),
  ])
  // One that was forgotten, or is none, takes the others with it no more.
  expect(form.read({ scores: [score('looks-up', 5), score('looks-up', 5)] })).toEqual([score('looks-up', 5)])
  expect(form.read({ scores: [score('looks-up', 6), score('runs-before-answering', 1)] })).toEqual([
    score('runs-before-answering', 1),
  ])
  expect(form.read({ scores: [score('looks-up', 6)] })).toBeUndefined()
  const written = { context: '', how_to_use: 'Line one.\nLine two.', when_to_use: '', best_practices: '' }
  expect(documentForm(SHORT_DOCUMENT).read(written)).toEqual(text('Line one.\nLine two.'))
  expect(documentForm(SHORT_DOCUMENT).read({ ...written, how_to_use: ' ' })).toBeNull()
  expect(guideText('A', text('B'))).toContain('## How to use\nB')
})
