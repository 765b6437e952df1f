import { z } from 'zod'
import type { ClientRules } from '../../core/verdict/client-rules'
import { reviewOrder } from '../../core/verdict/review-order'
import { answerOf, keptAttempts, specOf, type AskAttempt, type AskInfo } from '../../shared/domain/ask'
import { isImported } from '../../shared/domain/ask-origin'
import { MOST_REVIEWED, REVIEW_LETTERS, type Review, type ReviewEntry } from '../../shared/domain/review'
import { reasonsOf } from '../../shared/domain/verdict'
import type { Clock } from '../../core/ground/ports'
import { readRecord, writeRecord } from '../ground/record-file'
import type { AskState } from './ask-record'
import { leaningOf, nextAfter } from './rule-attempt'

const DAY_LENGTH = '2026-01-01'.length
/** Days as `2026-05-03`, in UTC. */
const askedSchema = z.object({ day: z.string() })

/** Answers that wait for a person's word. */
export interface AskReview {
  /** In the order in which a word is worth most. */
  review(): Review
  /** The person was asked: they are not asked again today. @throws LoamError `DISK_FULL`, `DISK_WRITE` */
  putOffReview(): Promise<Review>
}

const cut = (text: string): string =>
  text.length <= REVIEW_LETTERS ? text : `${text.slice(0, REVIEW_LETTERS)}…`

/** Whether nobody said how an answer was, or only the rules took it for right. What another program answered does not wait. */
const waits = (ask: AskInfo, attempt: AskAttempt): boolean =>
  attempt.judgement === null
    ? attempt.facts.length === 0 && !isImported(ask, attempt)
    : attempt.judgement.probation !== null

/** The newest answers of an ask's messages that wait for a word. */
function waitingIn(state: AskState, rules: ClientRules) {
  const newest = new Map(keptAttempts(state).map((attempt) => [attempt.turn, attempt]))
  return [...newest.values()]
    .filter((attempt) => waits(state.ask, attempt))
    .flatMap((attempt) => {
      const answer = answerOf(attempt)
      if (answer === null) return []
      const leaning = leaningOf(state, attempt, rules)
      return [
        {
          state,
          attempt,
          answer,
          leaning,
          request: specOf(state.ask, attempt).text,
          confidence: leaning.confidence,
        },
      ]
    })
}

type WaitingAnswer = ReturnType<typeof waitingIn>[number] & { readonly often: number }

const entryOf = ({ state, attempt, answer, leaning, request, often }: WaitingAnswer): ReviewEntry => {
  const next = nextAfter(state, attempt)
  const isSettled = next !== null && leaning.state !== 'open'
  return {
    ...{ askId: state.ask.id, title: state.ask.title, attempt: attempt.index, often },
    ...{ request: cut(request), answer: cut(answer), next: next === null ? null : cut(next.text) },
    supposed: isSettled
      ? { verdict: leaning.value === 'solved' ? 'right' : 'wrong', because: reasonsOf(leaning) }
      : null,
  }
}

/** Opens it. `file`: where the day is kept on which the person was asked last. */
export async function openAskReview(
  file: string,
  clock: Clock,
  all: () => readonly AskState[],
  rules: () => ClientRules,
): Promise<AskReview> {
  let last = await readRecord(file, askedSchema, { day: '' })
  const today = (): string => clock.now().toISOString().slice(0, DAY_LENGTH)
  const review = (): Review => {
    const states = all()
      .filter(({ ask }) => ask.deletedAt === null && !ask.temporary)
      .sort((a, b) => b.ask.changedAt.localeCompare(a.ask.changedAt))
    const requests = states.flatMap(({ turns }) =>
      turns.flatMap(({ text, removed }) => (removed ? [] : [text])),
    )
    const answers = states
      .filter(({ ask }) => ask.status === 'done')
      .flatMap((state) => waitingIn(state, rules()))
    const entries = reviewOrder(answers, requests)
    return {
      entries: entries.slice(0, MOST_REVIEWED).map(entryOf),
      total: entries.length,
      due: entries.length > 0 && last.day !== today(),
    }
  }
  return {
    review,
    async putOffReview() {
      const next = { day: today() }
      await writeRecord(file, next)
      last = next
      return review()
    },
  }
}
