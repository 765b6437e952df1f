import { plannedSteps, type PlanCycle, type Subtask } from '../../shared/domain/plan'
import { NO_USAGE } from '../../shared/domain/usage'
import { LoamError } from '../../shared/errors'
import { readPlannerReply, type PlannerReply } from '../ground/planner-reply'
import { newSubtask } from './executor'

/** Planned work that is begun in its midst: what came before the step stays as it was. */
export interface PlannedBegin {
  /** Of the attempt that is left. */
  readonly cycles: readonly PlanCycle[]
  /** Which of `plannedSteps` is done anew. */
  readonly step: number
  /**
   * What stands in for it, as a person wrote it; null: it is done anew. For a plan, its subtasks one a line, or `FINAL ANSWER:` and the
   * answer; for a subtask, what is to be done instead, or `RESULT:` and what came of it.
   */
  readonly edit: string | null
}

/** A plan and what was read out of it. */
export interface Planned {
  readonly read: PlannerReply
  readonly cycle: PlanCycle
  /** Whether its reply was cut at its length limit. Default false. */
  readonly cut?: boolean
}

const getSelection = (subtask: Subtask): Subtask => ({ ...subtask, usage: NO_USAGE })

/**
 * The plans that stand before a step, with what came of their subtasks; those of the last one that are still to be done are waiting.
 * They cost nothing here. @throws LoamError `BAD_INPUT` for a step that is not there
 */
export function cyclesBefore({ cycles, step, edit }: PlannedBegin): PlanCycle[] {
  const place = plannedSteps(cycles)[step]
  if (!place)
    throw new LoamError('BAD_INPUT', `That attempt has no step ${step + 1}.`, {
      suggestion: 'Pick one of its steps.',
    })
  const whole = cycles
    .slice(0, place.subtask === null ? place.cycle : place.cycle + 1)
    .map((cycle) => ({ ...cycle, usage: NO_USAGE, subtasks: cycle.subtasks.map(getSelection) }))
  if (place.subtask === null) return whole
  const at = place.subtask
  return whole.map((cycle) =>
    cycle.index === place.cycle
      ? {
          ...cycle,
          subtasks: cycle.subtasks.map((one, i) =>
            i < at
              ? one
              : i === at && edit !== null
                ? editedSubtask(one.id, edit)
                : newSubtask(one.id, one.description),
          ),
        }
      : cycle,
  )
}

/** A subtask as a person wrote it. */
function editedSubtask(id: number, edit: string): Subtask {
  const [, result] = /^\s*RESULT:\s*([^]*)$/i.exec(edit) ?? []
  if (result === undefined) return newSubtask(id, edit.trim())
  return { ...newSubtask(id, 'Written by the person.'), status: 'done', result: result.trim() }
}

/** The plan that a person wrote in the place of one; null where they wrote none for it. */
export function writtenPlan(begin: PlannedBegin | undefined, index: number, most: number): Planned | null {
  if (!begin || begin.edit === null) return null
  const place = plannedSteps(begin.cycles)[begin.step]
  if (place?.cycle !== index || place.subtask !== null) return null
  const { edit } = begin
  const match = readPlannerReply(edit, most)
  const read: PlannerReply = match.kind === 'neither' ? { kind: 'plan', steps: stepsIn(edit, most) } : match
  return {
    read,
    cycle: {
      index,
      reply: edit,
      repaired: null,
      thought: null,
      answer: read.kind === 'answer' ? read.text : null,
      subtasks:
        read.kind === 'plan' ? read.steps.map(({ id, description }) => newSubtask(id, description)) : [],
      usage: NO_USAGE,
    },
  }
}

/** Subtasks that are written one a line, numbered or not. */
const stepsIn = (text: string, most: number): { id: number; description: string }[] =>
  text
    .split('\n')
    .map((line) => line.replace(/^\s*(?:\d{1,3}[.)]|[-*])\s+/, '').trim())
    .filter((line) => line !== '')
    .slice(0, most)
    .map((description, i) => ({ id: i + 1, description }))
