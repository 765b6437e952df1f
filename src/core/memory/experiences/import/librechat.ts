import { z } from 'zod'
import { byJsonSigns, sign } from '../../../ground/recognition'
import { parsed, readElements } from '../../../ground/entries'
import { isRecord } from '../../../ground/record'
import { foundInChat } from './chat-tree'
import { nameOf, nodesIn, timeOf } from './conversations'
import type { DialogMessage } from './dialog-message'
import { CHAT_WORDS, type Found, type LogFormat } from './log'
import { messageOf } from './message'
import { anything, shapeProblem, textOf } from './records'

const conversationSchema = z.looseObject({
  conversationId: z.string(),
  endpoint: z.string().nullish(),
  title: z.string().nullish(),
  ...anything('exportAt', 'options'),
  messages: z.array(z.unknown()),
})

/** A message: who wrote it is said by a flag, what by its text or its parts. */
function saidOf(message: Record<string, unknown>): DialogMessage {
  const role = message['isCreatedByUser'] === true ? 'user' : 'assistant'
  const content =
    Array.isArray(message['content']) && message['content'].length > 0 ? message['content'] : message['text']
  const saidMessage = messageOf({ role, content })
  return {
    ...(saidMessage ?? { role: 'system', text: '' }),
    time: timeOf(message['createdAt']),
    model: role === 'assistant' ? nameOf(message['model']) : null,
  }
}

/** A nested export holds the answers of a message in its `children`. */
function flat(messages: readonly unknown[]): unknown[] {
  const all: unknown[] = []
  const waiters = [...messages].reverse()
  while (waiters.length > 0) {
    const message = waiters.pop()
    all.push(message)
    if (isRecord(message) && Array.isArray(message['children']))
      waiters.push(...[...message['children']].reverse())
  }
  return all
}

async function* read(text: AsyncIterable<string>): AsyncGenerator<Found> {
  for await (const { place, value, problem } of parsed(readElements(text))) {
    const read = conversationSchema.safeParse(value)
    if (problem !== null || !read.success) {
      yield { kind: 'left', place, why: problem ?? (read.error ? shapeProblem(read.error) : '') }
      continue
    }
    const { conversationId, endpoint, title, messages, options } = read.data
    const nodes = nodesIn(flat(messages), { id: 'messageId', parent: 'parentMessageId' })
    const own = nodes.map(({ value, ...node }) => ({ ...node, message: saidOf(value) }))
    yield* foundInChat(place, own, null, {
      ...{ program: 'LibreChat', framework: 'librechat', domain: 'general', sourceId: conversationId },
      title: nameOf(title),
      model: isRecord(options) ? nameOf(options['model']) : null,
      extra: { endpoint: textOf(endpoint) },
    })
  }
}

/** LibreChat: a conversation's export as JSON, flat or nested, with its branches. */
export const librechat: LogFormat = {
  id: 'librechat',
  title: 'LibreChat conversation (JSON)',
  writtenFor: 'LibreChat 0.7 and 0.8, "Export conversation" as .json',
  ...CHAT_WORDS,
  recognise: byJsonSigns([sign(0.85, /"conversationId"\s*:/, /"(?:isCreatedByUser|exportAt)"\s*:/)]),
  read,
}
