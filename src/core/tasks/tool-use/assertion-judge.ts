import { toErrorShape } from '../../../shared/errors'
import type { Score } from '../../../shared/domain/trajectory'
import { isAbortError } from '../../ground/abort'
import { judgeAnswer } from '../qa/text-metrics'
import type { Judge } from '../qa/grade'

/** What a judge made of statements about a conversation; `ungraded` where one could not be judged. */
export interface Judged {
  readonly reward: 0 | 1
  readonly score: Score
  readonly ungraded?: string
}

/**
 * Asks a judge about each statement, as tau2-bench's NL_ASSERTION does; all must hold. One that fails decides, whatever the judge
 * makes of the others. Rejects with an AbortError when `signal` fires, and with nothing else.
 */
export async function judgeStatements(
  { model, template }: Judge,
  conversation: string,
  statements: readonly string[],
  signal?: AbortSignal,
): Promise<Judged> {
  const failures: string[] = []
  let unjudged: string | null = null
  for (const statement of statements) {
    try {
      const input = { question: conversation, references: [statement], answer: statement }
      const { score } = await judgeAnswer(model, template, input, { signal })
      if (score === 0) failures.push(statement)
      if (score === null) unjudged ??= "The judge's reply could not be read."
    } catch (error) {
      if (isAbortError(error)) throw error
      unjudged ??= `The judge could not be asked: ${toErrorShape(error).cause}`
    }
  }
  const score: Score = {
    name: 'Statements a judge agrees with',
    value: (statements.length - failures.length) / statements.length,
    ...(failures.length > 0 && { detail: `not so: ${failures.join('; ')}` }),
  }
  if (failures.length > 0) return { reward: 0, score }
  return unjudged === null ? { reward: 1, score } : { reward: 0, score, ungraded: unjudged }
}
