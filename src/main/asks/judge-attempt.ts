import { gradeAnswer, type QuestionGrade } from '../../core/tasks/qa/grade'
import type { LanguageModel } from '../../core/ground/ports'
import { isQuestions } from '../../core/ground/question-environment'
import { QUESTION_ENVIRONMENT } from '../../core/tasks'
import { wholeAnswerOf, type AskAttempt, type AskInfo } from '../../shared/domain/ask'
import { LoamError } from '../../shared/errors'
import type { Verdict } from './judge-ask'
import type { AskNeeds } from './play-ask'

/** What a model judges an answer by that nobody has written down. */
const RUBRIC =
  'Correct: the answer does all that the question asks, and nothing in it is wrong. Incorrect: part of it is missing, wrong, or made up.'

const unjudged = (cause: string): LoamError =>
  new LoamError('CONFLICT', cause, { suggestion: 'Say yourself whether it was right.', retryable: true })

/** What the check of an ask says of an attempt; null where it has none for this message. @throws LoamError `CONFLICT` when it cannot be run */
export async function checkAttempt(
  { check, spec }: AskInfo,
  attempt: AskAttempt,
  needs: AskNeeds,
  judge: LanguageModel,
  signal: AbortSignal,
): Promise<Verdict | null> {
  if (check?.turn !== attempt.turn) return null
  const { how, answer } = check
  const questions = await needs.environments.get(QUESTION_ENVIRONMENT)
  if (!isQuestions(questions)) throw new Error('The environment of questions is one that is acted in.')
  const entry = { references: answer === '' ? [] : [answer], scorer: 'open' as const, check: how }
  const grade = await gradeAnswer(
    spec.text,
    entry,
    wholeAnswerOf(attempt),
    how.kind === 'judge' ? { model: judge, template: questions.judgePrompt } : null,
    { tests: questions.tests ?? null, signal },
  )
  const by = how.kind === 'judge' ? ('model' as const) : ('check' as const)
  return verdictOf(grade, attempt, by, by === 'model' ? judge.name : null)
}

/** What a model says of an attempt that has no check. @throws LoamError `CONFLICT` when it says nothing that can be read */
export async function judgeAttempt(
  { spec }: AskInfo,
  attempt: AskAttempt,
  needs: AskNeeds,
  judge: LanguageModel,
  signal: AbortSignal,
): Promise<Verdict> {
  const questions = await needs.environments.get(QUESTION_ENVIRONMENT)
  if (!isQuestions(questions)) throw new Error('The environment of questions is one that is acted in.')
  const grade = await gradeAnswer(
    spec.text,
    { references: [], scorer: 'open', check: { kind: 'judge', rubric: RUBRIC } },
    wholeAnswerOf(attempt),
    { model: judge, template: questions.judgePrompt },
    { signal },
  )
  return verdictOf(grade, attempt, 'model', judge.name)
}

function verdictOf(
  { grades, reward, ungraded }: QuestionGrade,
  { trajectory }: AskAttempt,
  by: Verdict['by'],
  judge: string | null,
): Verdict {
  if (ungraded !== undefined) throw unjudged(ungraded)
  const cut = ['output-limit', 'stopped'].includes(trajectory.finish) ? trajectory.reason : undefined
  const note = cut ?? grades?.rationale?.trim() ?? ''
  return { verdict: reward === 1 ? 'right' : 'wrong', note: note === '' ? null : note, by, judge }
}
