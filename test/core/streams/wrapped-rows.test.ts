import { describe, expect, it } from 'vitest'
import { guessColumns, ownStream } from '../../../src/core/streams/own-tasks'
import { readTable } from '../../../src/core/streams/tables'
import { parseStream } from '../../../src/core/streams/parse-stream'

const qas = [
  { id: 'q1', question: 'What are ferns?', answers: [{ text: 'old plants', answer_start: 10 }] },
  { id: 'q2', question: 'Why?', answers: [], is_impossible: true },
]
const question = {
  stem: 'Which?',
  choices: [
    { text: 'moss', label: 'A' },
    { text: 'fern', label: 'B' },
  ],
}

/** Files in the shapes that data sets and programs publish; every word is made up. */
const FILES: readonly (readonly [string, unknown, string, readonly string[]])[] = [
  [
    'SQuAD',
    { version: 'v2.0', data: [{ title: 'Ferns', paragraphs: [{ context: 'Ferns are old plants.', qas }] }] },
    'Ferns are old plants.\n\nWhat are ferns?',
    ['old plants'],
  ],
  ['ARC', { id: 'M1', question, answerKey: 'B' }, 'Which?', ['B', 'fern']],
  ['GSM8K', { question: 'How many?', answer: '3 + 4 = 7\n#### 7' }, 'How many?', ['7']],
  [
    'LangSmith',
    [{ id: 'e1', dataset_id: 'd', inputs: { question: 'How?', user: 'x' }, outputs: { answer: 'So.' } }],
    'How?',
    ['So.'],
  ],
  [
    "OpenAI's evals",
    {
      input: [
        { role: 'system', content: 'Add.' },
        { role: 'user', content: '2 + 2?' },
      ],
      ideal: ['4', 'four'],
    },
    'Add.\n\n2 + 2?',
    ['4', 'four'],
  ],
  ["Inspect's samples", { input: [{ role: 'user', content: '2 + 2?' }], target: '4' }, '2 + 2?', ['4']],
  ["OpenAI's evals with a text", { input: '2 + 2?', ideal: '4' }, '2 + 2?', ['4']],
  [
    "LangSmith's chats",
    {
      inputs: { messages: [{ role: 'user', content: 'How?' }] },
      outputs: { messages: [{ role: 'assistant', content: 'So.' }] },
    },
    'How?',
    ['So.'],
  ],
  [
    "SQuAD's rows as a table exports them",
    {
      context: 'Ferns are old plants.',
      question: 'What are ferns?',
      answers: "{'text': array(['old plants'], dtype=object), 'answer_start': array([10], dtype=int32)}",
    },
    'Ferns are old plants.\n\nWhat are ferns?',
    ['old plants'],
  ],
  ["ARC's tables", { question: 'Which? (A) moss (B) fern', AnswerKey: 'B' }, 'Which? (A)', ['B', 'fern']],
  [
    'rows of the Hugging Face viewer',
    {
      features: [{ name: 'question' }],
      rows: [{ row_idx: 0, row: { question: '2 + 2?', answer: '4' }, truncated_cells: [] }],
      num_rows_total: 1,
    },
    '2 + 2?',
    ['4'],
  ],
]

it.each(FILES)('%s is read as published', (_, file, asked, references) => {
  const { tasks } = parseStream(`${JSON.stringify(file)}\n`, 'file')
  expect(tasks).toHaveLength(1)
  expect(tasks[0]?.instruction.startsWith(asked)).toBe(true)
  expect(tasks[0]?.payload).toMatchObject({ references })
})

it('says why a question within a file is none', () => {
  const file = { data: [{ title: 'Ferns', paragraphs: [{ context: 'Ferns are old plants.', qas }] }] }
  expect(parseStream(JSON.stringify(file), 'file').reading.left).toMatchObject([
    { why: 'the text does not answer this question' },
  ])
})

it.each([
  ['ARC-AGI', { train: [{ input: [[1]], output: [[2]] }], test: [{ input: [[1]], output: [[2]] }] }],
  ['ATIF', { schema_version: 'ATIF-v1.4', session_id: 's', agent: { name: 'a' }, steps: [] }],
  ['prompts and completions', { prompt: 'Once upon', completion: 'a time' }],
  ['preferences', { question: 'Which?', chosen: 'a', rejected: 'b' }],
  ['examples with several inputs', [{ id: 'e', inputs: { a: 'x', b: 'y' }, outputs: { answer: 'z' } }]],
])('%s is declined with what was seen', (_, file) => {
  expect(() => parseStream(JSON.stringify(file), 'file')).toThrow(/holds no usable task; Line 1.*: it/)
})

