import { applyPlanEvent } from '../../shared/domain/plan'
import { runAfter, type LiveTask, type RunDelta, type RunInfo } from '../../shared/domain/run'
import type { Trajectory } from '../../shared/domain/trajectory'

/** One run as the screen knows it. */
export interface RunView {
  readonly run: RunInfo
  /** The task being worked on; null between tasks and when the run is not going. */
  readonly live: LiveTask | null
  /** The task finished last, kept on screen until the next one starts. */
  readonly last: Trajectory | null
}

/** Brings a view up to date with a batch of deltas, in order. Pure; one new object per batch. */
export function applyRunDeltas(view: RunView, deltas: readonly RunDelta[]): RunView {
  return deltas.reduce(applyRunDelta, view)
}

function applyRunDelta(view: RunView, delta: RunDelta): RunView {
  switch (delta.kind) {
    case 'run':
      // A run that no longer goes has no task under way: nothing of it may look as if it did.
      return {
        ...view,
        run: runAfter(view.run, delta),
        live: delta.run.status === 'running' ? view.live : null,
      }
    case 'task-started':
      return { ...view, live: delta.live }
    case 'token':
      return view.live
        ? { ...view, live: { ...view.live, streaming: view.live.streaming + delta.text } }
        : view
    case 'round':
      return view.live
        ? { ...view, live: { ...view.live, rounds: [...view.live.rounds, delta.round], streaming: '' } }
        : view
    case 'plan':
      return view.live
        ? {
            ...view,
            live: {
              ...view.live,
              cycles: applyPlanEvent(view.live.cycles ?? [], delta.event),
              streaming: '',
            },
          }
        : view
    case 'task-finished':
      return { run: withReward(view.run, delta.trajectory), live: null, last: delta.trajectory }
  }
}

/** Adds the reward to the curve unless a `run` delta already brought it. */
function withReward(run: RunInfo, trajectory: Trajectory): RunInfo {
  if (trajectory.task.index !== run.rewards.length) return run
  return {
    ...run,
    rewards: [...run.rewards, trajectory.reward],
    done: run.done + 1,
    solved: run.solved + trajectory.reward,
  }
}

/** Whether a run can still change. */
export function isActive(run: RunInfo): boolean {
  return run.status === 'queued' || run.status === 'running' || run.status === 'paused'
}
