import type { Learn } from '../ground/learn-from-attempt'
import { toldAttempt } from '../agent/taught-attempt'
import type { Trajectory } from '../../shared/domain/trajectory'

/** The attempt that stands for what a wrong one should have been. */
export const toldId = (id: string): string => `${id}-told`

/**
 * Learning that is told the known answer of what was answered wrongly: from the attempt as it should have been, in the place of the wrong one, which
 * stays in the journal. Of what was right, held out, ungraded or has no known answer it learns as `learn` does.
 */
export const learningAnswers =
  (learn: Learn, answerOf: (attempt: Trajectory) => string | null): Learn =>
  async (attempt, signal) => {
    const { reward, heldOut, ungraded } = attempt
    const isWrong = reward === 0 && heldOut !== true && ungraded === undefined
    const answer = isWrong ? answerOf(attempt) : null
    if (answer === null) return learn(attempt, signal)
    const right = toldAttempt(attempt, answer, toldId(attempt.id))
    const { events, ...cost } = await learn(right, signal)
    return { ...cost, events: [{ kind: 'trajectory-added', trajectory: right }, ...events] }
  }