const refuses = (text: string) => {
  try {
    parseStream(text, 'file')
  } catch (error) {
    return String(error)
  }
  throw new Error('it was read')
}

describe('tasks without answers', () => {
  it.each([
    ['lines that ask', 'What is soil, and why?\n\nWho wrote Faust?\n'],
    ['numbers', '1. Write a song.\n2) Name three ferns\n'],
    ['marks', '- What is soil?\n* Name three ferns\n'],
    ['texts in JSON', '["What is soil?", "Who wrote Faust?"]'],
    ['questions alone', '{"id": 1, "question": "What is soil?"}\n{"id": 2, "question": "Why?"}\n'],
    ['a table', 'id,question,category\n1,What is soil?,earth\n2,Why?,life\n'],
    [
      "LangSmith's",
      '{"inputs": {"question": "What?"}, "outputs": null}\n{"inputs": {"question": "Why?"}, "outputs": {}}',
    ],
  ])('%s: they are read, and nothing grades them', (_, text) => {
    const { tasks, reading } = parseStream(text, 'file')
    expect(tasks).toHaveLength(2)
    for (const { payload } of tasks) expect(payload).toMatchObject({ references: [] })
    expect(reading.notes).toEqual(['No task comes with an answer, so none is graded.'])
  })

  it.each(['Once there was a fern.\nIt grew, and grew.\n', 'a: 1\nb: 2\n', '- vars: 1\n- vars: 2\n'])(
    'other text is declined with what was seen',
    (text) => expect(refuses(text)).toMatch(/it is text that begins ".*", and neither a table nor JSON/),
  )
})

it.each([
  'My questions 2026\t\t\n\nQuestion\tAnswer\tKind\nWhat?\tThis\ta\nWhy?\tThat\tb\n',
  'My questions, all of them,,\nQuestion,Answer,Kind\nWhat?,This,a\nWhy?,That,b\n'.replace(
    ', all of them',
    '',
  ),
  'My questions,,\r\n,,\r\nNr,Question,Answer\r\n1,What?,This\r\n2,"Why?","That, so"\r\n',
  'Sheet for 2026\nQuestion;Answer;Kind\nWhat?;This;a\nWhy?;That;b\n',
])('a title above a table is none of its rows', (text) => {
  const { tasks, places } = parseStream(text, 'file')
  expect(tasks.map(({ instruction }) => instruction)).toEqual(['What?', 'Why?'])
  expect(text.split('\n')[(places[0]?.line ?? 0) - 1]).toContain('What?')
})

describe('rows as tasks of your own', () => {
  const kept = (file: unknown, answer: string) => {
    const table = readTable(JSON.stringify(file))
    const columns = {
      ...guessColumns(table.columns),
      question: 'question',
      answer,
      files: null,
      skill: null,
      id: null,
    }
    const header = { id: 'x', title: 'X', version: 1, files: null, documents: [] }
    return parseStream(ownStream(table, columns, { kind: 'exact', caseMatters: false }, header), 'x')
  }
  it("keep SQuAD's passage and answer, and ARC's choices", () => {
    const squad = {
      data: [{ title: 'Ferns', paragraphs: [{ context: 'Ferns are old plants.', qas: qas.slice(0, 1) }] }],
    }
    expect(kept(squad, 'answers').tasks).toMatchObject([
      { instruction: 'Ferns are old plants.\n\nWhat are ferns?', payload: { references: ['old plants'] } },
    ])
    expect(kept({ id: 'M1', question, answerKey: 'B' }, 'answerKey').tasks).toMatchObject([
      { instruction: expect.stringContaining('B. fern') as string, payload: { references: ['B', 'fern'] } },
    ])
  })
  it('decline an object for an answer', () => {
    expect(() => kept([{ question: 'Q?', answer: { odd: 1 } }], 'answer')).toThrow(
      /its answer is an object: \{"odd":1\}/,
    )
  })
})
