import {
  whyUnreadable,
  type EnvironmentModule,
  type TaskFolder,
  type Verdict,
} from '../../ground/environment-module'
import type { AnswerTests } from '../../ground/answer-tests'
import { defineSettings } from '../../ground/settings'
import type { ToolInfo } from '../../ground/tools'
import type { Task } from '../../../shared/domain/task'
import { ANSWER_TESTS } from './check'
import { QUESTIONS, questionEntrySchema } from './entry'
import { createQuestionEnvironment, ownAnswer, questionOf } from './environment'
import { gradeAnswer } from './grade'
import { questionReader } from './reader'
import { exactObject } from '../../ground/exact-object'

/** What planner and executor do themselves; everything else an attempt's tools are for. */
const ANSWER: ToolInfo = {
  name: 'answer',
  server: 'question',
  description: 'Ends the task with an answer.',
  inputSchema: exactObject({
    answer: { type: 'string', description: 'The answer alone, without an explanation.' },
  }),
}

/** The question with a checksum for each of its files. */
async function attach(task: Task, folder: TaskFolder) {
  const question = questionEntrySchema.safeParse(task.payload)
  if (!question.success || question.data.attachments.length === 0) return { payload: task.payload }
  const { attachments } = question.data
  try {
    const checkPromise = attachments.map(async ({ name }) => ({ name, sha256: await folder.digest([name]) }))
    return { payload: { ...question.data, attachments: await Promise.all(checkPromise) } }
  } catch (error) {
    const names = attachments.map(({ name }) => name).join(', ')
    return { reason: `its file ${names} cannot be read: ${whyUnreadable(error)}` }
  }
}

/** Characters of an answer that are told. */
const SHOWN = 200

/** Whether the grader takes the first of a question's own answers for right. */
async function verify(task: Task, tests: AnswerTests | null): Promise<Verdict> {
  const entry = questionOf(task)
  const own = ownAnswer(entry)
  if (typeof own !== 'string') return { kind: 'unknown', why: own.unknown }
  const { grades, ungraded } = await gradeAnswer(task.instruction, entry, own, null, { tests })
  if (ungraded !== undefined) return { kind: 'unknown', why: ungraded }
  return grades?.em === 1
    ? { kind: 'agrees' }
    : { kind: 'disagrees', why: `"${own.slice(0, SHOWN)}" is not taken for itself` }
}

/** Questions for planner and executor. */
export const questions: EnvironmentModule = {
  id: QUESTIONS,
  words: {
    title: 'Questions',
    tasks: 'questions',
    about: 'Plans, and works on each step with tools, until there is an answer.',
    solved: 'The answer matches a known one, or the judge takes it for right.',
    source:
      'CSV, TSV, JSON or JSONL with a question and its answer in each row, or published data sets (GAIA, GPQA, SimpleQA, SQuAD, GSM8K, HumanEval and more) as they are',
    domain: QUESTIONS,
  },
  colour: 2,
  play: 'questions',
  prompts: ['qa-planner', 'qa-executor', 'qa-alone', 'qa-direct', 'judge'],
  settings: defineSettings(QUESTIONS, 'Questions', {}),
  sample: 'desk-questions',
  ...questionReader,
  ungraded(task) {
    const { references, check } = questionOf(task)
    return references.length === 0 && !(check?.kind === 'judge' && check.rubric.trim() !== '')
  },
  attach,
  async open(world) {
    return createQuestionEnvironment({
      tests: await world.port(ANSWER_TESTS),
      plannerPrompt: await world.prompt('qa-planner'),
      executorPrompt: await world.prompt('qa-executor'),
      alonePrompt: await world.prompt('qa-alone'),
      directPrompt: await world.prompt('qa-direct'),
      judgePrompt: await world.prompt('judge'),
    })
  },
  async verifier(world) {
    const tests = await world.port(ANSWER_TESTS)
    return (task) => verify(task, tests)
  },
  solution: () =>
    Promise.resolve((task) => {
      const { references, solution } = questionOf(task)
      return Promise.resolve(solution ?? (references.length === 0 ? null : references.join(' / ')))
    }),
  actions: () => [ANSWER],
  writeAction: (_name, args) => `FINAL ANSWER: ${String(args['answer'] ?? '')}`,
}
