import { dialogText, retell } from '../agent/prompt'
import type { CaseRecord } from '../../shared/domain/case'
import type { Trajectory } from '../../shared/domain/trajectory'
import type { Method } from './method'

/** The case (s_T, a_T, r_T) of an attempt (Memento eq. 12): the task in words, what was done, and the reward. */
export function caseOf(trajectory: Trajectory): CaseRecord {
  return {
    id: `case-${trajectory.id}`,
    trajectoryId: trajectory.id,
    runId: trajectory.runId,
    environment: trajectory.task.environment,
    state: trajectory.task.instruction,
    plan: dialogText(trajectory.rounds),
    reward: trajectory.reward,
    createdAt: trajectory.finishedAt,
    deletedAt: null,
  }
}

/**
 * Memento's non-parametric case memory (eq. 12, 13): every attempt, solved or failed, is written as a case;
 * the K cases most similar to the new task are read back, best last so that it stands next to the task.
 */
export const caseBank: Method = {
  info: {
    id: 'case-bank',
    title: 'Case bank',
    description: 'Keeps every attempt and recalls the ones most like the new task, failures included.',
    source: 'Memento, non-parametric case memory (eq. 12 and 13), K = 4',
    usesK: true,
    defaultK: 4,
  },
  async recall({ task, signal }, { bank, embedder, k }) {
    const [vector] = await embedder.embed([task.instruction], signal ? { signal } : {})
    if (!vector || k === 0) return { errorLessons: [], successLessons: [], retrieved: [] }
    const bestFirst = await bank.nearest(vector, k, { environment: task.environment })
    const retrieved = bestFirst.reverse().map(({ case: found, score }) => ({
      text: `${retell({ instruction: found.state, reward: found.reward, rounds: [] })}${found.plan}`,
      item: {
        kind: 'case' as const,
        id: found.id,
        trajectoryId: found.trajectoryId,
        title: found.state,
        score,
        scoreKind: 'cosine',
        reward: found.reward,
      },
    }))
    return { errorLessons: [], successLessons: [], retrieved }
  },
  learn: (trajectory) => Promise.resolve([{ kind: 'case-added' as const, case: caseOf(trajectory) }]),
}
