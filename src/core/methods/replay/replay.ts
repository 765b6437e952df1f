import type { Trajectory } from '../../../shared/domain/trajectory'
import { retellTrajectory, type Surroundings } from '../../ground/prompt'
import { NOTHING_LEARNED, type Method, type RecalledPart } from '../../ground/method'

/**
 * Past attempts, given newest first, as they are shown with a task that plays in `present`: oldest first. Score: how many places back, 1 is
 * the newest.
 */
export const replayed = (newestFirst: readonly Trajectory[], present: Surroundings): RecalledPart[] =>
  newestFirst
    .map((trajectory, i) => ({
      text: retellTrajectory(trajectory, present),
      item: {
        kind: 'trajectory' as const,
        id: trajectory.id,
        trajectoryId: trajectory.id,
        title: trajectory.task.instruction,
        score: i + 1,
        scoreKind: 'recency',
        reward: trajectory.reward,
      },
    }))
    .reverse()

/** Trajectory experience replay (TER), the baseline of EvoSC's table 1: the K most recent successes, oldest first. */
export const replay: Method = {
  info: {
    id: 'replay',
    title: 'Replay',
    description: 'Shows the agent its most recent successes, whatever they were about.',
    source: 'Trajectory experience replay, the baseline in EvoSC (table 1)',
    usesK: true,
    defaultK: 4,
    colour: 3,
    keeps: [],
    recalls: [{ kind: 'trajectory', what: 'the K most recent successes, the newest last', place: 'task' }],
    suggested: ['experiment'],
  },
  async recall(input, { bank, k }) {
    const newestFirst = await bank.recentSuccesses(k, { environment: input.task.environment })
    return { errorLessons: [], successLessons: [], retrieved: replayed(newestFirst, input) }
  },
  learn: () => Promise.resolve(NOTHING_LEARNED),
}
