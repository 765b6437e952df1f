import { z } from 'zod'
import { byJsonSigns, sign } from '../../../ground/recognition'
import type { RowPlace } from '../../../../shared/domain/reading'
import { parsed, readElements } from '../../../ground/entries'
import { isRecord } from '../../../ground/record'
import { nameOf, timeOf } from './conversations'
import type { DialogMessage } from './dialog-message'
import { chatFile, foundInChat, type ChatNode } from './chat-tree'
import type { ChatFile } from './foreign-chat'
import { CHAT_WORDS, type Found, type LogFormat, type ReadContext } from './log'
import { messageOf, parsedOr } from './message'
import { anything, shapeProblem } from './records'

const messageSchema = z.looseObject({
  object: z.string().nullish(),
  thread_id: z.string(),
  role: z.string(),
  content: z.unknown().optional(),
  ...anything('created', 'created_at', 'attachments'),
  metadata: z.looseObject(anything('tool_calls', 'modelId')).nullish(),
})

interface Thread {
  readonly place: RowPlace
  readonly nodes: ChatNode[]
}

/** Reads a thread's messages, which follow each other; `thread.json` beside them says what it is called. */
async function* read(text: AsyncIterable<string>, { beside }: ReadContext): AsyncGenerator<Found> {
  const threads = new Map<string, Thread>()
  for await (const { place, value, problem } of parsed(readElements(text))) {
    const message = messageSchema.safeParse(value)
    if (problem !== null || !message.success) {
      yield { kind: 'left', place, why: problem ?? (message.error ? shapeProblem(message.error) : '') }
      continue
    }
    const { thread_id, role, content, created, created_at, metadata } = message.data
    const thread = threads.get(thread_id) ?? { place, nodes: [] }
    threads.set(thread_id, thread)
    const saidMessage = messageOf({ role, content })
    if (!saidMessage) continue
    const time = timeOf(created_at ?? created)
    const own = { ...saidMessage, time, model: nameOf(metadata?.modelId) }
    for (const entry of [...callsIn(metadata?.tool_calls), own]) {
      const at = thread.nodes.length
      const files = entry === own ? filesIn(message.data) : []
      thread.nodes.push({ id: String(at), parent: at === 0 ? null : String(at - 1), message: entry, files })
    }
  }
  const about = parsedOr(beside ? new TextDecoder().decode(beside) : '')
  const { id, title, created } = isRecord(about) ? about : {}
  for (const [sourceId, { place, nodes }] of threads) {
    const own = id === sourceId || threads.size === 1
    yield* foundInChat(place, nodes, null, {
      ...{ program: 'Jan', framework: 'jan', domain: 'general', sourceId },
      title: own ? nameOf(title) : null,
      createdAt: own ? timeOf(created) : null,
    })
  }
}

/** Pictures stand among the content, most with all that is in them; other files are only named. */
function filesIn({ content, attachments }: z.infer<typeof messageSchema>): ChatFile[] {
  const parts = Array.isArray(content) ? (content as unknown[]) : []
  const names = Array.isArray(attachments) ? (attachments as unknown[]) : []
  return [
    ...parts.flatMap((part) =>
      isRecord(part) && isRecord(part['image_url']) ? [chatFile(null, part['image_url']['url'])] : [],
    ),
    ...names.flatMap((one) => (isRecord(one) ? [chatFile(nameOf(one['name'] ?? one['file_id']), null)] : [])),
  ]
}

const callSchema = z.array(
  z.looseObject({
    tool: z.unknown().optional(),
    response: z.looseObject({ content: z.unknown(), error: z.unknown() }).partial().nullish(),
  }),
)

/** Calls of tools lie with the message that made them, each with its answer. */
function callsIn(input: unknown): DialogMessage[] {
  const calls = callSchema.safeParse(input)
  if (!calls.success) return []
  return calls.data.flatMap(({ tool, response }) => {
    const product = messageOf({ role: 'assistant', tool_calls: [tool] })
    const answer = messageOf({
      role: 'tool',
      content: response?.content,
      is_error: (response?.error ?? '') !== '',
    })
    return product && answer
      ? [product, { ...answer, results: (answer.results ?? []).map((one) => ({ ...one, id: null })) }]
      : []
  })
}

/** Jan: the messages of a thread. */
export const jan: LogFormat = {
  id: 'jan',
  title: 'Jan thread (messages.jsonl)',
  sibling: 'thread.json',
  writtenFor: 'Jan 0.5 to 0.7 (threads/*/messages.jsonl)',
  ...CHAT_WORDS,
  recognise: byJsonSigns([
    sign(0.9, /"object"\s*:\s*"thread\.message"/),
    sign(0.6, /"thread_id"\s*:/, /"role"\s*:/),
  ]),
  read,
}
