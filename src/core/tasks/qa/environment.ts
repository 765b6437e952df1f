import type { Task } from '../../../shared/domain/task'
import { taskPayload } from '../../ground/environment-module'
import type { QuestionEnvironment } from '../../ground/question-environment'
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
})

/** @throws LoamError `TASK_STREAM` for a task of another environment */
export const questionOf = (task: Task): QuestionEntry =>
  taskPayload(task, questionEntrySchema, 'a question', 'questions')

/** What is shown with a question: the files in its folder. */
export const filesText = (names: readonly string[]): string =>
  names.length === 0 ? '' : `Files in the task's folder: ${names.join(', ')}`
