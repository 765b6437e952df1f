import { describe, expect, test } from 'vitest'
import { guessColumns, ownStream, previewTable } from '../../../src/core/streams/own-tasks'
import { parseStream } from '../../../src/core/streams/parse-stream'
import { passes, readJsonPath } from '../../../src/core/tasks/qa/check'
import { looksTabular, readTable } from '../../../src/core/streams/tables'
import { answerCheckSchema } from '../../../src/shared/domain/answer-check'

const check = (given: unknown) => {
  const read = answerCheckSchema.parse(given)
  if (read.kind === 'judge') throw new Error('not for here')
  return (answer: string, ...references: string[]) => passes(read, answer, references, null)
}

describe('checks', () => {
  test('exact, one of, numbers', async () => {
    expect(await check({ kind: 'exact' })(' PARIS ', 'Paris')).toBe(true)
    expect(await check({ kind: 'exact', caseMatters: true })('PARIS', 'Paris')).toBe(false)
    expect(await check({ kind: 'exact' })('the Paris', 'Paris')).toBe(false)
    expect(await check({ kind: 'one-of' })('roma', 'Rome | Roma')).toBe(true)
    expect(await check({ kind: 'one-of' })('', 'Rome | Roma |')).toBe(false)
    const near = check({ kind: 'number', tolerance: 0.05, relative: true })
    expect([await near('$1,040', '1000'), await near('1051', '1000'), await near('many', '1000')]).toEqual([
      true,
      false,
      false,
    ])
    expect(await check({ kind: 'number', tolerance: 0.1 })('0.3', '0.2')).toBe(true)
  })

  test('a place in JSON, also out of a fenced block; other JSON and other places fail', async () => {
    const at = check({ kind: 'json-path', path: '$.items[1]["full name"]' })
    const json = '{"items": [{}, {"full name": "Ada"}]}'
    expect([await at(json, 'Ada'), await at(`Here:\n\`\`\`json\n${json}\n\`\`\``, 'Ada')]).toEqual([
      true,
      true,
    ])
    expect([await at('{"items": []}', 'Ada'), await at('Ada', 'Ada')]).toEqual([false, false])
    expect(await check({ kind: 'json-path', path: '$' })('{"b":1,"a":[2]}', '{"a":[2],"b":1}')).toBe(true)
    expect([readJsonPath('a.b[0]'), readJsonPath('$..x'), readJsonPath('a b')]).toEqual([
      ['a', 'b', 0],
      null,
      null,
    ])
    expect(await check({ kind: 'json-path', path: 'constructor' })('{}', 'x')).toBe(false)
  })

  test('cells, row by row, numbers to two decimals', async () => {
    const cells = check({ kind: 'cells' })
    expect(await cells('Name,Sum\nAda,3.001', 'name\tsum\nAda\t3')).toBe(true)
    expect(await cells('Name,Sum', 'name\tsum\nAda\t3')).toBe(false)
  })
})

describe('tables', () => {
  test('quotes, line breaks, semicolons and short rows; where each row stands', () => {
    const table = readTable('\uFEFFTask;Result;Note\n"a ""b""\nc;d";1;\n;;\nx;2\ny;3;n;too much\n')
    expect(table.columns).toEqual(['Task', 'Result', 'Note'])
    expect(table.entries.map(({ place, value, problem }) => [place.line, value, problem])).toEqual([
      [2, { Task: 'a "b"\nc;d', Result: '1', Note: '' }, null],
      [5, { Task: 'x', Result: '2', Note: '' }, null],
      [6, undefined, 'it has 4 cells for 3 columns'],
    ])
  })
  test('prose and JSON are none', () => {
    for (const text of ['{"a": 1}\n{"a": 2}', '[1,\n2]', 'Words, and no rows', 'one\ntwo\nthree'])
      expect(looksTabular(text)).toBe(false)
  })
})

test('rows become a stream that is read again with its check, its kinds and its reasons', () => {
  const table = readTable('Aufgabe,Lösung,Art\nWie viele?,3,zählen\nUnd?,viele,zählen\n,4,\n')
  const columns = { question: 'Aufgabe', answer: 'Lösung', files: null, skill: 'Art', id: null }
  const header = { id: 'own-x-v2', title: 'X', version: 2, files: null, documents: ['a.pdf'] }
  const text = ownStream(table, columns, answerCheckSchema.parse({ kind: 'number', tolerance: 1 }), header)
  const { tasks, reading, header: read } = parseStream(text, 'x')
  expect(read).toMatchObject({ version: 2, check: { kind: 'number', tolerance: 1 } })
  expect(tasks.map(({ id, skills, payload }) => [id, skills, payload])).toEqual([
    [
      'row-2',
      ['zählen'],
      expect.objectContaining({ scorer: 'check', references: ['3'], attachments: [{ name: 'a.pdf' }] }),
    ],
  ])
  expect(reading.left.map(({ why }) => why)).toEqual([
    'its answer "viele" is no number',
    expect.stringContaining('question') as string,
  ])
  expect(() => ownStream(table, { ...columns, answer: 'gone' }, { kind: 'regex' }, header)).toThrow(
    'no column "gone"',
  )
})

test('a preview tells the form, guesses the columns, and passes on whose tasks it is', () => {
  const text = 'id,Question,Answer,Category\n1,Who?,Ada,people\n'
  const seen = previewTable(readTable(text), { environment: 'qa', tasks: 1 })
  expect(seen).toMatchObject({
    form: 'a table with commas between cells',
    rows: 1,
    guess: { id: 'id', question: 'Question', answer: 'Answer', skill: 'Category', files: null },
    known: { environment: 'qa', tasks: 1 },
  })
  expect(guessColumns(['Aufgabe', 'Lösung'])).toMatchObject({ question: 'Aufgabe', answer: 'Lösung' })
  const other = 'Aufgabe,Lösung\nWie viele?,3\n'
  expect(previewTable(readTable(other), null).known).toBeNull()
})
