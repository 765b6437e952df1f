import type { AskAttempt } from '../../../shared/domain/ask'

/** What an attempt answered; null when nothing. */
export function answerOf({
  trajectory: { question, rounds },
}: Pick<AskAttempt, 'trajectory'>): string | null {
  const last = rounds.at(-1)
  return question?.answer ?? (last?.action.kind === 'answer' ? last.action.content : null)
}
