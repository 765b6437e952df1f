import { answerOf, keptAttempts, specOf, type AskAttempt } from '../../shared/domain/ask'
import type { AskEntry } from './ask-entry'

/** An attempt of an ask. */
export interface OfAsk {
  readonly entry: AskEntry
  readonly attempt: AskAttempt
}

const plain = (text: string): string => text.trim().toLowerCase().replaceAll(/\s+/g, ' ')

const memoryOf = ({ entry: { state }, attempt }: OfAsk): string => specOf(state.ask, attempt).memoryId

/** What was asked and answered, however it is spaced and written large; null where nothing was answered. */
function wordsOf({ entry: { state }, attempt }: OfAsk): string | null {
  const answer = answerOf(attempt)
  return answer === null ? null : `${plain(specOf(state.ask, attempt).text)}\n${plain(answer)}`
}

/**
 * Attempts in other asks of the same memory that gave the same answer to the same request and were taken for right, by a person or by what they wrote next: each a
 * sign of its own that the answer is right, since it was given on another occasion.
 */
export function sameElsewhere(one: OfAsk, entries: Iterable<AskEntry>): OfAsk[] {
  const words = wordsOf(one)
  if (words === null) return []
  return [...entries].flatMap((entry) => {
    const { ask } = entry.state
    if (ask.id === one.entry.state.ask.id || ask.deletedAt !== null || ask.temporary) return []
    return keptAttempts(entry.state).flatMap((attempt) => {
      const { judgement } = attempt
      const isRight = judgement?.verdict === 'right' && (judgement.by === 'person' || judgement.by === 'rule')
      const other = { entry, attempt }
      return isRight && memoryOf(other) === memoryOf(one) && wordsOf(other) === words ? [other] : []
    })
  })
}
