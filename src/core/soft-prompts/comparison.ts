import type { ComparedTask, Trial } from '../../shared/domain/soft-prompt'
import type { Task } from '../../shared/domain/task'
import { paired, pairedInterval } from '../../shared/figures/paired'
import type { Trajectory } from '../../shared/domain/trajectory'

/**
 * The tasks a soft prompt is tried on: `count` of those whose wording it was not made from, beginning at position `from` of the
 * stream; the last ones when it is null. Fewer when there are not as many.
 */
export function comparisonTasks(
  tasks: readonly Task[],
  learnedFrom: ReadonlySet<string>,
  count: number,
  from: number | null,
): Task[] {
  if (count === 0) return []
  const unseen = tasks.filter(({ instruction }) => !learnedFrom.has(instruction))
  return from === null ? unseen.slice(-count) : unseen.filter(({ index }) => index >= from).slice(0, count)
}

/** Plays every task without and then with the soft prompt. */
export async function compareTasks(
  tasks: readonly Task[],
  play: (task: Task, withSoftPrompt: boolean) => Promise<Trajectory>,
  onCompared: (task: ComparedTask) => void,
): Promise<ComparedTask[]> {
  const compared: ComparedTask[] = []
  for (const task of tasks) {
    const { id, index, instruction } = task
    const without = playedOf(await play(task, false))
    const one = { id, index, instruction, without, with: playedOf(await play(task, true)) }
    compared.push(one)
    onCompared(one)
  }
  return compared
}

/** What a trial comes to: it is served when the whole interval of what it gains lies above 0. */
export function judgeTrial(tasks: readonly ComparedTask[]): Pick<Trial, 'gain' | 'ci95' | 'served'> {
  const count = paired(
    tasks.map((task) => task.with.reward),
    tasks.map((task) => task.without.reward),
  )
  const { n, onlyThis, onlyOther } = count
  const ci95 = pairedInterval(count)
  return {
    gain: n === 0 ? 0 : (onlyThis - onlyOther) / n,
    ci95: ci95 ? [ci95[0], ci95[1]] : null,
    served: ci95 !== null && ci95[0] > 0,
  }
}

const playedOf = ({ reward, usage }: Trajectory) => ({ reward, promptTokens: usage.promptTokens })
