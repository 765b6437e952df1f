import { planText } from '../../ground/planner-reply'
import { dialogText, retell } from '../../ground/prompt'
import { hasActed, NOTHING_LEARNED, type Learned, type RecalledPart } from '../../ground/method'
import type { CaseRecord } from '../../../shared/domain/case'
import { NO_USAGE, type RecalledItem, type Trajectory } from '../../../shared/domain/trajectory'

/**
 * What was done: the last plan of planner and executor, as Memento's cases hold it, else the dialog. Null where a planner answered without
 * a plan: its final answer is no plan for other tasks.
 */
function actionOf({ cycles, rounds }: Trajectory): string | null {
  if (!cycles) return dialogText(rounds)
  const planned = cycles.findLast(({ subtasks }) => subtasks.length > 0)
  return planned ? planText(planned.subtasks) : null
}

/** The case (s_T, a_T, r_T) of an attempt (Memento eq. 12): the task in words, what was done, and the reward. */
export function caseOf(trajectory: Trajectory, plan = dialogText(trajectory.rounds)): CaseRecord {
  return {
    id: `case-${trajectory.id}`,
    trajectoryId: trajectory.id,
    runId: trajectory.runId,
    environment: trajectory.task.environment,
    state: trajectory.task.instruction,
    plan,
    reward: trajectory.reward,
    createdAt: trajectory.finishedAt,
    deletedAt: null,
  }
}

/** A case as it is shown to the model, with why it was chosen. */
export const casePart = (
  found: CaseRecord,
  why: Pick<RecalledItem, 'score' | 'scoreKind' | 'blend'>,
): RecalledPart => ({
  text: `${retell({ instruction: found.state, reward: found.reward, rounds: [] })}${found.plan}`,
  item: {
    kind: 'case',
    id: found.id,
    trajectoryId: found.trajectoryId,
    title: found.state,
    ...why,
    ...(found.mark === 'pinned' && { pinned: true as const }),
    reward: found.reward,
  },
})

/** Keeps an attempt as a case, solved or failed (Memento eq. 12); nothing of one that never acted, or answered without a plan. */
export function keepCase(trajectory: Trajectory): Promise<Learned> {
  const plan = actionOf(trajectory)
  return Promise.resolve(
    plan === null || !hasActed(trajectory)
      ? NOTHING_LEARNED
      : { events: [{ kind: 'case-added', case: caseOf(trajectory, plan) }], usage: NO_USAGE },
  )
}
