import { attemptId } from '../../core/ground/identity'
import { isHeldOut, ONCE, streamCount } from '../../core/lab/protocol'
import { type PlayAttempt } from '../../core/ground/method'
import type { Task } from '../../shared/domain/task'
import type { Trajectory } from '../../shared/domain/trajectory'
import { runDelta, type RunEntry } from './run-entry'

import type { PlayPorts, RunResources } from './run-resources'
import type { RunServing } from './run-serving'

/** Plays one attempt that is not a task's own. */
type PlayOne = (one: Parameters<PlayAttempt>[0], signal: AbortSignal) => Promise<Trajectory>

/** Builds the method's memory once the first tasks are done; again from its checkpoint after an interruption. */
export function memoryBuilder(
  entry: RunEntry,
  { method, tasks, environment, bank }: RunResources,
  serving: () => RunServing,
  play: PlayOne,
  { clock, tell, record }: Pick<PlayPorts, 'clock' | 'tell' | 'record'>,
): (task: Task, signal: AbortSignal) => Promise<void> {
  const { record: run } = entry.state
  const { protocol } = run.config
  const split = method.prepare?.split(run.config.settings, streamCount(run.total, protocol ?? ONCE)) ?? 0
  let prepared = method.prepare === undefined || split === 0

  return async (task: Task, signal: AbortSignal): Promise<void> => {
    if (prepared || task.index < split) return
    try {
      do {
        const outcome = await method.prepare?.run(
          {
            runId: run.id,
            environment: environment.id,
            tasks: tasks.slice(0, split).filter(({ skills }) => !isHeldOut(skills, protocol ?? ONCE)),
            attempted: (one) => bank.trajectory(attemptId(run.id, one.index)),
            play,
            now: () => clock.now(),
            signal,
            pauseRequested: () => entry.pauseRequested,
            activity(text) {
              entry.building = text
              if (!signal.aborted) tell(entry, runDelta(entry))
            },
          },
          serving().context,
        )
        if (outcome === undefined || outcome === 'paused') continue
        prepared = true
        if (!entry.state.built) await record(entry, { kind: 'built', outcome, at: outcome.at })
      } while (!prepared && !entry.pauseRequested)
    } finally {
      entry.building = null
      tell(entry, runDelta(entry))
    }
  }
}
