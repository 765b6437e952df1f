import type { Task } from '../../../shared/domain/task'
import { openEpisode, type Environment } from '../../ground/environment'
import { readSpreadsheetTask } from './environment'
import { writeCode } from './grammar'

/** Why a task's own solution does not solve it; null when it does, undefined when it has none. */
export async function playSolution(environment: Environment, task: Task): Promise<string | null | undefined> {
  const { solution } = readSpreadsheetTask(task)
  if (solution === undefined) return undefined
  const episode = await openEpisode(environment, task)
  try {
    const ran = await episode.step(writeCode(solution))
    if (ran.done) return 'The solution is no code.'
    if (ran.failed === true) return ran.observation
    const outcome = await episode.step('Action: Done')
    if (!outcome.done) return 'The attempt does not end.'
    return outcome.reward === 1 ? null : (outcome.ungraded ?? outcome.scores?.[0]?.detail ?? 'not solved')
  } finally {
    episode.close()
  }
}
