import type { Trajectory } from '../../shared/domain/trajectory'
import type { RecalledPart } from '../ground/method'
import { retellTrajectory, type Surroundings } from '../ground/prompt'

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
