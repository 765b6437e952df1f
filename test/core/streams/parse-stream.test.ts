import { describe, expect, it } from 'vitest'
import { parseStream } from '../../../src/core/streams/parse-stream'
import { listStreams, openStream } from '../../../src/core/streams/stream-library'

const entry = (over: Record<string, unknown> = {}) => ({
  instruction: 'How many?',
  answer_info: { sql: 'SELECT COUNT(*) FROM t', md5: null, direct: [[1]] },
  table_info: { name: 't', column_info_list: [{ name: 'a', type: 'INT' }], row_list: [[1]] },
  skill_list: ['select'],
  ...over,
})
const lines = (...rows: unknown[]) =>
  rows.map((row) => (typeof row === 'string' ? row : JSON.stringify(row))).join('\n')
const header = {
  stream: { id: 'house', title: 'House', description: 'd', environment: 'lab-db', demo: true },
}

describe('reading a stream', () => {
  it('reads an object by number, an array and JSONL alike', () => {
    const two = [entry({ sample_index: 0 }), entry({ sample_index: 1 })]
    const texts = [JSON.stringify({ 0: two[0], 1: two[1] }), JSON.stringify(two), lines(...two)]
    for (const text of texts) expect(parseStream(text, 'x').tasks.map((task) => task.id)).toEqual(['0', '1'])
  })

  it('reads a header line, and a stream of one line', () => {
    const parsed = parseStream(lines(header, entry({ id: 'h-1' })), 'x')
    expect(parsed.header).toEqual(header.stream)
    expect(parsed.tasks.map((task) => [task.id, task.index])).toEqual([['h-1', 0]])
    expect(parseStream(lines(entry()), 'x').tasks).toHaveLength(1)
  })

  it('skips bad rows and says where and why', () => {
    const narrow = entry({ table_info: { ...entry().table_info, row_list: [[1], [1, 2]] } })
    const twice = entry({ extra_tables: [{ ...entry().table_info, name: 'T' }] })
    const text = lines(
      header,
      entry({ id: 'a' }),
      '{broken',
      '',
      narrow,
      entry({ id: 'a' }),
      entry({ instruction: '' }),
      twice,
    )
    const { tasks, reading } = parseStream(text, 'x')
    expect(tasks).toHaveLength(1)
    expect(reading.left.map((row) => row.line)).toEqual([3, 5, 6, 7, 8])
    expect(reading.left.map((row) => row.why)).toEqual([
      expect.stringContaining('not JSON'),
      'table_info.row_list.1: has 2 cells for 1 columns',
      'the id a is already taken by an earlier task',
      expect.stringContaining('instruction'),
      'extra_tables: has the table T twice',
    ])
  })

  const many = Array.from({ length: 200 }, (_, i) =>
    entry({ id: `t${i}`, instruction: `count the rows of "T" ${i}` }),
  )
  it.each([
    ['array', JSON.stringify(many)],
    ['indented array', JSON.stringify(many, null, 2)],
    ['object', JSON.stringify(Object.fromEntries(many.entries()))],
    ['indented object', JSON.stringify(Object.fromEntries(many.entries()), null, 2)],
  ])('one missing quote in an %s of 200 entries costs one entry, with its place', (form, text) => {
    const broken = text.replace(String.raw`of \"T\" 120"`, String.raw`of \"T\" 120`)
    const { tasks, reading } = parseStream(broken, 'x')
    expect(tasks).toHaveLength(199)
    expect(reading).toMatchObject({
      rows: 200,
      imported: 199,
      left: [{ entry: 121, why: expect.stringMatching(/^it is broken: /) as string }],
    })
    const [first] = reading.left
    if (form.startsWith('indented')) expect(broken.split('\n')[(first?.line ?? 0) - 1]).toContain('{')
    // A file that was cut off gives what is whole.
    const cut = parseStream(text.slice(0, text.length / 2), 'x').reading
    expect(cut.imported).toBeGreaterThan(95)
    expect(cut.left.map(({ why }) => why)).toEqual(['it is broken: the file ends within it'])
  })

  it.each(['', '[]', '{}', 'hello', '[1, 2]', '{"stream": 3}'])(
    'refuses a file without tasks: %j',
    (text) => {
      expect(() => parseStream(text, 'file.jsonl')).toThrowError(/file\.jsonl/)
    },
  )
})

describe('the stream library', () => {
  const stream = (id: string, source: 'bundled' | 'file', ids: string[], head: unknown[] = []) =>
    openStream({ id, source, text: lines(...head, ...ids.map((each) => entry({ id: each }))) })

  it('describes files by path and bundled streams by header', () => {
    expect(stream('/data/my.jsonl', 'file', ['1']).info).toMatchObject({
      id: '/data/my.jsonl',
      title: 'my',
      demo: false,
      tasks: 1,
    })
    expect(stream('x', 'bundled', ['1'], [header]).info).toMatchObject({
      id: 'house',
      title: 'House',
      demo: true,
      skills: ['select'],
    })
  })

  it('lists a person’s own streams first, then those of the demo', () => {
    const infos = [
      stream('b', 'file', ['1']),
      stream('a', 'bundled', ['1']),
      stream('z', 'bundled', ['1'], [header]),
    ].map((s) => s.info)
    expect(listStreams(infos).map((info) => info.id)).toEqual(['b', 'house', 'a'])
  })
})
