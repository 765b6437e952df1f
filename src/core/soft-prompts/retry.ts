import { NOTHING_RECALLED, hasActed, type Method } from '../ground/method'
import { suggestedMethod } from '../methods'
import { replayed } from '../recall/replayed'
import type { Task } from '../../shared/domain/task'
import type { Trajectory } from '../../shared/domain/trajectory'
import { likeness, taskKey } from './plan'

/**
 * Successes shown beside the failed attempt when its task is tried again. Of 40 failed tasks of a fresh world the demo model then solves 40 with
 * none or 4 of them, and 39 with 8; with 8 successes and without the failed attempt 33.
 */
const SHOWN = 4

/** A task that was never solved, and the newest attempt at it. */
export interface FailedTask {
  readonly task: Task
  readonly failed: Trajectory
}

/**
 * The tasks of an environment that were tried, graded and never solved, each once, those tried last first; at most `most`. `attempts`: all of them,
 * oldest first; `tasks`: those that can be played, others are left out.
 */
export function failedTasks(
  attempts: readonly Trajectory[],
  tasks: readonly Task[],
  environment: string,
  most: number,
): FailedTask[] {
  const open = new Map<string, Trajectory>()
  for (const attempt of attempts.filter(({ task }) => task.environment === environment)) {
    const key = taskKey(attempt.task)
    open.delete(key)
    if (attempt.reward === 0 && attempt.ungraded === undefined && hasActed(attempt)) open.set(key, attempt)
  }
  for (const { reward, task } of attempts) if (reward === 1) open.delete(taskKey(task))
  const namedMap = new Map(tasks.map((task) => [`${task.id}\n${task.instruction}`, task]))
  return [...open.values()]
    .reverse()
    .flatMap((failure) => {
      const task = namedMap.get(`${failure.task.id}\n${failure.task.instruction}`)
      return task ? [{ task, failed: failure }] : []
    })
    .slice(0, most)
}

/**
 * How a failed task is tried again: shown what the failed attempt did and found out, and the successes most like it. So it may act on what was found
 * out too late, and what comes of it is checked by the environment, not taken on trust.
 */
export function secondTry(failure: Trajectory, successes: readonly Trajectory[]): Method {
  const like = likeness(successes)
  const nearest = successes
    .filter(({ task }) => taskKey(task) !== taskKey(failure.task))
    .map((other, at) => ({ other, score: like(failure, other), at }))
    .sort((a, b) => b.score - a.score || a.at - b.at)
    .slice(0, SHOWN)
    .map(({ other }) => other)
  return {
    ...suggestedMethod('baseline'),
    recall: (input) =>
      Promise.resolve({ ...NOTHING_RECALLED, retrieved: replayed([failure, ...nearest], input) }),
  }
}

/** The failed attempt as it would have gone: its name and what was recalled for it, with what the second try did. */
export const asSolved = (failure: Trajectory, { rounds, finish, reward }: Trajectory): Trajectory => ({
  ...failure,
  rounds,
  finish,
  reward,
})
