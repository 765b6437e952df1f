import { z } from 'zod'
import type { QuestionForm } from '../entry'
import { attachments, letterOf, question, shuffled, skill, text, texts, tidy, withChoices } from './common'

/** What stands between the references of a DeepResearcher row. */
const ANSWER_SPLIT = '<|answer_split|>'

const has = (row: object, ...fields: readonly string[]): boolean => fields.every((field) => field in row)

/** A form whose rows are read by a schema. */
const rowsOf = <Row>(
  schema: z.ZodType<Row>,
  { read, ...form }: Omit<QuestionForm, 'read'> & { read(row: Row): ReturnType<QuestionForm['read']> },
): QuestionForm => ({ ...form, read: (row) => read(schema.parse(row)) })

const some = z.string().refine((one) => one.trim() !== '', 'is empty')

const gaiaRow = z.object({
  task_id: some,
  Question: some,
  Level: z.union([z.number().int(), z.string().regex(/^\d+$/).transform(Number)]).nullish(),
  'Final answer': text.nullish(),
  file_name: z.string().nullish(),
  /** Ours: where the question comes from. */
  data_source: z.string().optional(),
})

/** GAIA's metadata.jsonl, validation and test. Test rows have `?` for an answer. */
const gaia = rowsOf(gaiaRow, {
  name: 'GAIA (metadata.jsonl)',
  fields: ['task_id', 'Question', 'Level', 'Final answer', 'file_name'],
  recognises: (row) =>
    has(row, 'Question') && (has(row, 'task_id') || has(row, 'Final answer') || has(row, 'Level')),
  read(row) {
    const answer = row['Final answer'] ?? '?'
    const level = row.Level ?? null
    const dataset = row.data_source ?? null
    return question(row.task_id, row.Question, answer.trim() === '?' ? [] : [answer], {
      scorer: 'gaia',
      level,
      dataset,
      attachments: attachments(row.file_name ? [row.file_name] : []),
      skills: [...skill(dataset), ...(level === null ? [] : [`level ${level}`])],
    })
  },
})

const gpqaRow = z.object({
  Question: some,
  'Correct Answer': text,
  'Incorrect Answer 1': text.nullish(),
  'Incorrect Answer 2': text.nullish(),
  'Incorrect Answer 3': text.nullish(),
  'Record ID': z.string().nullish(),
  'High-level domain': z.string().nullish(),
  Subdomain: z.string().nullish(),
})

/** GPQA's CSV: one right choice and three wrong ones, shown in an order of their own. */
const gpqa = rowsOf(gpqaRow, {
  name: 'GPQA (gpqa_*.csv)',
  fields: ['Question', 'Correct Answer', 'Incorrect Answer 1', 'Incorrect Answer 2', 'Incorrect Answer 3'],
  recognises: ['Question', 'Correct Answer'],
  read(row) {
    const right = row['Correct Answer'].trim()
    const wrong = [1, 2, 3].map((n) => row[`Incorrect Answer ${n as 1 | 2 | 3}`] ?? '')
    const all = tidy([right, ...wrong])
    if (right === '' || all.length < 2) return { reason: 'it has no right answer with wrong ones beside it' }
    const choices = shuffled(all, row.Question)
    return question(
      row['Record ID'],
      withChoices(row.Question, choices),
      [letterOf(choices.indexOf(right)), right],
      {
        scorer: 'choice',
        dataset: 'gpqa',
        skills: [...skill(row['High-level domain']), ...skill(row.Subdomain)],
      },
    )
  },
})

const simpleQaRow = z.object({
  problem: some,
  answer: text,
  metadata: z.unknown().optional(),
  topic: z.string().nullish(),
  id: text.nullish(),
})

/** The topic that SimpleQA's metadata names: a Python dictionary in CSV, an object in JSON. */
function topicOf(metadata: unknown): string | null {
  if (typeof metadata === 'object' && metadata !== null && 'topic' in metadata) return String(metadata.topic)
  const match = typeof metadata === 'string' ? /['"]topic['"]\s*:\s*(['"])(.*?)\1/.exec(metadata) : null
  return match?.[2] ?? null
}

/** SimpleQA's CSV, and that of SimpleQA Verified. */
const simpleQa = rowsOf(simpleQaRow, {
  name: 'SimpleQA (simple_qa_test_set.csv)',
  fields: ['metadata', 'problem', 'answer'],
  recognises: (row) =>
    has(row, 'problem', 'answer') && (has(row, 'metadata') || has(row, 'topic', 'answer_type')),
  read(row) {
    return question(row.id, row.problem, [row.answer], {
      dataset: 'simpleqa',
      skills: skill(row.topic ?? topicOf(row.metadata)),
    })
  },
})

