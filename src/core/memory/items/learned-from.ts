import type { Trajectory } from '../../../shared/domain/trajectory'

/**
 * What every item says that a method writes after an attempt: its kind, an id that follows from the attempt, and where it comes from.
 * `trajectoryIds`: the attempts it was written from; the attempt alone where none are named.
 */
export const learnedFrom = <Kind extends string>(
  kind: Kind,
  { id, runId, task, finishedAt }: Trajectory,
  trajectoryIds: readonly string[] = [id],
) => ({
  kind,
  id: `${kind}-${id}`,
  runId,
  environment: task.environment,
  trajectoryIds: [...trajectoryIds],
  createdAt: finishedAt,
})
