import { z } from 'zod'
import { parsed, readElements } from '../../../ground/entries'
import { byJsonSigns, sign } from '../../../ground/recognition'
import { isRecord } from '../../../ground/record'
import { nameOf, nodesIn, timeOf } from './conversations'
import type { DialogMessage } from './dialog-message'
import { foundInChat } from './chat-tree'
import type { ChatFile } from './foreign-chat'
import { CHAT_WORDS, type Found, type LogFormat } from './log'
import { messageOf } from './message'
import { maybeTexts, shapeProblem, textOf } from './records'

const conversationSchema = z.looseObject({
  mapping: z.record(z.string(), z.unknown()),
  ...maybeTexts('current_node', 'conversation_id', 'id', 'title', 'default_model_slug'),
  create_time: z.number().nullish(),
})

/** The text of a message: its parts that are text, of code and tools what they hold. */
function contentOf(content: unknown): string {
  if (!isRecord(content)) return textOf(content)
  const { parts, text, result } = content
  if (Array.isArray(parts)) return parts.filter((part) => typeof part === 'string').join('\n')
  return textOf(text ?? result ?? '')
}

/** What it thought, as summaries or at length; empty for a message that is none. */
function thoughtIn(content: unknown): string {
  if (!isRecord(content) || !Array.isArray(content['thoughts'])) return ''
  return content['thoughts']
    .flatMap((one: unknown) => (isRecord(one) ? [textOf(one['content'] ?? one['summary'])] : []))
    .join('\n\n')
}

/** Files that came with a message; the export names them at most. */
function filesIn({ message }: Record<string, unknown>): ChatFile[] {
  const { metadata, content } = isRecord(message) ? message : {}
  const attachments =
    isRecord(metadata) && Array.isArray(metadata['attachments']) ? metadata['attachments'] : []
  const parts = isRecord(content) && Array.isArray(content['parts']) ? content['parts'] : []
  const names = attachments.flatMap((one: unknown) => (isRecord(one) ? [nameOf(one['name'])] : []))
  const pictures = parts.filter((part) => isRecord(part) && part['asset_pointer'] !== undefined)
  const rest = pictures.slice(names.length).map(() => 'a picture')
  return [...names, ...rest].map((name) => ({ name: name ?? 'a file without a name', base64: null }))
}

/** A node's message; null for what only stands in the tree: the root, hidden instructions, thoughts that are no text. */
function messageIn(node: Record<string, unknown>): DialogMessage | null {
  const message = node['message']
  if (!isRecord(message) || !isRecord(message['author'])) return null
  const metadata = isRecord(message['metadata']) ? message['metadata'] : {}
  if (metadata['is_visually_hidden_from_conversation'] === true) return null
  const role = textOf(message['author']['role'])
  const recipient = nameOf(message['recipient'])
  const text = contentOf(message['content'])
  const thought = thoughtIn(message['content'])
  const shared = { time: timeOf(message['create_time']), model: nameOf(metadata['model_slug']) }
  // What is written to a tool is a call of it.
  if (role === 'assistant' && recipient !== null && recipient !== 'all')
    return { ...shared, role: 'agent', text: '', calls: [{ id: null, tool: recipient, given: text }] }
  if (role === 'tool')
    return { ...shared, role: 'tool', text: '', results: [{ id: null, text, failed: false }] }
  const read = messageOf({ role, content: text })
  return read && { ...read, ...shared, ...(thought !== '' && { thought }) }
}

async function* read(text: AsyncIterable<string>): AsyncGenerator<Found> {
  for await (const { place, value, problem } of parsed(readElements(text))) {
    const conversation = conversationSchema.safeParse(value)
    if (problem !== null || !conversation.success) {
      yield { kind: 'left', place, why: problem ?? shapeProblem(conversation.error as z.ZodError) }
      continue
    }
    const { mapping, current_node, conversation_id, id, create_time, default_model_slug } = conversation.data
    const nodes = nodesIn(Object.values(mapping), { id: 'id', parent: 'parent' }).map(
      ({ value, ...node }) => ({
        ...node,
        message: messageIn(value),
        files: filesIn(value),
      }),
    )
    yield* foundInChat(place, nodes, current_node ?? null, {
      ...{
        program: 'ChatGPT',
        title: nameOf(conversation.data.title),
        framework: 'chatgpt',
        domain: 'general',
      },
      sourceId: conversation_id ?? id ?? null,
      model: default_model_slug ?? null,
      createdAt: timeOf(create_time),
    })
  }
}

/** ChatGPT's export: every conversation, and its branches. */
export const chatgpt: LogFormat = {
  id: 'chatgpt',
  title: 'ChatGPT export (conversations.json)',
  writtenFor: 'the data export of ChatGPT, 2023 to 2026: conversations with a mapping of messages',
  ...CHAT_WORDS,
  recognise: byJsonSigns([sign(0.94, /"mapping"\s*:\s*\{/, /"author"\s*:\s*\{/)], /\bconversations\.json$/),
  read,
}
