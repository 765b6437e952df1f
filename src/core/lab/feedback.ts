import type { Task } from '../../shared/domain/task'
import type { Trajectory } from '../../shared/domain/trajectory'

/** Why an attempt stays ungraded whose reward is not told. */
const WITHHELD = 'The reward of this task was not told.'

/**
 * An attempt as the agent hears of it: where the stream says so its reward is the opposite of what it was, or not told at all. What it really was
 * stands in `measured`, which figures read and nothing learns from. What nobody could judge stays so.
 */
export function asTold(trajectory: Trajectory, { feedback }: Pick<Task, 'feedback'>): Trajectory {
  if (feedback === undefined || trajectory.ungraded !== undefined) return trajectory
  // Parts of the grade would tell what is not to be told.
  const { scores: _scores, ...played } = trajectory
  const measurement = trajectory.reward
  return feedback === 'flipped'
    ? { ...played, reward: measurement === 1 ? 0 : 1, measured: measurement }
    : { ...played, reward: 0, ungraded: WITHHELD, measured: measurement }
}

/** The reward that figures count: what it was, whatever was told of it. */
export const measuredReward = ({ reward, measured }: Pick<Trajectory, 'reward' | 'measured'>): 0 | 1 =>
  measured ?? reward
