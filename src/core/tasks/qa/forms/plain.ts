import { z } from 'zod'
import { answerCheckSchema } from '../../../../shared/domain/answer-check'
import { readNested } from '../../../ground/nested'
import type { QuestionForm } from '../entry'
import { attachments, letterOf, question, skill, text, texts, withChoices } from './common'

/** What people call a question, the likeliest first; compared without case. */
export const QUESTION_NAMES: readonly string[] = [
  'question',
  'problem',
  'prompt',
  'query',
  'task',
  'input',
  'q',
]
/** What people call its answer. */
export const ANSWER_NAMES: readonly string[] = [
  ...['answer', 'answers', 'golden_answers', 'ground_truth', 'correct_answer', 'correct answer', 'reference'],
  ...[
    'expected',
    'expected_answer',
    'expected_output',
    'gold',
    'target',
    'final answer',
    'solution',
    'output',
    'a',
    'answerkey',
    'answer_key',
    'best answer',
    'best_answer',
    'possible_answers',
  ],
]
/** What people call other ways to say the answer. */
const ALIAS_NAMES = ['answer_aliases', 'aliases', 'answer_alias']
/** What people call what a question is about, where it stands beside it. */
export const CONTEXT_NAMES = ['context', 'passage', 'paragraph', 'story', 'article']
export const CHOICE_NAMES = ['choices', 'options']
/** What people call the files that belong to it. */
export const FILE_NAMES: readonly string[] = [
  'files',
  'file',
  'file_name',
  'filename',
  'attachments',
  'documents',
]

/** The field of a row that is called by one of `names`, whatever its case. */
export const fieldCalled = (fields: readonly string[], names: readonly string[]): string | undefined => {
  const lower = new Map(fields.map((field) => [field.trim().toLowerCase(), field]))
  const matchText = names.find((name) => lower.has(name))
  return matchText === undefined ? undefined : lower.get(matchText)
}

const aliased = z
  .object({ value: text, aliases: z.array(text).default([]) })
  .transform(({ value, aliases }) => [value, ...aliases])

const answers = z.union([
  texts,
  z.null().transform((): string[] => []),
  aliased,
  // TriviaQA's own file, and SQuAD's rows.
  z
    .object({ Value: text, Aliases: z.array(text).default([]) })
    .transform((one) => [one.Value, ...one.Aliases]),
  z.object({ text: z.array(text) }).transform((one) => one.text),
])

/** What ends a worked solution before its result (GSM8K). */
const RESULT = '####'

/** The answers that a cell of any form holds; null for what is none, such as an object of other names. */
export const answersIn = (cell: unknown): string[] | null => answers.safeParse(cell).data ?? null

/** What Python's numeric library puts around a list where a table is exported. */
const plainLists = (cell: unknown): unknown =>
  typeof cell === 'string' && cell.trimStart().startsWith('{')
    ? cell.replaceAll('array([', '[').replace(/\](?:, dtype=\w{1,20})?\)/g, ']')
    : cell

