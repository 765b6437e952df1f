import type { ChatMessage } from '../ground/ports'

/**
 * The ways in which a dialog can be said to a template, the faithful one first: as it is; with the system message at the head of the first
 * user message; with one call at a time; with neighbours of one role joined.
 */
export function* waysToSay(messages: readonly ChatMessage[]): Generator<readonly ChatMessage[]> {
  yield messages
  const folded = foldSystem(messages)
  if (folded !== null) yield folded
  const single = oneCallAtATime(messages)
  if (single !== null) {
    yield single
    const both = foldSystem(single)
    if (both !== null) yield both
  }
  const joined = joinNeighbours(folded ?? messages)
  if (joined.length < (folded ?? messages).length) yield joined
}

/** Puts the system message at the head of the first user message; null when there is nothing to fold. */
function foldSystem(messages: readonly ChatMessage[]): ChatMessage[] | null {
  const system = messages.filter(({ role }) => role === 'system')
  const rest = messages.filter(({ role }) => role !== 'system')
  const first = rest[0]
  if (system.length === 0 || first?.role !== 'user') return null
  const head = system.map(({ content }) => content).join('\n\n')
  return [{ role: 'user', content: `${head}\n\n${first.content}` }, ...rest.slice(1)]
}

/** Turns with several calls as several turns, each with its answer behind it; null when there are none. */
function oneCallAtATime(messages: readonly ChatMessage[]): ChatMessage[] | null {
  const several = messages.some((one) => one.role === 'assistant' && (one.toolCalls ?? []).length > 1)
  if (!several) return null
  const saidMessages: ChatMessage[] = []
  const movedMessages = new Set<ChatMessage>()
  for (const [index, message] of messages.entries()) {
    if (movedMessages.has(message)) continue
    if (message.role !== 'assistant' || (message.toolCalls ?? []).length < 2) {
      saidMessages.push(message)
      continue
    }
    for (const [i, call] of (message.toolCalls ?? []).entries()) {
      const answers = messages.slice(index).filter((one) => one.role === 'tool' && one.callId === call.id)
      saidMessages.push(
        { role: 'assistant', content: i === 0 ? message.content : '', toolCalls: [call] },
        ...answers,
      )
      for (const answer of answers) movedMessages.add(answer)
    }
  }
  return saidMessages
}

/** Neighbours that a person or the model said one after the other, as one. */
function joinNeighbours(messages: readonly ChatMessage[]): ChatMessage[] {
  const joined: ChatMessage[] = []
  for (const message of messages) {
    const last = joined.at(-1)
    const plain = message.role === 'user' || (message.role === 'assistant' && !message.toolCalls)
    if (last?.role === message.role && plain && !('toolCalls' in last))
      joined[joined.length - 1] = { ...last, content: `${last.content}\n\n${message.content}` }
    else joined.push(message)
  }
  return joined
}
