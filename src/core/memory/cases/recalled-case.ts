import { planText } from '../../ground/planner-reply'
import { dialogText, retell, type Surroundings } from '../../ground/prompt'
import { hasActed, NOTHING_LEARNED, type Learned, type RecalledPart } from '../../ground/method'
import type { MemoryStore } from '../../ground/ports'
import type { CaseRecord } from '../../../shared/domain/case'
import { NO_USAGE, type RecalledItem, type Trajectory } from '../../../shared/domain/trajectory'

/**
 * What was done: the last plan of planner and executor, as Memento's cases hold it, else the dialog. Null where a planner answered without
 * a plan, or an executor alone: a final answer is no plan for other tasks.
 */
function actionOf({ cycles, rounds }: Trajectory): string | null {
  if (!cycles) return dialogText(rounds)
  const planned = cycles.findLast(({ subtasks, answer }) => subtasks.length > 0 && answer === null)
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
    ...(trajectory.probation !== undefined && { probation: trajectory.probation }),
    createdAt: trajectory.finishedAt,
    deletedAt: null,
  }
}

/** A case that was chosen, and why. */
export interface ChosenCase {
  readonly record: CaseRecord
  readonly why: Pick<RecalledItem, 'score' | 'scoreKind' | 'blend'>
}

/** Cases as they are shown with a task that plays in `present`: with what their own attempt was shown, where that was somewhere else. */
export const caseParts = (
  cases: readonly ChosenCase[],
  present: Surroundings,
  bank: Pick<MemoryStore, 'trajectory'>,
): Promise<RecalledPart[]> =>
  Promise.all(
    cases.map(async ({ record, why }) => {
      const attempt = await bank.trajectory(record.trajectoryId)
      return casePart(record, why, attempt?.task, present)
    }),
  )

const casePart = (
  match: CaseRecord,
  why: ChosenCase['why'],
  place: Surroundings | undefined,
  present: Surroundings,
): RecalledPart => ({
  text: `${retell({ ...place, instruction: match.state, reward: match.reward, probation: match.probation, rounds: [] }, present)}${match.plan}`,
  item: {
    kind: 'case',
    id: match.id,
    trajectoryId: match.trajectoryId,
    title: match.state,
    ...why,
    ...(match.mark === 'pinned' && { pinned: true as const }),
    reward: match.reward,
    ...(match.probation !== undefined && { unproven: true as const }),
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
