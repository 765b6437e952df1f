import { parsed, readElements } from '../../../ground/entries'
import { byJsonSigns, sign, UNRECOGNISED } from '../../../ground/recognition'
import { isRecord } from '../../../ground/record'
import { foundInDialog, nameOf, timeOf } from './conversations'
import type { DialogMessage } from './dialog-message'
import { LOG_WORDS, type Found, type LogFormat } from './log'
import { messagesIn } from './message'

/** Names under which programs keep the messages of a conversation. */
const LISTS = ['messages', 'conversations', 'conversation', 'chat_messages', 'prompt'] as const

/** The messages of a row: a list by one of the usual names, or the row itself. */
function dialogOf(value: unknown): DialogMessage[] {
  if (Array.isArray(value)) return messagesIn(value)
  if (!isRecord(value)) return []
  for (const name of LISTS) {
    const list = value[name]
    if (!Array.isArray(list)) continue
    // claude.ai says the sender; the completion of a preference row stands beside its prompt.
    const messages = messagesIn(
      list.map((one: unknown) => (isRecord(one) && one['sender'] ? { ...one, role: one['sender'] } : one)),
    )
    return [...messages, ...(name === 'prompt' ? messagesIn(value['completion'] ?? value['chosen']) : [])]
  }
  return []
}

/** A data set of what was put in and should come out: tasks, no conversations. */
const DATA_SET = /"inputs"\s*:\s*\{\s*"(?:messages|input)"\s*:\s*\[/
const recognise = byJsonSigns([
  sign(
    0.3,
    /"(?:messages|conversations|chat_messages)"\s*:\s*\[\s*\{/,
    /"(?:role|from|sender)"\s*:\s*"(?:user|human|system|assistant)"/,
  ),
])

async function* read(text: AsyncIterable<string>): AsyncGenerator<Found> {
  for await (const { place, value, problem } of parsed(readElements(text))) {
    const dialog = problem === null ? dialogOf(value) : []
    if (dialog.length === 0) {
      yield { kind: 'left', place, why: problem ?? 'it holds no messages with a role' }
      continue
    }
    const row = isRecord(value) ? value : {}
    yield* foundInDialog(place, dialog, {
      framework: nameOf(row['framework']) ?? 'chat',
      domain: nameOf(row['domain']) ?? 'general',
      sourceId: nameOf(row['id'] ?? row['uuid'] ?? row['conversation_id']),
      model: nameOf(row['model']),
      createdAt: timeOf(row['created_at'] ?? row['timestamp']),
    })
  }
}

/** Conversations as lists of messages: what OpenAI's protocol, training files and most programs write. */
export const chat: LogFormat = {
  id: 'chat',
  title: 'Conversations as messages (JSON, JSONL)',
  writtenFor:
    'messages with role and content (OpenAI, Anthropic, LangChain, ShareGPT, claude.ai), a conversation per row',
  ...LOG_WORDS,
  recognise: (head, name) => (DATA_SET.test(head) ? UNRECOGNISED : recognise(head, name)),
  read,
}