/** The answers of a row; a table's export writes a list of them as text. @throws ZodError */
function answersOf(row: Row, answered: string): string[] {
  const cell = row[answered]
  const listed = /s$/i.test(answered.trim()) ? readNested(plainLists(cell)) : cell
  if (typeof listed === 'string' && /^\s*\{\s*['"](?:text|value|answer_start)['"]\s*:/i.test(listed))
    throw new z.ZodError([
      { code: 'custom', path: [answered], message: 'holds an object that cannot be read', input: cell },
    ])
  const references = z.object({ [answered]: answers }).parse({ [answered]: listed })[answered] ?? []
  const others = fieldCalled(Object.keys(row), ALIAS_NAMES)
  const more = others === undefined ? undefined : z.array(text).safeParse(readNested(row[others])).data
  return [...references, ...(more ?? [])]
}

/** What a worked solution comes to. */
const resultOf = (answer: string): string => answer.split(RESULT).at(-1) ?? answer

/** Choices that stand in the question itself, as in `Which? (A) moss (B) fern`; null where there are none. */
function choicesWithin(instruction: string): Choices | null {
  const [, ...parts] = instruction.split(/\(([A-E])\)/)
  const letters = parts.filter((_, i) => i % 2 === 0)
  const inOrder = letters.every((letter, i) => letter === letterOf(i))
  return letters.length >= 2 && inOrder
    ? { texts: parts.filter((_, i) => i % 2 === 1).map((one) => one.trim()), letters }
    : null
}

type Row = Readonly<Record<string, unknown>>

/** What may be chosen from. `letters`: how the row calls each; they decide what its answer means. */
interface Choices {
  readonly texts: readonly string[]
  readonly letters: readonly string[] | null
}

/** Choices as people write them: a list, `{"text": [...], "label": [...]}`, `{"A": ..., "B": ...}`, or columns called A, B, C and so on. */
const choicesSchema = z.union([
  z.array(text).transform((inputs): Choices => ({ texts: inputs, letters: null })),
  z
    .object({ text: z.array(text), label: z.array(text).nullish() })
    .transform((input): Choices => ({ texts: input.text, letters: input.label ?? null })),
  z
    .record(z.string().regex(/^[A-Z]$/i), text)
    .transform((input): Choices => ({ texts: Object.values(input), letters: Object.keys(input) })),
])

function choicesIn(row: Row): Choices | null {
  const fields = Object.keys(row)
  const name = fieldCalled(fields, CHOICE_NAMES)
  const listed = name === undefined ? undefined : choicesSchema.safeParse(readNested(row[name])).data
  if (listed !== undefined) return listed
  const columns: string[] = []
  for (let i = 0; ; i++) {
    const letter = letterOf(i).toLowerCase()
    const column = fieldCalled(fields, [letter, `option_${letter}`, `option ${letter}`, `option${letter}`])
    if (column === undefined || !text.safeParse(row[column]).success) break
    columns.push(column)
  }
  const filled = columns.filter((column) => String(row[column]).trim() !== '')
  return filled.length < 2
    ? null
    : { texts: filled.map((column) => text.parse(row[column])), letters: filled.map((_, i) => letterOf(i)) }
}

const skillsSchema = z.union([z.array(z.string()), z.string().transform((one) => [one])]).nullish()

/** The place of the right choice: how the row calls it, its number, its letter, or its text. */
function choiceOf({ texts: choices, letters }: Choices, answer: string): number {
  const plain = answer.trim()
  const index = letters?.findIndex((one) => one.trim().toLowerCase() === plain.toLowerCase()) ?? -1
  if (index >= 0) return index
  const saidIndex = choices.findIndex((choice) => choice.trim() === plain)
  if (saidIndex >= 0) return saidIndex
  if (/^\d+$/.test(plain)) return Number(plain)
  return /^[A-Z]$/i.test(plain) ? plain.toUpperCase().charCodeAt(0) - 65 : -1
}

/** A question with what it is about above it. */
function withContext(row: Row, askedQuestion: string): string {
  const name = fieldCalled(Object.keys(row), CONTEXT_NAMES)
  const context = name === undefined ? undefined : row[name]
  return typeof context === 'string' && context.trim() !== '' && !/^\s*[[{]/.test(context)
    ? `${context.trim()}\n\n${askedQuestion}`
    : askedQuestion
}

/** A question with its answer in any of the usual names; what Loam writes people's own tasks in. */
export const plainForm: QuestionForm = {
  name: 'question and answer',
  fields: ['question', 'answer'],
  recognises(row) {
    const fields = Object.keys(row)
    // An "instruction", a "task" or an "input" may be anybody's; only what is called a question is taken for one.
    return (
      fieldCalled(fields, QUESTION_NAMES.slice(0, 4)) !== undefined &&
      fieldCalled(fields, ANSWER_NAMES) !== undefined
    )
  },
  read(value) {
    const row = value as Row
    const fields = Object.keys(row)
    const askedQuestion = fieldCalled(fields, QUESTION_NAMES) ?? 'question'
    const answered = fieldCalled(fields, ANSWER_NAMES) ?? 'answer'
    const filed = fieldCalled(fields, FILE_NAMES)
    const message =
      z.object({ [askedQuestion]: z.string().trim().min(1, 'is empty') }).parse(row)[askedQuestion] ?? ''
    const instruction = withContext(row, message)
    const answerList = answersOf(row, answered)
    const { id, _id, qid, unique_id, check, skills, level, dataset, data_source: from } = common.parse(row)
    const record = {
      level: level ?? null,
      dataset: dataset ?? from ?? null,
      attachments: attachments(filed === undefined ? [] : fileNames(row[filed])),
      skills: [...(skills ?? []), ...skill(dataset ?? from)].flatMap(skill),
    }
    const call = id ?? _id ?? qid ?? unique_id
    // What a check runs or looks for may hold anything.
    const isPlain = check === undefined || check.kind === 'number' || check.kind === 'exact'
    const references = isPlain ? answerList.map(resultOf) : answerList
    const within =
      check === undefined && /^[A-E]$/.test(references[0]?.trim() ?? '') ? choicesWithin(message) : null
    if (within !== null && choicesIn(row) === null) {
      const right = choiceOf(within, references[0] ?? '')
      return question(call, instruction, [letterOf(right), within.texts[right] ?? ''], {
        ...record,
        scorer: 'choice',
      })
    }
    const choices = check === undefined ? choicesIn(row) : null
    if (choices !== null && choices.texts.length > 1) {
      const right = choiceOf(choices, references[0] ?? '')
      const choice = choices.texts[right]
      if (choice === undefined)
        return { reason: `${answered}: is none of its ${choices.texts.length} choices` }
      const label = withChoices(instruction, choices.texts)
      return question(call, label, [letterOf(right), choice], { ...record, scorer: 'choice' })
    }
    return question(call, instruction, references, {
      ...record,
      ...(check !== undefined && { scorer: 'check' as const, check }),
    })
  },
}

/** What may stand beside a question without an answer; anything else may be the answer, or make it another thing than a question. */
const BESIDE: ReadonlySet<string> = new Set([
  ...['id', '_id', 'qid', 'unique_id', 'question_id', 'nr', 'no', 'no.', '#', 'key', 'line'],
  ...['skill', 'skills', 'kind', 'category', 'topic', 'type', 'subject', 'level', 'difficulty', 'dataset'],
  ...['data_source', 'source', 'language', 'title', 'url', ...CONTEXT_NAMES, ...FILE_NAMES],
])

/** A question that nobody wrote an answer to. */
export const bareForm: QuestionForm = {
  name: 'question alone',
  fields: ['question'],
  recognises(row) {
    const fields = Object.keys(row)
    const name = fieldCalled(fields, QUESTION_NAMES.slice(0, 4))
    return (
      name !== undefined && fields.every((field) => field === name || BESIDE.has(field.trim().toLowerCase()))
    )
  },
  read: (row) => plainForm.read({ ...row, answer: null }),
}

const common = z.object({
  id: text.nullish(),
  _id: text.nullish(),
  qid: text.nullish(),
  unique_id: text.nullish(),
  check: answerCheckSchema.optional(),
  skills: skillsSchema,
  level: z.number().int().nullish().catch(null),
  dataset: z.string().nullish().catch(null),
  data_source: z.string().nullish().catch(null),
})

/** Names of files in a cell: a list, or one text with semicolons between. */
const fileNames = (value: unknown): string[] => {
  if (Array.isArray(value)) return value.map(String)
  return typeof value === 'string' ? value.split(';') : []
}
