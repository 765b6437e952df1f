import { NOTHING_LEARNED, type Method } from '../../ground/method'
import { replayed } from '../../recall/replayed'

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
    everyday: 'never',
  },
  async recall(input, { bank, k }) {
    const newestFirst = await bank.recentSuccesses(k, { environment: input.task.environment })
    return { errorLessons: [], successLessons: [], retrieved: replayed(newestFirst, input) }
  },
  learn: () => Promise.resolve(NOTHING_LEARNED),
}
