import type { ChatMessage } from '../../../core/ground/chat'
import type { PromptParts } from '../../../core/ground/method'
import { recalledText, systemText } from '../../../core/ground/prompt'

/** The messages of a program with what was recalled: documents behind its system prompt, the rest before its task. */
export function putIn(messages: readonly ChatMessage[], parts: PromptParts): ChatMessage[] {
  const recall = recalledText(parts)
  const documents = parts.documents ?? []
  const firstReply = messages.findIndex(({ role }) => role === 'assistant')
  const head = firstReply < 0 ? messages : messages.slice(0, firstReply)
  const task = head.findLastIndex(({ role }) => role === 'user')
  const system = messages.findIndex(({ role }) => role === 'system')
  const put = messages.map((message, i): ChatMessage => {
    if (i === task && message.role === 'user' && recall !== '')
      return { role: 'user', content: recall + message.content }
    if (i === system && message.role === 'system' && documents.length > 0)
      return { role: 'system', content: systemText(message.content, parts) }
    return message
  })
  return system < 0 && documents.length > 0
    ? [{ role: 'system', content: documents.map(({ text }) => text).join('\n\n') }, ...put]
    : put
}