const hleRow = z.object({
  id: text.nullish(),
  question: some,
  answer: text,
  answer_type: z.string(),
  image: z.unknown().optional(),
  category: z.string().nullish(),
})

/** Humanity's Last Exam, a row of its JSON. Choices stand in the question already. */
const hle = rowsOf(hleRow, {
  name: "Humanity's Last Exam",
  fields: ['id', 'question', 'image', 'answer', 'answer_type', 'category'],
  recognises: ['question', 'answer', 'answer_type'],
  read(row) {
    const picture = typeof row.image === 'string' ? row.image.trim() !== '' : Boolean(row.image)
    if (picture) return { reason: 'it shows a picture, and questions are put as text here' }
    return question(row.id, row.question, [row.answer], {
      scorer: row.answer_type === 'multipleChoice' && /^\s*[A-Z]\s*$/.test(row.answer) ? 'choice' : 'open',
      dataset: 'hle',
      skills: [...skill(row.category), ...skill(row.answer_type)],
    })
  },
})

const lockedRow = z.object({ problem: some })

/** Rows that are published locked, with the key beside them, so that no crawler learns them. */
const locked: QuestionForm = {
  name: 'BrowseComp (browse_comp_test_set.csv)',
  fields: ['problem', 'answer', 'problem_topic', 'canary'],
  recognises: (row) => {
    const read = has(row, 'answer', 'canary') ? lockedRow.safeParse(row) : null
    return read?.success === true && /^[A-Za-z0-9+/=]+$/.test(read.data.problem.trim())
  },
  read: () => ({ reason: 'it is published locked: unlock the rows with the key in "canary" first' }),
}

const references = z.union([
  texts,
  z.object({ target: texts }).transform(({ target }) => target),
  z.object({ ground_truth: texts }).transform(({ ground_truth }) => ground_truth),
])

const splitAll = (inputs: readonly string[]): string[] => inputs.flatMap((one) => one.split(ANSWER_SPLIT))

const researcherRow = z.object({
  prompt: z.union([
    some,
    z
      .array(z.object({ role: z.string(), content: z.string() }))
      .transform((turns) => turns.filter(({ role }) => role === 'user').at(-1)?.content ?? ''),
  ]),
  reward_model: z.object({ ground_truth: references }),
  data_source: z.string().nullish(),
  extra_info: z.object({ question: z.string().nullish(), index: text.nullish() }).nullish(),
  /** Where the prompt is the question within a wording of its own. */
  question: z.string().nullish(),
  id: text.nullish(),
})

/** DeepResearcher's own rows, as it trains and tests with them. */
const deepResearcher = rowsOf(researcherRow, {
  name: 'DeepResearcher (prompt, reward_model)',
  fields: ['data_source', 'prompt', 'ability', 'reward_model', 'extra_info'],
  recognises: ['prompt', 'reward_model'],
  read(row) {
    const askedQuestion = row.extra_info?.question ?? row.question ?? row.prompt
    if (askedQuestion.trim() === '') return { reason: 'prompt: has no turn of a user' }
    const dataset = row.data_source ?? null
    return question(row.id, askedQuestion, splitAll(row.reward_model.ground_truth), {
      dataset,
      skills: skill(dataset),
    })
  },
})

const mementoRow = z.object({
  question: some,
  ground_truth: texts,
  data_source: z.string().nullish(),
  id: text.nullish(),
})

/** DeepResearcher's questions as Memento publishes them. */
const memento = rowsOf(mementoRow, {
  name: 'DeepResearcher (question, ground_truth)',
  fields: ['question', 'ground_truth', 'data_source'],
  recognises: ['question', 'ground_truth'],
  read(row) {
    const dataset = row.data_source ?? null
    return question(row.id, row.question, splitAll(row.ground_truth), { dataset, skills: skill(dataset) })
  },
})

const framesRow = z.object({
  Prompt: some,
  Answer: text,
  reasoning_types: z.string().nullish(),
})

/** FRAMES, a row of its TSV or CSV. */
const frames = rowsOf(framesRow, {
  name: 'FRAMES (test.tsv)',
  fields: ['Prompt', 'Answer', 'reasoning_types', 'wiki_links'],
  recognises: ['Prompt', 'Answer'],
  read(row) {
    const skills = (row.reasoning_types ?? '').split('|').flatMap(skill)
    return question(null, row.Prompt, [row.Answer], { dataset: 'frames', skills })
  },
})

/** The forms that data sets are published in, those with more of their own first. */
export const PUBLISHED_FORMS: readonly QuestionForm[] = [
  gpqa,
  gaia,
  hle,
  locked,
  simpleQa,
  deepResearcher,
  memento,
  frames,
]
