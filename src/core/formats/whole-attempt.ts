import { attemptsOf, type DialogAbout } from '../memory/experiences/import/dialog'
import type { DialogMessage } from '../memory/experiences/import/dialog-message'
import type { AgentLog } from '../memory/experiences/import/log'

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
    if (last) steps[steps.length - 1] = { ...last, observation: last.observation ?? question }
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
