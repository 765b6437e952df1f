import { describe, expect, test } from 'vitest'
import { parseStream } from '../../../src/core/streams/parse-stream'
import { readTable } from '../../../src/core/streams/tables'
import { gradeAnswer, isJudged } from '../../../src/core/tasks/qa/grade'
import { questionEntrySchema } from '../../../src/core/tasks/qa/entry'

const lines = (...rows: unknown[]) => rows.map((row) => JSON.stringify(row)).join('\n')
const only = (text: string) => {
  const { tasks, reading } = parseStream(text, 'file')
  expect(reading.left).toEqual([])
  expect(tasks).toHaveLength(1)
  const [task] = tasks
  if (!task) throw new Error('no task')
  return { ...task, entry: questionEntrySchema.parse(task.payload) }
}

describe('questions as they are published', () => {
  test('SimpleQA, a CSV with a Python dictionary in a cell', () => {
    const task = only(
      `metadata,problem,answer\n"{'topic': 'Science and technology', 'answer_type': 'Person', 'urls': ['https://a.b/c,d']}",Who won the prize in 2010?,Michio Sugeno\n`,
    )
    expect([task.environment, task.instruction, task.skills]).toEqual([
      'qa',
      'Who won the prize in 2010?',
      ['Science and technology'],
    ])
    expect(task.entry).toMatchObject({ references: ['Michio Sugeno'], scorer: 'open', dataset: 'simpleqa' })
    expect(isJudged(task.entry, 'auto')).toBe(true)
  })

  test('HLE: choices by letter, pictures left out with the reason', () => {
    const row = {
      id: 'h1',
      question: 'Which?\nA. x\nB. y',
      image: '',
      answer: 'B',
      answer_type: 'multipleChoice',
      category: 'Math',
    }
    const { tasks, reading } = parseStream(
      lines(
        row,
        { ...row, id: 'h2', image: 'data:image/png;base64,AA' },
        { ...row, id: 'h3', answer: '42', answer_type: 'exactMatch' },
      ),
      'hle',
    )
    expect(tasks.map(({ id, payload }) => [id, questionEntrySchema.parse(payload).scorer])).toEqual([
      ['h1', 'choice'],
      ['h3', 'open'],
    ])
    expect(reading.left).toMatchObject([{ line: 2, why: expect.stringContaining('picture') as string }])
  })

  test('GPQA: four choices in an order that stays, graded by letter or by text', async () => {
    const text =
      'Record ID,Question,Correct Answer,Incorrect Answer 1,Incorrect Answer 2,Incorrect Answer 3,High-level domain,Subdomain\n' +
      'rec1,"Two states, which?",10^-4 eV,10^-11 eV,10^-8 eV,10^-9 eV,Physics,"Physics, general"\n'
    const task = only(text)
    expect(only(text).instruction).toBe(task.instruction)
    const [letter = '', right = ''] = task.entry.references
    expect(task.instruction).toContain(`${letter}. ${right}`)
    expect(task.skills).toEqual(['Physics', 'Physics, general'])
    const reward = async (answer: string) => (await gradeAnswer('', task.entry, answer, null)).reward
    expect(
      await Promise.all(
        [letter, `(${letter})`, `${letter}. ${right}`, `The answer is ${letter}.`, right].map(reward),
      ),
    ).toEqual([1, 1, 1, 1, 1])
    const other = letter === 'A' ? 'B' : 'A'
    expect(await Promise.all([other, `(${other}) ${right}`, 'A thought'].map(reward))).toEqual([0, 0, 0])
    expect(isJudged(task.entry, 'auto')).toBe(false)
  })

  test('FRAMES, with a column that has no name and answers over several lines', () => {
    const task = only(
      '\tPrompt\tAnswer\twikipedia_link_1\treasoning_types\twiki_links\n0\tWho?\t"Jane\nBallou"\thttps://x\tMultiple constraints | Tabular reasoning\t[]\n',
    )
    expect(task.entry).toMatchObject({ references: ['Jane\nBallou'], dataset: 'frames' })
    expect(task.skills).toEqual(['Multiple constraints', 'Tabular reasoning'])
  })

  test("DeepResearcher's own rows, whatever shape the truth has", () => {
    const row = (ground_truth: unknown) => ({
      data_source: 'hotpotqa',
      prompt: [
        { role: 'system', content: 's' },
        { role: 'user', content: 'Where?' },
      ],
      ability: 'qa',
      reward_model: { style: 'rule', ground_truth },
      extra_info: { index: 3 },
    })
    const shapes = ['Rome<|answer_split|>Roma', ['Rome', 'Roma'], { target: ['Rome', 'Roma'] }]
    for (const shape of shapes) {
      const task = only(lines(row(shape)))
      expect([task.instruction, task.entry.references]).toEqual(['Where?', ['Rome', 'Roma']])
    }
  })

  test('a question and its answer, by any of the usual names', () => {
    for (const row of [
      { question: 'Q?', answer: 7 },
      { Question: 'Q?', Answer: '7' },
      { query: 'Q?', golden_answers: ['7'] },
      { question: 'Q?', answer: { value: '7', aliases: ['seven'] } },
    ])
      expect(only(lines(row)).entry.references[0]).toBe('7')
    const chosen = only(lines({ question: 'Q?', choices: ['x', 'y'], answer: 1 }))
    expect(chosen.entry).toMatchObject({ scorer: 'choice', references: ['B', 'y'] })
    expect(only('question;answer\n"a;b?";c\n').entry.references).toEqual(['c'])
  })
})

