import type { CaseWrite } from '../../ground/ports'
import type { Subtask } from '../../../shared/domain/plan'
import { traitsOf, type Traits } from './relations'

/** How much of what a subtask reported tells one state from another. */
const MOST_CHARACTERS = 200

const cameOf = ({ description, status, result }: Subtask): string =>
  `${description} ${status === 'done' ? result.slice(0, MOST_CHARACTERS) : 'failed'}`

/**
 * The states s_1, s_2, ... of an attempt (Memento, figure 2), in words: the task and what came of its plans so far, as the planner reads them before
 * it writes the next one. The first, s_0, is the task alone and that of the case. None where the planner had one turn, or there is no planner.
 */
export function laterStates({ case: output, attempt }: Pick<CaseWrite, 'case' | 'attempt'>): string[] {
  const cycles = attempt?.cycles ?? []
  return cycles.slice(1).map((_, i) => {
    const before = cycles.slice(0, i + 1).flatMap(({ subtasks }) => subtasks)
    return [output.state, ...before.map(cameOf)].join('\n')
  })
}

/** A later state as it is compared. */
export const laterTraits = (
  text: string,
  { attempt }: Pick<CaseWrite, 'attempt'>,
  vector: Float32Array,
): Traits => traitsOf(text, attempt?.task.context ?? '', vector)
