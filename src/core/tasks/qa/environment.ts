import type { Task } from '../../../shared/domain/task'
import { taskPayload } from '../../ground/environment-module'
import type { QuestionEnvironment } from '../../ground/question-environment'
import { jsonWith } from './check'
import { QUESTIONS, questionEntrySchema, type QuestionEntry } from './entry'

/** The question environment over the texts of its prompts. */
export const createQuestionEnvironment = (
  prompts: Pick<
    QuestionEnvironment,
    'plannerPrompt' | 'executorPrompt' | 'alonePrompt' | 'directPrompt' | 'judgePrompt' | 'tests'
  >,
): QuestionEnvironment => ({
  kind: 'questions',
  id: QUESTIONS,
  systemPrompt: [
    prompts.plannerPrompt,
    prompts.executorPrompt,
    prompts.alonePrompt,
    prompts.directPrompt,
    prompts.judgePrompt,
  ].join('\n\n'),
  ...prompts,
  answerOf(task) {
    const own = ownAnswer(questionOf(task))
    return typeof own === 'string' ? own : null
  },
})

/** @throws LoamError `TASK_STREAM` for a task of another environment */
export const questionOf = (task: Task): QuestionEntry =>
  taskPayload(task, questionEntrySchema, 'a question', 'questions')

/** What is shown with a question: the files in its folder. */
export const filesText = (names: readonly string[]): string =>
  names.length === 0 ? '' : `Files in the task's folder: ${names.join(', ')}`

/** An answer that a question's own check should take for right: patterns and tests are none themselves. */
export function ownAnswer({
  references: [first],
  check,
  solution,
}: QuestionEntry): string | { readonly unknown: string } {
  if (solution !== undefined) return solution
  if (first === undefined) return { unknown: 'it comes without a known answer' }
  if (check?.kind === 'regex' || check?.kind === 'test')
    return { unknown: 'it says how to check an answer, not what the answer is' }
  if (check?.kind === 'one-of') return first.split(check.separator).find((one) => one.trim() !== '') ?? first
  return check?.kind === 'json-path' ? jsonWith(check.path, first) : first
}
