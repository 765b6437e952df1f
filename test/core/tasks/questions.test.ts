import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseStream } from '../../../src/core/streams/parse-stream'
import { gaiaMatch, gaiaPublishedMatch } from '../../../src/core/tasks/qa/gaia'
import { gradeAnswer } from '../../../src/core/tasks/qa/grade'
import { LoamError } from '../../../src/shared/errors'
import { scriptedModel } from '../methods/fixtures'

const lines = (...rows: unknown[]) => rows.map((row) => JSON.stringify(row)).join('\n')

test('reads DeepResearcher and GAIA rows side by side and reports bad ones by line', () => {
  const { tasks, reading } = parseStream(
    lines(
      {
        question: 'Who?',
        ground_truth: 'Ada<|answer_split|> Ada Lovelace <|answer_split|>',
        data_source: 'nq',
      },
      { question: 'When?', ground_truth: null },
      { task_id: 'g1', Question: 'How many?', Level: '2', 'Final answer': 17, file_name: 'a.csv' },
      { task_id: 'g2', Question: 'And?', Level: 1, 'Final answer': '?', file_name: '' },
      { task_id: 'g3', Question: 'Out?', Level: 1, 'Final answer': 'x', file_name: '../secret' },
    ),
    'mixed.jsonl',
  )
  expect(tasks.map(({ id, environment, skills }) => [id, environment, skills])).toEqual([
    ['0', 'qa', ['nq']],
    ['g1', 'qa', ['level 2']],
    ['g2', 'qa', ['level 1']],
  ])
  expect(tasks.map(({ payload }) => payload)).toMatchObject([
    { references: ['Ada', 'Ada Lovelace'], scorer: 'open', dataset: 'nq' },
    { references: ['17'], scorer: 'gaia', level: 2, attachments: [{ name: 'a.csv' }] },
    { references: [], attachments: [] },
  ])
  expect(reading.left.map(({ line }) => line)).toEqual([2, 5])
})

const released = resolve('../shared/data/memento/deepresearcher.jsonl')
test.skipIf(!existsSync(released))(
  'reads all 1500 released DeepResearcher questions (needs ../shared)',
  () => {
    const { tasks, reading } = parseStream(readFileSync(released, 'utf8'), released)
    expect([tasks.length, reading.left]).toEqual([1500, []])
    expect(new Set(tasks.flatMap(({ skills }) => skills)).size).toBe(7)
  },
)

test.each([
  ['$1,234.50', '1234.5', 1],
  ['17 %', '17', 1],
  ['about 17', '17', 0],
  ['The Eiffel Tower.', 'eiffel tower', 1],
  ['St. Petersburg', 'Saint Petersburg', 0],
  ['apples; 3,pears', 'Apples, 3, Pears', 1],
  ['pears, apples', 'apples, pears', 0],
  ['a, b', 'a, b, c', 0],
  ['b.e', 'b,e', 0],
] as const)('GAIA scores %j against %j as %i', (answer, reference, score) => {
  expect(gaiaMatch(answer, reference)).toBe(score)
})

test("GAIA's published scorer keeps articles, and both stand beside each other in a grade", async () => {
  expect(gaiaPublishedMatch('The Eiffel Tower', 'Eiffel Tower')).toBe(0)
  expect(gaiaPublishedMatch('the eiffel tower.', 'The Eiffel Tower')).toBe(1)
  expect(gaiaPublishedMatch('$1,234', '1234')).toBe(1)
  expect(gaiaPublishedMatch('b, 3', 'b; 3.0')).toBe(1)
  const entry = { references: ['Eiffel Tower'], scorer: 'gaia' as const }
  expect(await gradeAnswer('What?', entry, 'the Eiffel Tower', null)).toMatchObject({
    grades: { em: 1, gaia: 0 },
    reward: 1,
  })
})

describe('a grade', () => {
  const entry = { references: ['Ada Lovelace', 'Lovelace'], scorer: 'open' as const }
  const judgeOf = (...replies: string[]) => ({
    model: scriptedModel(replies),
    template: '{{question}} {{reference}} {{answer}}',
  })

  test('is exact match unless a judge is asked, whose "correct" alone counts', async () => {
    expect(await gradeAnswer('Who?', entry, 'the Lovelace', null)).toEqual({
      grades: { em: 1, f1: 1, pm: null },
      reward: 1,
    })
    const loose = await gradeAnswer(
      'Who?',
      entry,
      'Countess Lovelace',
      judgeOf('{"rationale":"same","judgement":"correct"}'),
    )
    expect(loose).toMatchObject({ grades: { em: 0, pm: 1, rationale: 'same' }, reward: 1 })
    const partly = await gradeAnswer(
      'Who?',
      entry,
      'Ada',
      judgeOf('{"rationale":"","judgement":"incorrect"}'),
    )
    expect(partly).toMatchObject({ grades: { pm: 0 }, reward: 0 })
    expect(partly.ungraded).toBeUndefined()
  })

  test('is none where nobody can judge: never a failure to learn from', async () => {
    const unknown = await gradeAnswer('Who?', { ...entry, references: [] }, 'Ada', null)
    expect(unknown).toMatchObject({ grades: null, ungraded: expect.any(String) as string })
    const mute = await gradeAnswer('Who?', entry, 'Ada', judgeOf('what?', 'hm'))
    expect(mute.ungraded).toContain('could not be read')
    const model = scriptedModel([])
    model.generate = () => Promise.reject(new LoamError('ENGINE_DIED', 'It stopped.', { suggestion: '' }))
    const gone = await gradeAnswer('Who?', entry, 'Ada', { model, template: '' })
    expect(gone).toMatchObject({ grades: { em: 0 }, ungraded: 'The judge could not be asked: It stopped.' })
  })

  test('without a judge that can judge is whether the answer states a known one; a long one stays ungraded', async () => {
    const by = 'stated' as const
    const stated = await gradeAnswer('Who?', entry, 'She is Ada Lovelace.', null, { by })
    expect(stated).toEqual({ grades: { em: 0, f1: 2 / 3, pm: 1 }, reward: 1 })
    expect(await gradeAnswer('Who?', entry, 'Babbage', null, { by })).toMatchObject({ reward: 0 })
    const long = { ...entry, references: ['one two three four five six seven'] }
    expect((await gradeAnswer('Who?', long, 'one two', null, { by })).ungraded).toContain(
      'too small to judge',
    )
  })

  test('of no answer is wrong without asking a judge', async () => {
    expect(await gradeAnswer('Who?', entry, null, judgeOf())).toMatchObject({ reward: 0, grades: { pm: 0 } })
  })
})
