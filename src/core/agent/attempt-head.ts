import type { Task } from '../../shared/domain/task'
import type { Trajectory } from '../../shared/domain/trajectory'
import type { Method, MethodContext } from '../ground/method'
import type { Surroundings } from '../ground/prompt'

/**
 * What a trajectory says of an attempt before anything has happened in it.
 * Second: where the task plays. `model`: the name of the one that acts, or plans.
 */
export const attemptHead = (
  {
    id,
    runId,
    memoryId,
    task,
    method,
    context,
  }: {
    readonly id: string
    readonly runId: string
    readonly memoryId: string
    readonly task: Task
    readonly method: Method
    readonly context: Pick<MethodContext, 'seed'>
  },
  { context: label, world }: Surroundings,
  model: string,
): Pick<Trajectory, 'id' | 'runId' | 'memoryId' | 'task' | 'method' | 'model' | 'seed'> => ({
  id,
  runId,
  memoryId,
  task: {
    id: task.id,
    index: task.index,
    environment: task.environment,
    instruction: task.instruction,
    context: label,
    ...(world !== undefined && { world }),
    skills: task.skills,
  },
  method: method.info.id,
  model,
  seed: context.seed,
})
