import { complaintOf } from '../verdict/complaint'
import { attemptsOf, type DialogAbout } from '../memory/experiences/import/dialog'
import type { DialogMessage } from '../memory/experiences/import/dialog-message'
import type { AgentLog } from '../memory/experiences/import/log'

/** What an agent writes that acts in words alone: a block of code, or a line that names an action. */
const ACTS = /```|^[ \t]{0,8}(?:Action|Act|Command)[ \t]{0,8}:/im

/** A step and what came back to it, where that stands as a message of the other side. */
function answered(step: AgentLog['steps'][number], observation: string): AgentLog['steps'][number] {
  if (step.verb !== 'answer' || !ACTS.test(step.content)) return { ...step, observation }
  return { ...step, verb: 'run', observation, failed: complaintOf(observation, step.content) !== null }
}

/**
 * A dialog that was graded as a whole, as one attempt: the first request is its task, and what the person said after that stands as an observation of
 * the step before. In words where it is none.
 */
export function wholeAttempt(dialog: readonly DialogMessage[], about: DialogAbout): AgentLog | string {
  const parts = attemptsOf(dialog, about)
  const [first] = parts
  if (first === undefined) return 'there is no request of a person in it'
  const logs = parts.filter((part) => typeof part !== 'string')
  const [task] = logs
  if (!task || typeof first === 'string') return typeof first === 'string' ? first : 'nobody answered it'
  const steps: AgentLog['steps'][number][] = []
  for (const { question, steps: own } of logs) {
    const last = steps.at(-1)
    if (last && last.observation === null) steps[steps.length - 1] = answered(last, question)
    steps.push(...own)
  }
  const totalOf = (name: 'promptTokens' | 'completionTokens'): number | null => {
    const counts = logs.flatMap((log) => log[name] ?? [])
    return counts.length === 0 ? null : counts.reduce((sum, count) => sum + count, 0)
  }
  return {
    ...task,
    steps,
    next: null,
    promptTokens: totalOf('promptTokens'),
    completionTokens: totalOf('completionTokens'),
  }
}
