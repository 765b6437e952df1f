import type { Task } from '../../../shared/domain/task'
import { openEpisode, type Environment } from '../../ground/environment'
import { readToolTask } from './environment'
import { writeCall, writeMessage } from './grammar'
import { askFor } from './user-tools'

/** Why the gold actions of a task do not solve it; null when they do. */
export async function playGold(environment: Environment, task: Task): Promise<string | null> {
  const { actions, communicate_info } = readToolTask(task).entry.evaluation_criteria
  const facts = writeMessage(communicate_info.length > 0 ? communicate_info.join(', ') : 'It is done.')
  const replies = actions.map(({ name, arguments: args, requestor }) =>
    // The user does what the agent asks for by name.
    requestor === 'user' ? writeMessage(askFor(name, args)) : writeCall(name, args),
  )
  const episode = await openEpisode(environment, task)
  try {
    for (let round = 0; round < environment.maxRounds; round++) {
      const outcome = await episode.step(replies[round] ?? facts)
      if (outcome.done) {
        // Ungraded: everything that can be checked holds, and the rest is about what was said on the way.
        if (outcome.reward === 1 || outcome.ungraded !== undefined) return null
        const failures = outcome.scores?.filter(({ value }) => value < 1) ?? []
        return failures.map(({ name, detail }) => `${name}${detail ? ` (${detail})` : ''}`).join('; ')
      }
    }
    return 'The conversation does not end.'
  } finally {
    episode.close()
  }
}
