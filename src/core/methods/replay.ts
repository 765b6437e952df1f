import { retellTrajectory } from '../agent/prompt'
import type { Method } from './method'

/** Trajectory experience replay (TER), the baseline of EvoSC's table 1: the K most recent successes, oldest first. */
export const replay: Method = {
  info: {
    id: 'replay',
    title: 'Replay',
    description: 'Shows the agent its most recent successes, whatever they were about.',
    source: 'Trajectory experience replay, the baseline in EvoSC (table 1)',
    usesK: true,
    defaultK: 4,
  },
  async recall({ task }, { bank, k }) {
    const newestFirst = await bank.recentSuccesses(k, { environment: task.environment })
    const retrieved = newestFirst.reverse().map((trajectory, i, all) => ({
      text: retellTrajectory(trajectory),
      item: {
        kind: 'trajectory' as const,
        id: trajectory.id,
        trajectoryId: trajectory.id,
        title: trajectory.task.instruction,
        score: all.length - i,
        scoreKind: 'recency',
        reward: trajectory.reward,
      },
    }))
    return { errorLessons: [], successLessons: [], retrieved }
  },
  learn: () => Promise.resolve([]),
}
