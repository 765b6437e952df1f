import type { ExperienceStep } from '../../../../shared/domain/experience'
import { isRecord } from '../../../ground/record'
import { SHELL_TOOLS } from '../../../ground/shell-tools'
import { verbOf, verbOfCommand } from '../actions'
import { complaintOf } from '../../../verdict/complaint'
import { step, type AgentLog } from './log'
import { parsedOr } from './message'
import { textOf } from './records'
import type { DialogMessage, DialogCall } from './dialog-message'
import { isRequest } from './sessions'

/** What is known of a dialog beside its messages. */
export type DialogAbout = Pick<AgentLog, 'framework' | 'domain'> &
  Partial<Pick<AgentLog, 'frameworkVersion' | 'model' | 'sourceId' | 'createdAt' | 'outcome' | 'extra'>>

/** A call as a step: of a shell its command, of anything else its arguments as JSON. */
export function stepOfCall({ tool, given }: Pick<DialogCall, 'tool' | 'given'>, reason = ''): ExperienceStep {
  const value = typeof given === 'string' ? parsedOr(given) : given
  const command = isRecord(value) ? (value['command'] ?? value['cmd']) : undefined
  if (SHELL_TOOLS.has(tool.toLowerCase()) && command !== undefined) {
    const text = Array.isArray(command) ? command.map(textOf).join(' ') : textOf(command)
    return step({ verb: verbOfCommand(text), tool, content: text, reason })
  }
  return step({ verb: verbOf(tool), tool, content: textOf(value), reason })
}

interface Attempt {
  readonly question: string
  readonly steps: ExperienceStep[]
  /** Steps whose calls were not answered yet, by the call's id or in order. */
  readonly open: { readonly id: string | null; readonly at: number }[]
  createdAt: string | null
  model: string | null
  prompt: number | null
  completion: number | null
}

/**
 * The attempts of a dialog, one per request of the person; what the agent says without calling a tool is an answer. A request that nobody
 * answered is said in words instead.
 */
export function attemptsOf(dialog: Iterable<DialogMessage>, about: DialogAbout): (AgentLog | string)[] {
  const attempts: Attempt[] = []
  for (const message of dialog) {
    if (message.role === 'user' && isRequest(message.text)) {
      const { text: question, time = null } = message
      attempts.push({
        question,
        steps: [],
        open: [],
        createdAt: time,
        model: null,
        prompt: null,
        completion: null,
      })
    }
    const attempt = attempts.at(-1)
    if (attempt) take(attempt, message)
  }
  return attempts.map((attempt, i) => finished(attempt, attempts[i + 1]?.question ?? null, about))
}

function take(
  attempt: Attempt,
  { role, text, thought = '', calls = [], results = [], ...message }: DialogMessage,
): void {
  // A program that writes a call and its answer into one message puts what the agent says behind both.
  const speaksAfter = role === 'agent' && text.trim() !== '' && (calls.length === 0 || results.length > 0)
  const reason = [thought, speaksAfter ? '' : text].filter((part) => part.trim() !== '').join('\n')
  if (role === 'agent')
    for (const [i, call] of calls.entries()) {
      attempt.open.push({ id: call.id, at: attempt.steps.length })
      attempt.steps.push(stepOfCall(call, i === 0 ? reason : ''))
    }
  for (const result of results) {
    const at = attempt.open.findIndex(({ id }) => id === null || result.id === null || id === result.id)
    const [call] = at < 0 ? [] : attempt.open.splice(at, 1)
    const before = call && attempt.steps[call.at]
    const complaint = complaintOf(result.text, before?.content ?? '', { isError: result.failed })
    if (before) attempt.steps[call.at] = { ...before, observation: result.text, failed: complaint !== null }
  }
  if (speaksAfter)
    attempt.steps.push(step({ verb: 'answer', content: text, reason: calls.length > 0 ? '' : thought }))
  if (role !== 'agent') return
  attempt.model = message.model ?? attempt.model
  if (typeof message.promptTokens === 'number') attempt.prompt = (attempt.prompt ?? 0) + message.promptTokens
  if (typeof message.completionTokens === 'number')
    attempt.completion = (attempt.completion ?? 0) + message.completionTokens
}

function finished(attempt: Attempt, next: string | null, about: DialogAbout): AgentLog | string {
  const { question, steps, createdAt, model, prompt, completion } = attempt
  if (steps.length === 0) return 'nobody answered this request'
  return {
    ...about,
    question,
    steps,
    next,
    model: model ?? about.model ?? null,
    createdAt: createdAt ?? about.createdAt ?? null,
    promptTokens: prompt === null ? null : Math.round(prompt),
    completionTokens: completion === null ? null : Math.round(completion),
  }
}
