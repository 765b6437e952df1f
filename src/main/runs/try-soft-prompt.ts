import { runAttempt, type AttemptInput } from '../../core/agent/actor'
import { isHeldOutTask } from '../../core/soft-prompts/plan'
import { judgeTrial } from '../../core/soft-prompts/comparison'
import { attemptId } from '../../core/ground/identity'
import type { MemoryStore } from '../../core/ground/ports'
import { throwIfAborted } from '../../core/ground/abort'
import type { ComparedTask, Trial } from '../../shared/domain/soft-prompt'
import type { Task } from '../../shared/domain/task'
import { addUsage, NO_USAGE, type Trajectory } from '../../shared/domain/trajectory'

/** Most tasks a soft prompt is tried on, the newest ones. */
const MOST_TRIED = 40

/** What trying a soft prompt needs of its run. */
export interface TrialInput {
  /** Everything an attempt of the run is made with but its task, its name and its soft prompt. */
  readonly attempt: Omit<AttemptInput, 'id' | 'task' | 'softPrompt'>
  readonly softPrompt: NonNullable<AttemptInput['softPrompt']>
  /** The tasks that were done. */
  readonly tasks: readonly Task[]
  /** Share of them that is held out, and the draw's seed: as in training. */
  readonly holdOut: number
  readonly seed: number
  readonly signal: AbortSignal
  readonly onTask: (doneCount: number, total: number) => void
}

/** The memory as it would be without one attempt and what was written from it. */
function withoutAttempt(bank: MemoryStore, { id, task }: Trajectory): MemoryStore {
  const own: Pick<MemoryStore, 'recentSuccesses' | 'items'> = {
    async recentSuccesses(limit, filter) {
      const matches = await bank.recentSuccesses(limit + 1, filter)
      return matches
        .filter((other) => other.id !== id && other.task.instruction !== task.instruction)
        .slice(0, limit)
    },
    async items(kind, filter) {
      return (await bank.items(kind, filter)).filter(
        (memory) => !('trajectoryIds' in memory && memory.trajectoryIds.includes(id)),
      )
    },
  }
  return Object.assign(Object.create(bank) as MemoryStore, own)
}

/**
 * Plays held-out tasks of a run again, with today's memory less what these tasks themselves left in it, each without and with the soft
 * prompt. Leaves nothing behind. With no held-out task the trial says nothing, and the soft prompt is not served.
 */
export async function trySoftPrompt(input: TrialInput, at: () => Date): Promise<Trial> {
  const { attempt, tasks, holdOut, seed, signal } = input
  const { runId, context } = attempt
  const holdings: { readonly task: Task; readonly before: Trajectory }[] = []
  for (const task of tasks) {
    const before = await context.bank.trajectory(attemptId(runId, task.index))
    if (before && before.ungraded === undefined && isHeldOutTask(before.task, holdOut, seed))
      holdings.push({ task, before })
  }
  const trials = holdings.slice(-MOST_TRIED)
  const compared: ComparedTask[] = []
  let usage = NO_USAGE
  for (const [doneCount, { task, before }] of trials.entries()) {
    input.onTask(doneCount, trials.length)
    const play = async (served: boolean) => {
      throwIfAborted(signal)
      const played = await runAttempt({
        ...attempt,
        context: { ...context, bank: withoutAttempt(context.bank, before) },
        id: `trial-${before.id}`,
        task,
        signal,
        ...(served && { softPrompt: input.softPrompt }),
      })
      usage = addUsage(usage, played.usage)
      return { reward: played.reward, promptTokens: played.usage.promptTokens }
    }
    const { id, index, instruction } = task
    compared.push({ id, index, instruction, without: await play(false), with: await play(true) })
  }
  return { at: at().toISOString(), tasks: compared, usage, ...judgeTrial(compared) }
}
