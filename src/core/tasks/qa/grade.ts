import type { QuestionGrades } from '../../../shared/domain/plan'
import { toErrorShape } from '../../../shared/errors'
import { isAbortError } from '../../ground/abort'
import type { AnswerTests } from '../../ground/answer-tests'
import type { LanguageModel } from '../../ground/ports'
import { passes } from './check'
import type { QuestionEntry } from './entry'
import { gaiaMatch, gaiaPublishedMatch } from './gaia'
import { exactMatch, judgeAnswer, normalizeAnswer, statesReference, tokenF1 } from './text-metrics'

/** A judge: a model and the text of resources/prompts/judge.md. */
export interface Judge {
  readonly model: LanguageModel
  readonly template: string
}

/** An answer's grade. With `ungraded`, why nobody could judge it; its reward is then 0 and nothing is learned from it. */
export interface QuestionGrade {
  readonly grades: QuestionGrades | null
  readonly reward: 0 | 1
  readonly ungraded?: string
}

/** What decides about a question. `auto`: the judge for open questions, their own scorer for all others. `stated`: no judge, but open questions are solved by an answer that holds a known one. */
export type GradeBy = 'auto' | 'stated' | 'exact' | 'judge'

/** Whether a judge decides about a question. A check that its stream chose is never set aside. */
export const isJudged = (
  { scorer, check }: Pick<QuestionEntry, 'scorer' | 'check'>,
  by: GradeBy,
): boolean => {
  if (check !== undefined) return check.kind === 'judge'
  return by === 'auto' ? scorer === 'open' : by === 'judge'
}

/** What an answer comes down to where one of several choices is asked for: a letter, or the words of a choice. */
function choiceMatch(answer: string, references: readonly string[]): boolean {
  const plain = answer.trim()
  const [letter] = (
    /^\(([A-Z])\)|^([A-Z])(?:[.):,]|$)|\b(?:answer|choice|option)(?: is)?:?\s*\(?([A-Z])\b/
      .exec(plain)
      ?.slice(1) ?? []
  ).filter(Boolean)
  // Whoever names a letter means it, whatever words come behind.
  if (letter !== undefined) return references.includes(letter)
  return references.some((one) => one.length > 1 && normalizeAnswer(one) === normalizeAnswer(plain))
}

/** Whether an answer is right by the question's own scorer. Rejects, in words, when the task's pattern or code cannot be run. */
async function isRight(
  { references, scorer, check }: GradedEntry,
  answer: string,
  tests: AnswerTests | null,
): Promise<boolean> {
  if (check !== undefined && check.kind !== 'judge') return passes(check, answer, references, tests)
  if (scorer === 'gaia') return references.some((one) => gaiaMatch(answer, one) === 1)
  return scorer === 'choice' ? choiceMatch(answer, references) : exactMatch(answer, references) === 1
}

type GradedEntry = Pick<QuestionEntry, 'references' | 'scorer' | 'check'>

/** What is there for grading besides the question's own scorer. */
export interface GradePorts {
  /** Runs patterns and tests of people's own checks. Default: nothing does. */
  readonly tests?: AnswerTests | null
  /** What decides. Default: `exact` without a judge. */
  readonly by?: GradeBy
  readonly signal?: AbortSignal | undefined
}

/** The grade of an open question without a judge. */
function statedGrade(answer: string, references: readonly string[], grades: QuestionGrades): QuestionGrade {
  const pm = grades.em === 1 ? 1 : statesReference(answer, references)
  return pm === null
    ? {
        grades,
        reward: 0,
        ungraded:
          'The known answer is too long to be looked for in a sentence, and the model is too small to judge.',
      }
    : { grades: { ...grades, pm }, reward: pm }
}

/**
 * Grades an answer: EM (by the question's own scorer) and F1 always, PM where a judge is given, and then only its "correct" counts as
 * solved, or where the answer may state the known one. No answer is wrong and asks no judge. Without a reference or a rubric, with a judge out of reach or unreadable, or a check
 * that cannot be run, the attempt is ungraded.
 *
 * Rejects with an AbortError when `signal` fires, and with nothing else.
 */
export async function gradeAnswer(
  question: string,
  entry: GradedEntry,
  answer: string | null,
  judge: Judge | null,
  { tests = null, by = 'exact', signal }: GradePorts = {},
): Promise<QuestionGrade> {
  const { references: records, check } = entry
  const rubric = check?.kind === 'judge' ? check.rubric : ''
  if (records.length === 0 && rubric.trim() === '')
    return { grades: null, reward: 0, ungraded: 'The task comes without a known answer.' }
  const isStated = by === 'stated' && entry.scorer === 'open' && check === undefined
  if (answer === null) return { grades: { em: 0, f1: 0, pm: judge || isStated ? 0 : null }, reward: 0 }
  let right: boolean
  try {
    right = await isRight(entry, answer, tests)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return { grades: null, reward: 0, ungraded: `Its check could not be run: ${why}` }
  }
  const grades: QuestionGrades = {
    em: right ? 1 : 0,
    f1: tokenF1(answer, records),
    pm: null,
    ...(entry.scorer === 'gaia' && {
      gaia: records.some((one) => gaiaPublishedMatch(answer, one) === 1) ? (1 as const) : (0 as const),
    }),
  }
  if (isStated) return statedGrade(answer, records, grades)
  if (!judge) {
    return check?.kind === 'judge'
      ? { grades, reward: 0, ungraded: 'The task is for a judge, and there is none.' }
      : { grades, reward: grades.em }
  }
  try {
    const input = { question, references: records, answer, rubric }
    const { score, rationale, usage } = await judgeAnswer(judge.model, judge.template, input, { signal })
    const judgement = { ...grades, pm: score, ...(rationale === '' ? {} : { rationale }), judgeUsage: usage }
    return score === null
      ? { grades: judgement, reward: 0, ungraded: "The judge's reply could not be read." }
      : { grades: judgement, reward: score }
  } catch (error) {
    if (isAbortError(error)) throw error
    return { grades, reward: 0, ungraded: `The judge could not be asked: ${toErrorShape(error).cause}` }
  }
}
