import type { AskVerdict, VerdictInput } from '../../shared/domain/ask'
import { stepName } from '../../shared/domain/plan'
import { A_PERSON } from '../memory/items/trust'
import { NO_USAGE, type Round, type Score, type Trajectory } from '../../shared/domain/trajectory'

/** A verdict, and whose. Default: a person's. */
type Judged = VerdictInput & Partial<Pick<AskVerdict, 'by' | 'judge' | 'probation'>>

const judgeName = ({ by = 'person', judge }: Judged): string =>
  by === 'person'
    ? A_PERSON
    : by === 'model'
      ? (judge ?? 'a model')
      : { check: 'its check', rule: 'what followed' }[by]

const WORTH = { right: 1, partly: 0.5, wrong: 0 } as const
const WORDS = { right: 'Right', partly: 'Partly right', wrong: 'Wrong' } as const

/** The score of an answer that a person wrote; its detail is what they said beside it. */
export const WRITTEN_BY_A_PERSON = 'Written by a person'

/** What a person said of an attempt, as its story is retold; null where there is nothing but the verdict. */
function remark(attempt: Trajectory, { verdict, answer, wrongAt, note }: VerdictInput): string | null {
  const at =
    wrongAt === null
      ? null
      : `It went wrong at ${stepName(attempt, wrongAt)}${note === null ? '.' : `: ${note}`}`
  const message = at ?? note
  if (message === null) return null
  return `${WORDS[verdict]}. ${message}${answer === null ? '' : ` It should have been: ${answer}`}`
}

/**
 * An attempt as a person judged it, under an id of its own: only `right` is solved. What they said beside the verdict is the user's
 * last word in the story, so that every method that retells attempts tells it.
 */
export function judgedAttempt(attempt: Trajectory, teaching: Judged, id: string): Trajectory {
  const { ungraded: _unjudged, ...rest } = attempt
  const { verdict, wrongAt, note, probation = null } = teaching
  const score: Score = {
    name: `Judged by ${judgeName(teaching)}`,
    value: WORTH[verdict],
    ...(note !== null && { detail: note }),
  }
  // What a judge gives as its reasons is in the score; nobody said it to the agent.
  const message = (teaching.by ?? 'person') === 'person' ? remark(attempt, teaching) : null
  const rounds = attempt.rounds.map((round): Round => {
    const last = round.index === attempt.rounds.length - 1
    const isSpoken = last && message !== null && round.observation === null
    return isSpoken ? { ...round, observation: message, from: 'user' } : round
  })
  const scores =
    wrongAt === null ? [score] : [score, { name: `Went wrong at ${stepName(attempt, wrongAt)}`, value: 0 }]
  const reward = verdict === 'right' ? 1 : 0
  return {
    ...rest,
    id,
    rounds,
    scores,
    reward,
    judgedBy: judgeName(teaching),
    ...(probation !== null && { probation }),
    verdictOn: attempt.id,
  }
}

/**
 * The attempt as it should have been: a person's answer in the place of the agent's, solved. Nothing was recalled for it and it cost
 * no tokens. `rounds` are what acting it out came to; default: the answer alone. A note of theirs is the detail of its score.
 */
export function correctedAttempt(
  attempt: Trajectory,
  { answer, note }: { readonly answer: string; readonly note: string | null },
  id: string,
  rounds?: readonly Round[],
): Trajectory {
  const {
    ungraded: _unjudged,
    cycles: _plans,
    reason: _why,
    decisions: _passes,
    read: _others,
    ...rest
  } = attempt
  return {
    ...rest,
    id,
    recalled: [],
    rounds: rounds
      ? [...rounds]
      : [
          {
            index: 0,
            completion: answer,
            action: { kind: 'answer', content: answer },
            observation: null,
            usage: NO_USAGE,
          },
        ],
    finish: 'completed',
    ...(attempt.question && { question: { ...attempt.question, answer } }),
    scores: [{ name: WRITTEN_BY_A_PERSON, value: 1, ...(note !== null && { detail: note }) }],
    reward: 1,
    judgedBy: A_PERSON,
    usage: NO_USAGE,
  }
}

/** The score of an answer that stood beside the task. */
const KNOWN_ANSWER = 'The known answer'

/** As {@link correctedAttempt}, by the answer that the task is known to have: its world vouches for it, nobody judged. */
export function toldAttempt(attempt: Trajectory, answer: string, id: string): Trajectory {
  const {
    judgedBy: _nobody,
    unaided: _alone,
    ...corrected
  } = correctedAttempt(attempt, { answer, note: null }, id)
  return { ...corrected, scores: [{ name: KNOWN_ANSWER, value: 1 }] }
}
