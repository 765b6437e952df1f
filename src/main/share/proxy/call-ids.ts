import type { ChatMessage, ToolCall } from '../../../core/ground/chat'

/** Calls and what answered them, with ids where clients of Ollama and Gemini send none: answers stand in the order of the calls. */
export function withIds(messages: readonly ChatMessage[]): ChatMessage[] {
  let count = 0
  let open: ToolCall[] = []
  return messages.map((message) => {
    if (message.role === 'assistant' && message.toolCalls) {
      open = message.toolCalls.map((call) => ({ ...call, id: call.id || `call-${count++}` }))
      return { ...message, toolCalls: open }
    }
    if (message.role !== 'tool' || message.callId !== '') return message
    const match = open.find(({ name }) => message.name === '' || name === message.name)
    open = open.filter((call) => call !== match)
    return { ...message, callId: match?.id ?? '', name: match?.name ?? (message.name || 'tool') }
  })
}
