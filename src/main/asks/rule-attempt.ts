import { evidenceOf } from '../../core/verdict/evidence'
import { verdictOf } from '../../core/verdict/verdict'
import { answerOf, specOf, type AskAttempt, type AskDetail } from '../../shared/domain/ask'
import type { RuledVerdict } from '../../shared/domain/verdict'

/** How an attempt went, by what the person wrote next; null where they wrote nothing, or nothing that settles it. */
export function ruledBy(
  { ask, turns }: Pick<AskDetail, 'ask' | 'turns'>,
  attempt: AskAttempt,
): RuledVerdict | null {
  const next = turns.find(({ after }) => after === attempt.index)
  if (!next) return null
  const verdict = verdictOf(
    evidenceOf({
      request: specOf(ask, attempt).text,
      // What tools answered settles nothing that the person's own message does not settle.
      steps: [],
      reply: answerOf(attempt) ?? '',
      next: next.text,
    }),
  )
  return verdict.state === 'open' ? null : verdict
}
