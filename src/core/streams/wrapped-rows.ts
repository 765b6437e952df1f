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

/** The texts of messages; null where one has no text. */
function textsOf(messages: unknown): string[] | null {
  const texts = recordsIn(messages).map(
    ({ content, data }) => content ?? (isRecord(data) ? data['content'] : null),
  )
  return texts.length > 0 && texts.every((text) => typeof text === 'string') ? texts : null
}

/** What is asked in an example: one text, or messages. */
const askedIn = (inputs: Row): string | null =>
  textOf(inputs, ASKS) ?? textsOf(inputs['messages'] ?? inputs['input'])?.join('\n\n') ?? null

/** What an example should come to: one text, or the last of its messages. */
const answerIn = (outputs: unknown): string | null =>
  textOf(outputs, ANSWERS) ??
  (isRecord(outputs)
    ? (textsOf(
        outputs['messages'] ?? [outputs['message'] ?? outputs['output'] ?? outputs['generations']],
      )?.at(-1) ?? null)
    : null)

/** LangSmith's examples: what was put in and what should come out, where anybody said so. */
function ofExample({ id, inputs, outputs }: Row): (Row | string)[] | null {
  if (!isRecord(inputs) || outputs === undefined) return null
  const question = askedIn(inputs)
  if (question === null) return ['its inputs hold no text that is clearly the question']
  const isOpen = outputs === null || (isRecord(outputs) && Object.keys(outputs).length === 0)
  const answer = isOpen ? null : answerIn(outputs)
  if (answer === null && !isOpen) return ['its outputs hold no text that is clearly the answer']
  return [{ id, question, answer }]
}

/** OpenAI's evals: messages or a text, and the ideal answer, or several; Inspect's samples, where messages have a target. */
function ofMessages({ input, target, ...rest }: Row): (Row | string)[] | null {
  const isSample = Array.isArray(input) && !('choices' in rest)
  const ideal = rest['ideal'] ?? (isSample ? target : undefined)
  const question = typeof input === 'string' ? input : textsOf(input)?.join('\n\n')
  if (question === undefined) return null
  // Without an answer it is one only where nothing else is said.
  if (ideal === undefined)
    return isSample && Object.keys(rest).length === 0 ? [{ question, answer: null }] : null
  return [{ question, answers: Array.isArray(ideal) ? ideal : [ideal] }]
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
