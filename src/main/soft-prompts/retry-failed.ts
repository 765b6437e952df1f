import { runAttempt } from '../../core/agent/actor'
import type { SecondTry } from '../../core/soft-prompts/plan'
import { asSolved, failedTasks, secondTry } from '../../core/soft-prompts/retry'
import { throwIfAborted } from '../../core/ground/abort'
import type { Environment } from '../../core/ground/environment'
import type { Clock, Embedder, LanguageModel, PromptTemplates } from '../../core/ground/ports'
import type { Task } from '../../shared/domain/task'
import { addUsage, NO_USAGE, type Trajectory, type Usage } from '../../shared/domain/trajectory'
import type { StoredMemory } from '../memory-store/memory'

/** Most tokens of one reply. */
const MAX_TOKENS = 512

export interface Retrying {
  readonly memory: StoredMemory
  readonly environment: Environment
  readonly model: LanguageModel
  readonly embedder: Embedder
  readonly prompts: PromptTemplates
  readonly clock: Clock
  /** The stream's. */
  readonly tasks: readonly Task[]
  readonly successes: readonly Trajectory[]
  /** Most failed tasks that are tried again, those tried last first. */
  readonly most: number
  readonly signal: AbortSignal | undefined
  readonly onTask: (doneCount: number, total: number) => void
}

/** Tries failed tasks of a memory again, greedily, as `secondTry` says. Leaves nothing behind. `solved`: those it solved, tried last first. */
export async function retryFailed({
  memory,
  tasks,
  most,
  successes,
  ...play
}: Retrying): Promise<{ solved: SecondTry[]; usage: Usage }> {
  const { environment, signal } = play
  const attempts: Trajectory[] = []
  for await (const attempt of memory.trajectories()) attempts.push(attempt)
  // Where the agent is not told, or not told truly, how it did, nobody else learns it either.
  const notices = tasks.filter(({ feedback }) => feedback === undefined)
  const failedFailure = failedTasks(attempts, notices, environment.id, most)
  const solved: SecondTry[] = []
  let usage = NO_USAGE
  for (const [doneCount, { task, failed: before }] of failedFailure.entries()) {
    throwIfAborted(signal)
    play.onTask(doneCount, failedFailure.length)
    const played = await runAttempt({
      id: `retry-${before.id}`,
      runId: before.runId,
      memoryId: before.memoryId,
      task,
      environment,
      method: secondTry(before, successes),
      context: {
        bank: memory,
        embedder: play.embedder,
        prompts: play.prompts,
        model: play.model,
        k: 0,
        seed: before.seed,
        settings: {},
      },
      clock: play.clock,
      temperature: 0,
      maxTokens: MAX_TOKENS,
      signal,
    })
    usage = addUsage(usage, played.usage)
    if (played.reward === 1 && played.ungraded === undefined)
      solved.push({ failed: before, solved: asSolved(before, played) })
  }
  return { solved, usage }
}
