import { watchCalls } from '../../../core/agent/held-calls'
import type { GenerateRequest, GenerateResult } from '../../../core/ground/chat'
import type { MethodContext } from '../../../core/ground/method'
import { callOf } from '../../../core/recall/acts'
import { addUsage } from '../../../shared/domain/trajectory'
import { replyText } from './open-attempts'
import type { ClientTerms } from './request'

/**
 * A reply whose call is known to fail is written once more, with what is known: the program sees the second one alone. Only of a reply that comes whole,
 * since nothing is taken back of one that is sent while it is written.
 */
export async function withoutKnownFailure(
  first: GenerateResult,
  request: GenerateRequest,
  { method, environment }: Pick<ClientTerms, 'method' | 'environment'>,
  context: MethodContext,
  generate: (request: GenerateRequest) => Promise<GenerateResult>,
): Promise<{ readonly result: GenerateResult; readonly heldBy: readonly string[] }> {
  const { toolCalls = [] } = first
  const action = replyText({ content: first.text, toolCalls })
  if (toolCalls.length === 0) return { result: first, heldBy: [] }
  const hold = watchCalls({ method, context, task: { environment } })
  const notice = await hold({ tool: callOf({ completion: action }, action).tool, action })
  if (notice === null) return { result: first, heldBy: [] }
  const answers = toolCalls.map(({ id, name }) => ({
    role: 'tool' as const,
    callId: id,
    name,
    content: notice.text,
  }))
  const again = await generate({
    ...request,
    messages: [...request.messages, { role: 'assistant', content: first.text, toolCalls }, ...answers],
  })
  return { result: { ...again, usage: addUsage(first.usage, again.usage) }, heldBy: notice.by }
}
