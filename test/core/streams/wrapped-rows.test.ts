import { expect, it } from 'vitest'
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
  [
    'HumanEval',
    { task_id: 'HumanEval/0', prompt: 'def f(x):', entry_point: 'f', canonical_solution: '', test: '' },
  ],
  ['ARC-AGI', { train: [{ input: [[1]], output: [[2]] }], test: [{ input: [[1]], output: [[2]] }] }],
  ['promptfoo', { prompts: ['{{q}}'], tests: [{ vars: { q: '2 + 2?' } }] }],
  ['examples with several inputs', [{ id: 'e', inputs: { a: 'x', b: 'y' }, outputs: { answer: 'z' } }]],
])('%s is declined with what was seen', (_, file) => {
  expect(() => parseStream(JSON.stringify(file), 'file')).toThrow(/holds no usable task; Line 1.*: it/)
})
