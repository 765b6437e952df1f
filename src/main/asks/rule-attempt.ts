import { FITTED, weightsIn, type ClientRules, type JudgedSigns } from '../../core/verdict/client-rules'
import { claimOf, evidenceOf, type Work } from '../../core/verdict/evidence'
import { goesOnWith } from '../../core/verdict/goals'
import { relationOf } from '../../core/verdict/relation'
import { verdictOf } from '../../core/verdict/verdict'
import { answerOf, specOf, type AskAttempt, type AskDetail } from '../../shared/domain/ask'
import type { MessageReading, RuledVerdict } from '../../shared/domain/verdict'

type Talk = Pick<AskDetail, 'ask' | 'turns'>

/** What the person wrote after an attempt, when, and its place from 0; null where they wrote nothing. */
export function nextAfter({ turns }: Pick<Talk, 'turns'>, { index }: AskAttempt) {
  const turn = turns.findIndex(({ after, removed }) => after === index && !removed)
  const message = turns[turn]
  return message ? { turn, text: message.text, at: message.at } : null
}

/** A model's reading of what the person wrote next; null where that was another message. */
function readingIn(talk: Talk, attempt: AskAttempt): MessageReading | null {
  const { reading } = attempt
  return reading !== null && reading.turn === nextAfter(talk, attempt)?.turn ? reading : null
}

/** An attempt with what the person wrote next. */
const workOf = (talk: Talk, attempt: AskAttempt): Work => ({
  request: specOf(talk.ask, attempt).text,
  // What tools answered settles nothing that the person's own message does not settle.
  steps: [],
  reply: answerOf(attempt) ?? '',
  next: nextAfter(talk, attempt)?.text ?? null,
  reading: readingIn(talk, attempt)?.relation ?? null,
})

/** How the signs of an attempt lean, settled or not. */
export const leaningOf = (talk: Talk, attempt: AskAttempt, rules: ClientRules = FITTED): RuledVerdict =>
  verdictOf(
    evidenceOf(workOf(talk, attempt), weightsIn(rules, readingIn(talk, attempt)?.model ?? null)),
    rules.prior,
  )

/** How an attempt went, by what the person wrote next; null where they wrote nothing, or nothing that settles it. */
export function ruledBy(talk: Talk, attempt: AskAttempt, rules: ClientRules = FITTED): RuledVerdict | null {
  if (nextAfter(talk, attempt) === null) return null
  const verdict = leaningOf(talk, attempt, rules)
  return verdict.state === 'open' ? null : verdict
}

/** The attempts of an ask that the person judged, each with the signs in what they wrote next. */
export const judgedSigns = (talk: Talk & Pick<AskDetail, 'attempts'>): JudgedSigns[] =>
  talk.attempts.flatMap((attempt) => {
    if (attempt.judgement?.by !== 'person' || nextAfter(talk, attempt) === null) return []
    const kinds = evidenceOf(workOf(talk, attempt)).map(({ kind }) => kind)
    const reading = readingIn(talk, attempt)
    return [
      {
        ...{ kinds, solved: attempt.judgement.verdict === 'right' },
        reading: reading && {
          model: reading.model,
          claim: reading.relation === null ? null : claimOf(reading.relation),
        },
      },
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
