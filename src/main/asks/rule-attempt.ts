import { FITTED, type ClientRules, type JudgedSigns } from '../../core/verdict/client-rules'
import { evidenceOf, type Work } from '../../core/verdict/evidence'
import { goesOnWith } from '../../core/verdict/goals'
import { relationOf } from '../../core/verdict/relation'
import { verdictOf } from '../../core/verdict/verdict'
import { answerOf, specOf, type AskAttempt, type AskDetail } from '../../shared/domain/ask'
import type { RuledVerdict } from '../../shared/domain/verdict'

type Talk = Pick<AskDetail, 'ask' | 'turns'>

/** An attempt with what the person wrote next; null where they wrote nothing. */
function workOf({ ask, turns }: Talk, attempt: AskAttempt): Work | null {
  const next = turns.find(({ after, removed }) => after === attempt.index && !removed)
  return next === undefined
    ? null
    : {
        request: specOf(ask, attempt).text,
        // What tools answered settles nothing that the person's own message does not settle.
        steps: [],
        reply: answerOf(attempt) ?? '',
        next: next.text,
      }
}

/** How an attempt went, by what the person wrote next; null where they wrote nothing, or nothing that settles it. */
export function ruledBy(talk: Talk, attempt: AskAttempt, rules: ClientRules = FITTED): RuledVerdict | null {
  const work = workOf(talk, attempt)
  if (!work) return null
  const verdict = verdictOf(evidenceOf(work, rules.weights), rules.prior)
  return verdict.state === 'open' ? null : verdict
}

/** The attempts of an ask that the person judged, each with the signs in what they wrote next. */
export const judgedSigns = (talk: Talk & Pick<AskDetail, 'attempts'>): JudgedSigns[] =>
  talk.attempts.flatMap((attempt) => {
    const work = attempt.judgement?.by === 'person' ? workOf(talk, attempt) : null
    if (!work) return []
    return [
      { kinds: evidenceOf(work).map(({ kind }) => kind), solved: attempt.judgement?.verdict === 'right' },
    ]
  })

/** The task that a message belongs to: its own, or that of the attempt before it where it goes on with the same goal. */
export function goalOf({ ask, turns, attempts }: Talk & Pick<AskDetail, 'attempts'>, turn: number): string {
  for (let at = turn; at > 0;) {
    const message = turns[at]
    const before = attempts[message?.after ?? -1]
    if (!message || !before) return `${ask.id}/${at}`
    const relation = relationOf(
      { request: specOf(ask, before).text, reply: answerOf(before) ?? '' },
      message.text,
    )
    if (!goesOnWith(relation)) return `${ask.id}/${at}`
    at = before.turn
  }
  return ask.id
}
