import { learnFromAttempt, learningOf } from '../../core/ground/learn-from-attempt'
import { isQuestions } from '../../core/ground/question-environment'
import { foreignAttemptId, playForeignAttempt, underName } from '../../core/lab/foreign-attempt'
import { type RunEntry } from './run-entry'
import type { PlayPorts, RunResources } from './run-resources'
import type { RunServing } from './run-serving'

/**
 * What a stream's memory starts with: each attempt of another agent is played as it was, learned from by the run's method as an attempt of its own would be,
 * and kept under that agent's name. Taken in once per memory: begun again it goes on with the ones that are missing.
 */
export async function importAttempts(
  entry: RunEntry,
  { given = [], environment, bank, method }: RunResources,
  serving: () => RunServing,
  signal: AbortSignal,
  { clock, tell }: Pick<PlayPorts, 'clock' | 'tell'>,
): Promise<void> {
  if (given.length === 0 || isQuestions(environment)) return
  const { config } = entry.state.record
  try {
    for (const [i, attempt] of given.entries()) {
      const id = foreignAttemptId(config.stream, i)
      if (await bank.trajectory(id)) continue
      if (signal.aborted || entry.pauseRequested) return
      entry.building = `Taking in what it is given, ${i + 1} of ${given.length}`
      tell(entry)
      const at = clock.now().toISOString()
      const trajectory = await playForeignAttempt(
        { ...attempt, id },
        { environment, memoryId: config.memoryId, at },
      )
      const learn = learningOf(method, () => serving().context)
      const getReferences = underName(attempt.by)
      await learnFromAttempt(trajectory, learn, bank, { signal, named: getReferences })
    }
  } finally {
    entry.building = null
    tell(entry)
  }
}
