import type { ExperienceStep } from '../../shared/domain/experience'
import type { ToolCall } from '../../shared/domain/plan'
import type { Round } from '../../shared/domain/trajectory'
import { complaintOf, type Complaint } from './complaint'

/** What a tool's answer begins with where it stands for a call that failed. */
export const CALL_FAILED = 'The call failed. '

/** What is read of a round. */
export type ComplainedRound = Pick<Round, 'action' | 'observation'> & {
  readonly failed?: boolean | undefined
}

/**
 * What a round of an attempt complained of; null where nothing did. The environment's own mark comes first, a refused reply is told from the
 * round's own reason, and only an answer without any mark is told by its text.
 */
export function complaintOfRound({ action, observation, failed = false }: ComplainedRound): Complaint | null {
  if (action.kind === 'invalid')
    return complaintOf(observation ?? action.reason, action.reason, { refused: true })
  if (observation === null) return null
  const isCall = observation.startsWith(CALL_FAILED)
  const answer = isCall ? observation.slice(CALL_FAILED.length) : observation
  return complaintOf(answer, action.content, { isError: failed || isCall })
}

/** The same of a call that an executor made for a plan. */
export const complaintOfCall = ({ answer }: Pick<ToolCall, 'answer'>, action: string): Complaint | null =>
  answer === null ? null : complaintOf(answer.text, action, { isError: answer.failed })

/** The same of a step of another agent's log, whatever its format; what a log marks as failed counts where its text does not say why. */
export const complaintOfStep = ({
  content,
  observation,
  failed,
}: Pick<ExperienceStep, 'content' | 'observation' | 'failed'>): Complaint | null =>
  complaintOf(observation, content) ?? (failed ? complaintOf(observation, content, { isError: true }) : null)