describe('a file in no known form', () => {
  const why = (text: string): string => {
    try {
      parseStream(text, 'mine')
    } catch (error) {
      return `${String(error)} ${(error as { suggestion?: string }).suggestion ?? ''}`
    }
    throw new Error('it was read')
  }
  test('is told what was seen and what is nearest, and no schema of something else', () => {
    expect(why(lines({ problem: 'x', hardness: 3 }))).toMatch(/problem, hardness; nearest to it is/)
    expect(why(lines({ colour: 'red', size: 3 }))).toMatch(/colour, size, none of which/)
    for (const text of ['colour,size\nred,3\n', lines({ colour: 'red' }), 'just words', '\u0000\u0001'])
      expect(why(text)).not.toMatch(/table_info|answer_info|db_bench/)
  })
})

describe('questions of other data sets', () => {
  const entryOf = (row: unknown) => {
    const { id, instruction, entry } = only(lines(row))
    return { id, instruction, references: entry.references, scorer: entry.scorer, dataset: entry.dataset }
  }

  test('a problem with its answer needs no metadata, and is not SimpleQA then', () => {
    const math = { problem: 'Convert.', solution: 'We have', answer: '(3, 4)', unique_id: 'test/1.json' }
    expect(entryOf(math)).toMatchObject({ id: 'test/1.json', references: ['(3, 4)'], dataset: null })
    const verified = {
      original_index: 5,
      problem: 'Who?',
      answer: 'Ada',
      topic: 'Art',
      answer_type: 'Person',
    }
    expect(entryOf(verified)).toMatchObject({ references: ['Ada'], dataset: 'simpleqa' })
  })

  test('choices in columns, as an object, with names of their own, and without a heading', () => {
    const shown = 'Which?\n\nA. one\nB. two\nC. three\n\nAnswer with the letter of the right choice.'
    const right = { instruction: shown, references: ['B', 'two'], scorer: 'choice' }
    const columns = { A: 'one', B: 'two', C: 'three' }
    expect(entryOf({ question: 'Which?', ...columns, answer: 'B' })).toMatchObject(right)
    expect(entryOf({ question: 'Which?', options: columns, answer: 'two' })).toMatchObject(right)
    expect(entryOf({ question: 'Which?', choices: "['one', 'two', 'three']", answer: 1 })).toMatchObject(
      right,
    )
    const named = { text: ['one', 'two', 'three'], label: ['1', '2', '3'] }
    expect(entryOf({ id: 'a', question: 'Which?', choices: named, answerKey: '2' })).toMatchObject(right)
    const { tasks } = parseStream('Which?,one,two,three,B\n"Or, which?",4,5,6,A\n', 'mmlu')
    expect(tasks.map(({ instruction }) => instruction)).toEqual([
      shown,
      'Or, which?\n\nA. 4\nB. 5\nC. 6\n\nAnswer with the letter of the right choice.',
    ])
  })

  test('other ways to say an answer, lists in cells, and the result of a worked solution', () => {
    const row = { question: 'When?', answer: '1999', answer_aliases: ['the year 1999'], _id: '5a' }
    expect(entryOf(row)).toMatchObject({ id: '5a', references: ['1999', 'the year 1999'] })
    expect(only('question,possible_answers\nJob?,"[""politician"", ""leader""]"\n').entry.references).toEqual(
      ['politician', 'leader'],
    )
    expect(entryOf({ Question: 'Who?', Answer: { Value: 'S', Aliases: ['L'] } }).references).toEqual([
      'S',
      'L',
    ])
    expect(entryOf({ question: 'How many?', answer: '48/2 = 24\n#### 24' }).references).toEqual(['24'])
    const read = { context: 'The Normans came.', question: 'Who?', answers: { text: ['Normans'] } }
    expect(entryOf(read)).toMatchObject({ instruction: 'The Normans came.\n\nWho?', references: ['Normans'] })
  })

  test('the question itself goes before a prompt that wraps it', () => {
    const row = {
      question: 'who got it',
      prompt: [{ role: 'user', content: 'Answer the given question. Question: who got it' }],
      reward_model: { ground_truth: { target: ['W'] } },
    }
    expect(entryOf(row)).toMatchObject({ instruction: 'who got it', references: ['W'] })
  })

  test('tables that are written column by column, and what stands above a heading', () => {
    const asked = (text: string) => parseStream(text, 'x').tasks.map(({ instruction }) => instruction)
    const lists = { question: ['One?', 'Two?'], answer: ['1', '2'] }
    expect(asked(JSON.stringify(lists))).toEqual(['One?', 'Two?'])
    // As pandas writes it.
    const numbered = { question: { 0: 'One?', 1: 'Two?' }, answer: { 0: '1', 1: '2' } }
    expect(asked(JSON.stringify(numbered))).toEqual(['One?', 'Two?'])
    expect(readTable(JSON.stringify(numbered)).columns).toEqual(['question', 'answer'])
    expect(asked('sep=;\r\nquestion;answer\r\nOne?;1\r\n')).toEqual(['One?'])
    expect(asked('# my tasks\n\nquestion,answer\n# sign?,1\n')).toEqual(['# sign?'])
    expect(asked('#,question,answer\n1,One?,1\n')).toEqual(['One?'])
    expect(readTable('Question\nWhat is soil?\nWhy, then?\n').entries).toMatchObject([
      { value: { Question: 'What is soil?' } },
      { value: { Question: 'Why, then?' } },
    ])
  })

  test('rows within an object, and rows that are published locked', () => {
    const rows = [
      { question: 'One?', answer: '1' },
      { question: 'Two?', answer: '2' },
    ]
    const { tasks } = parseStream(JSON.stringify({ version: '1', data: rows }, null, 2), 'data')
    expect(tasks.map(({ instruction }) => instruction)).toEqual(['One?', 'Two?'])
    expect(readTable(JSON.stringify({ data: rows })).entries).toHaveLength(2)
    expect(() => parseStream(lines({ problem: 'KzFhYg==', answer: 'aGk=', canary: 'c' }), 'b')).toThrow(
      'locked',
    )
  })
})
