import type { Task } from '../../shared/domain/task'
import type { AnswerTests } from './answer-tests'
import type { Environment } from './environment'

/** A world of questions: nothing is acted in, a planner and an executor work on each with tools. */
export interface QuestionEnvironment {
  readonly kind: 'questions'
  readonly id: string
  /** Of planner, executor (alone, too), direct answers and judge, so that a run notices when one of them changes. */
  readonly systemPrompt: string
  readonly plannerPrompt: string
  readonly executorPrompt: string
  /** Of an executor that answers alone. */
  readonly alonePrompt: string
  /** Of a model that answers in one reply. */
  readonly directPrompt: string
  readonly judgePrompt: string
  /** Runs patterns and tests that come with tasks. Default: nothing does, and such tasks stay ungraded. */
  readonly tests?: AnswerTests
  /** The answer that a task is known to have. Null: none is known, only how to check one. Default: none is. */
  answerOf?(task: Task): string | null
}

export const isQuestions = <Q extends QuestionEnvironment>(environment: Environment | Q): environment is Q =>
  'kind' in environment
