import type { ParsedEntry } from '../ground/entries'
import { isRecord } from '../ground/record'

type Row = Readonly<Record<string, unknown>>

/** The rows of an answer of the Hugging Face viewer (`{"features": [...], "rows": [{"row": ...}]}`) as an object with that list alone; any other value as it is. */
export const viewerRows = (value: unknown): unknown =>
  isRecord(value) && Array.isArray(value['features']) && Array.isArray(value['rows'])
    ? { rows: value['rows'] }
    : value

/** The one text of an object that is asked, or answered: under one of these names, or the only one there is. */
function textOf(row: unknown, names: readonly string[]): string | null {
  if (typeof row === 'string') return row
  if (!isRecord(row)) return null
  const texts = Object.entries(row).filter((field): field is [string, string] => typeof field[1] === 'string')
  const [only, ...more] = texts
  const match = names
    .map((name) => texts.find(([field]) => field === name)?.[1])
    .find((one) => one !== undefined)
  return match ?? (only && more.length === 0 ? only[1] : null)
}

const ASKS = ['question', 'input', 'prompt', 'query', 'text'] as const
const ANSWERS = ['answer', 'output', 'expected', 'result', 'response', 'text'] as const

const recordsIn = (value: unknown): Row[] => (Array.isArray(value) ? value.filter(isRecord) : [])

/** SQuAD as published: an article with paragraphs, each with its questions. */
function ofArticle(article: Row): (Row | string)[] | null {
  if (!Array.isArray(article['paragraphs'])) return null
  return recordsIn(article['paragraphs']).flatMap(({ context, qas }) =>
    recordsIn(qas).map(({ id, question, answers }): Row | string => {
      const texts = recordsIn(answers).map(({ text }) => text)
      return texts.length === 0
        ? 'the text does not answer this question'
        : { id, context, question, answers: { text: texts } }
    }),
  )
}

/** ARC as published: the question has its choices within. */
function ofStem({ question, ...row }: Row): Row[] | null {
  if (!isRecord(question) || typeof question['stem'] !== 'string') return null
  const choices = recordsIn(question['choices'])
  const [text, label] = [choices.map((one) => one['text']), choices.map((one) => one['label'])]
  return [{ ...row, question: question['stem'], choices: { text, label } }]
}

/** LangSmith's examples: what was put in and what should come out. */
function ofExample({ id, inputs, outputs }: Row): (Row | string)[] | null {
  if (!isRecord(inputs) || outputs === undefined) return null
  const question = textOf(inputs, ASKS)
  const answer = textOf(outputs, ANSWERS)
  if (question === null) return ['its inputs hold no text that is clearly the question']
  if (answer === null) return ['its outputs hold no text that is clearly the answer']
  return [{ id, question, answer }]
}

/** OpenAI's evals: messages and the ideal answer, or several. */
function ofMessages({ input, ideal }: Row): Row[] | null {
  if (ideal === undefined || !Array.isArray(input)) return null
  const texts = recordsIn(input).map(({ content }) => content)
  if (texts.length === 0 || texts.some((text) => typeof text !== 'string')) return null
  return [{ question: texts.join('\n\n'), answers: Array.isArray(ideal) ? ideal : [ideal] }]
}

/** The rows that a row of a published file holds; null for one that stands for itself. */
export function rowsWithin({ place, value, problem }: ParsedEntry): ParsedEntry[] | null {
  if (problem !== null || !isRecord(value)) return null
  const inner = isRecord(value['row']) && 'row_idx' in value ? [value['row']] : null
  const rows = inner ?? ofArticle(value) ?? ofStem(value) ?? ofExample(value) ?? ofMessages(value)
  return (
    rows?.map((row) =>
      typeof row === 'string'
        ? { place, value: undefined, problem: row }
        : { place, value: row, problem: null },
    ) ?? null
  )
}
