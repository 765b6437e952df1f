import type { Task } from '../../shared/domain/task'
import type { Trajectory, Usage } from '../../shared/domain/trajectory'
import type { WritingCount } from '../../shared/domain/writing'
import { learnFromAttempt, type Learn } from '../ground/learn-from-attempt'
import type { MemoryStore } from '../ground/ports'
import { abortable, abortError } from '../ground/abort'
import { attemptId } from '../ground/identity'

/** What the runner needs to work through a stream. */
export interface RunnerPorts {
  readonly bank: Pick<MemoryStore, 'commit' | 'trajectory'>
  /** Plays one task to its end. Leaves nothing behind; rejects when the engine fails or `signal` fires. */
  attempt(task: Task, signal: AbortSignal): Promise<Trajectory>
  /** What the method takes from a finished attempt. */
  readonly learn: Learn
  /** What was counted of the texts asked for since the last attempt began. Default: nothing is. */
  writings?(): WritingCount[]
  /** Told after the commit, and of attempts found in the journal, which are not played again. */
  finished(trajectory: Trajectory): Promise<void>
  /** Asked before each task: whether it needs no attempt (and has been noted as such). Default: none is left out. */
  carry?(task: Task): Promise<boolean>
  /**
   * Asked before each attempt: builds what a method prepares between the first tasks and the rest, once. A person who wants the
   * run to rest need not wait for its end. Default: there is none.
   */
  prepare?(task: Task, signal: AbortSignal): Promise<void>
  /**
   * Asked before each attempt: brings the soft prompt up to date. Answers what training it took, null when none was due. A
   * person who wants the run to rest need not wait for it: it then ends early, and goes on when the run does. Default: there is none.
   */
  distil?(signal: AbortSignal): Promise<Usage | null>
}

/**
 * Works through `tasks` in order. Each task ends in one atomic commit of the attempt and everything learned
 * from it; a task cut short at any moment before that leaves no trace and is played again after a resume.
 * Tasks before `from` are known to be done; beyond it the journal is asked, since a crash may have come
 * between a commit and its report.
 *
 * @returns `paused` when `pauseRequested` answered true between two tasks.
 * @throws AbortError when `signal` fires; whatever `attempt`, `learn` or the commit failed with.
 */
export async function runTasks(
  runId: string,
  tasks: readonly Task[],
  from: number,
  ports: RunnerPorts,
  control: { readonly signal: AbortSignal; readonly pauseRequested: () => boolean },
): Promise<'done' | 'paused'> {
  const { signal } = control
  let recovering = true
  for (const task of tasks.slice(from)) {
    if (signal.aborted) throw abortError()
    if (await ports.carry?.(task)) continue
    if (recovering) {
      const selection = await ports.bank.trajectory(attemptId(runId, task.index))
      if (selection) {
        await ports.finished(selection)
        continue
      }
      recovering = false
    }
    if (control.pauseRequested()) return 'paused'
    if (ports.prepare) await abortable(ports.prepare(task, signal), signal)
    if (control.pauseRequested()) return 'paused'
    const distilUsage = ports.distil ? await abortable(ports.distil(signal), signal) : null
    if (control.pauseRequested()) return 'paused'
    const attempt = await abortable(ports.attempt(task, signal), signal)
    const noted = () => {
      const writings = ports.writings?.() ?? []
      return { ...(writings.length > 0 && { writings }), ...(distilUsage && { distilUsage }) }
    }
    await ports.finished(await learnFromAttempt(attempt, ports.learn, ports.bank, { signal, noted }))
  }
  return 'done'
}
