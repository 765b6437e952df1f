import { z } from 'zod'
import { parsed, readElements } from '../../../ground/entries'
import { byJsonSigns, sign, UNRECOGNISED } from '../../../ground/recognition'
import { isRecord } from '../../../ground/record'
import { chatFile, foundInChat, type ChatNode } from './chat-tree'
import { nameOf, timeOf } from './conversations'
import type { ChatFile } from './foreign-chat'
import { CHAT_WORDS, type Found, type LogFormat } from './log'
import { messageOf } from './message'
import { anything, shapeProblem, textOf } from './records'

const conversationSchema = z.looseObject({
  uuid: z.string().nullish(),
  name: z.string().nullish(),
  ...anything('created_at', 'model', 'current_leaf_message_uuid'),
  chat_messages: z.array(z.unknown()),
})

/** The parts of a message; some exports have its text alone. */
const contentOf = ({ content, text }: Record<string, unknown>): unknown =>
  Array.isArray(content) && content.length > 0 ? content : text

/** Files by their names; what was read of them for the model is not the file. */
function filesIn(message: Record<string, unknown>): ChatFile[] {
  const lists = [message['attachments'], message['files'], message['files_v2']]
  const names = lists
    .flatMap((list) => (Array.isArray(list) ? (list as unknown[]) : []))
    .flatMap((one) => (isRecord(one) ? [nameOf(one['file_name'])] : []))
  return [...new Set(names)].map((name) => chatFile(name, null))
}

/** Messages say which one they follow, or stand in order. */
function nodesOf(messages: readonly unknown[]): ChatNode[] {
  const all = messages.filter(isRecord)
  const idOf = (message: Record<string, unknown> | undefined, i: number): string | null =>
    message ? (nameOf(message['uuid']) ?? String(i)) : null
  return all.map((message, i) => {
    const own = messageOf({ role: textOf(message['sender']), content: contentOf(message) })
    return {
      id: idOf(message, i) ?? '',
      parent: nameOf(message['parent_message_uuid']) ?? idOf(all[i - 1], i - 1),
      message: own && { ...own, time: timeOf(message['created_at']) },
      files: filesIn(message),
    }
  })
}

async function* read(text: AsyncIterable<string>): AsyncGenerator<Found> {
  for await (const { place, value, problem } of parsed(readElements(text))) {
    const conversation = conversationSchema.safeParse(value)
    if (problem !== null || !conversation.success) {
      yield { kind: 'left', place, why: problem ?? shapeProblem(conversation.error as z.ZodError) }
      continue
    }
    const { uuid, name, chat_messages, created_at, model, current_leaf_message_uuid } = conversation.data
    yield* foundInChat(place, nodesOf(chat_messages), nameOf(current_leaf_message_uuid), {
      ...{ program: 'Claude', framework: 'claude', domain: 'general', sourceId: uuid ?? null },
      title: nameOf(name),
      model: nameOf(model),
      createdAt: timeOf(created_at),
    })
  }
}

/** Rows of other programs beside its own: a file of many. */
const MIXED = /"(?:messages|conversations)"\s*:\s*\[/
const recognise = byJsonSigns(
  [sign(0.9, /"chat_messages"\s*:\s*\[/, /"(?:uuid|sender)"\s*:/)],
  /\bconversations\.json$/,
)

/** Claude's export: every conversation with its parts, along `parent_message_uuid` where messages say it. */
export const claudeChats: LogFormat = {
  id: 'claude-ai',
  title: 'Claude export (conversations.json)',
  writtenFor: 'the data export of claude.ai, 2024 to 2026: conversations with chat_messages',
  ...CHAT_WORDS,
  recognise: (head, name) => (MIXED.test(head) ? UNRECOGNISED : recognise(head, name)),
  read,
}
