import { heldOutLast } from '../../core/lab/protocol'
import { checkSuite, suiteLives } from '../../core/lab/suite'
import { variantOf } from '../../core/lab/experiment'
import type { CellPlan, Study } from '../../shared/domain/experiment'
import { hashTasks, type StreamLibrary } from '../streams/stream-library'

/** The streams an experiment's cells are played on. */
export interface ExperimentStreams {
  /** The one stream's id, or the suite's name. */
  readonly id: string
  readonly title: string
  readonly environment: string
  /** Tasks that the one stream holds, or all streams of the suite together. */
  readonly tasks: number
  /** Skills of each task that the cells take; empty in a suite. */
  readonly skills: string[][]
  /** SHA-256 of the tasks of each stream of a suite, by its name; null where there is one stream. */
  readonly hashes: Record<string, string> | null
  /** The environment of a cell's tasks. */
  environmentOf(cell: Pick<CellPlan, 'stream'>): string
  /** The cells with the number of their tasks, where each has its own. */
  sized(cells: readonly CellPlan[]): CellPlan[]
}

/** @throws LoamError `BAD_INPUT`, `NOT_FOUND`, `TASK_STREAM` */
export async function streamsOf(
  definition: Study,
  streams: Pick<StreamLibrary, 'load'>,
): Promise<ExperimentStreams> {
  const { suite, protocol } = definition
  if (!suite) {
    const { tasks, info } = await streams.load(definition.stream)
    return {
      ...{ id: info.id, title: info.title, environment: info.environment, tasks: tasks.length, hashes: null },
      skills: heldOutLast(tasks.slice(0, definition.tasks ?? tasks.length), protocol).map(
        (task) => task.skills,
      ),
      environmentOf: () => info.environment,
      sized: (cells) => [...cells],
    }
  }
  const methods = definition.methods.map((entry) => variantOf(entry).name)
  checkSuite(suite, methods)
  const names = [...new Set(suiteLives(suite, methods).map(({ stream }) => stream))]
  const counts = new Map<string, number>()
  const hashes: Record<string, string> = {}
  const environments = new Map<string, string>()
  for (const name of names) {
    const { tasks, info } = await streams.load(name)
    const claims = tasks.slice(0, definition.tasks ?? tasks.length)
    counts.set(name, claims.length)
    hashes[name] = await hashTasks(claims)
    environments.set(name, info.environment)
  }
  const environmentOf = ({ stream = '' }: Pick<CellPlan, 'stream'>): string => environments.get(stream) ?? ''
  return {
    ...{ id: definition.stream, title: definition.stream, skills: [], hashes, environmentOf },
    environment: environmentOf({ stream: names.at(-1) }),
    tasks: [...counts.values()].reduce((sum, count) => sum + count, 0),
    sized: (cells) =>
      cells.map((cell) => {
        const tasks = counts.get(cell.stream ?? '')
        return tasks === undefined ? cell : { ...cell, tasks }
      }),
  }
}
