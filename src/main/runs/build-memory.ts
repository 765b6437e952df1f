import { attemptId } from '../../core/ground/identity'
import { isHeldOut, ONCE, streamCount } from '../../core/lab/protocol'
import { type PlayAttempt } from '../../core/ground/method'
import type { Task } from '../../shared/domain/task'
import type { Trajectory } from '../../shared/domain/trajectory'
import { type RunEntry } from './run-entry'

import type { PlayPorts, RunResources } from './run-resources'
import type { RunServing } from './run-serving'

/** Plays one attempt that is not a task's own. */
type PlayOne = (one: Parameters<PlayAttempt>[0], signal: AbortSignal) => Promise<Trajectory>

/**
 * Builds the method's memory once the first tasks are done, and builds on where the method says; again from its checkpoint after an
 * interruption.
 */
export function memoryBuilder(
  entry: RunEntry,
  { method, tasks, environment, bank }: RunResources,
  serving: () => RunServing,
  play: PlayOne,
  { clock, tell, record }: Pick<PlayPorts, 'clock' | 'tell' | 'record'>,
): (task: Task, signal: AbortSignal) => Promise<void> {
  const { record: run } = entry.state
  const { protocol } = run.config
  const count = streamCount(run.total, protocol ?? ONCE)
  const { settings } = run.config
  const split = method.prepare?.split(settings, count) ?? 0
  const positions = split === 0 ? [] : [split, ...(method.prepare?.again?.(settings, count) ?? [])]
  let builtCount = 0

  const between = (from: number, to: number): Task[] =>
    tasks.slice(from, to).filter(({ skills }) => !isHeldOut(skills, protocol ?? ONCE))

  const build = async (part: number, signal: AbortSignal): Promise<boolean> => {
    const from = positions[part - 1] ?? 0
    const outcome = await method.prepare?.run(
      {
        runId: run.id,
        part,
        environment: environment.id,
        tasks: between(from, positions[part] ?? 0),
        earlier: between(0, from),
        attempted: (one) => bank.trajectory(attemptId(run.id, one.index)),
        play,
        now: () => clock.now(),
        signal,
        pauseRequested: () => entry.pauseRequested,
        activity(text) {
          entry.building = text
          if (!signal.aborted) tell(entry)
        },
      },
      serving().context,
    )
    if (outcome === undefined || outcome === 'paused') return false
    if (entry.state.builds <= part) await record(entry, { kind: 'built', outcome, at: outcome.at })
    return true
  }

  return async (task: Task, signal: AbortSignal): Promise<void> => {
    const due = positions.filter((position) => position <= task.index).length
    if (builtCount >= due) return
    try {
      while (builtCount < due && !entry.pauseRequested) if (await build(builtCount, signal)) builtCount++
    } finally {
      entry.building = null
      tell(entry)
    }
  }
}
