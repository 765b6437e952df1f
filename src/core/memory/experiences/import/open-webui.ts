import { z } from 'zod'
import { byJsonSigns, sign } from '../../../ground/recognition'
import { parsed, readElements } from '../../../ground/entries'
import { isRecord } from '../../../ground/record'
import { countOf, nameOf, nodesIn, timeOf } from './conversations'
import type { DialogMessage } from './dialog-message'
import { chatFile, foundInChat } from './chat-tree'
import type { ChatFile } from './foreign-chat'
import { CHAT_WORDS, type Found, type LogFormat } from './log'
import { messageOf } from './message'
import { shapeProblem } from './records'

const chatSchema = z.looseObject({
  title: z.string().nullish(),
  models: z.array(z.string()).nullish(),
  history: z
    .looseObject({ messages: z.record(z.string(), z.unknown()), currentId: z.string().nullish() })
    .nullish(),
  messages: z.array(z.unknown()).nullish(),
})
/** An entry of an export, or a chat alone. */
const exportSchema = z.union([z.looseObject({ id: z.string().nullish(), chat: chatSchema }), chatSchema])

function saidOf(message: Record<string, unknown>): DialogMessage {
  const saidMessage = messageOf(message)
  const usage = isRecord(message['usage']) ? message['usage'] : {}
  return {
    ...(saidMessage ?? { role: 'system', text: '' }),
    ...unfolded(saidMessage?.text ?? ''),
    time: timeOf(message['timestamp']),
    model: nameOf(message['model']),
    promptTokens: countOf(usage['prompt_tokens'] ?? usage['prompt_eval_count']),
    completionTokens: countOf(usage['completion_tokens'] ?? usage['eval_count']),
  }
}

/** Thoughts and calls of tools stand in the text, as HTML that folds them away. */
function unfolded(whole: string): Pick<DialogMessage, 'text' | 'thought'> {
  const parts = whole.split('</details>').map((part) => {
    const at = part.indexOf('<details')
    return at < 0 ? { text: part, fold: '' } : { text: part.slice(0, at), fold: part.slice(at) }
  })
  const thoughts = parts.flatMap(({ fold }) =>
    fold.startsWith('<details type="reasoning"') ? [thoughtOf(fold)] : [],
  )
  const text = parts
    .map((part) => part.text)
    .join('')
    .trim()
  return { text, ...(thoughts.length > 0 && { thought: thoughts.join('\n\n') }) }
}

/** A thought is written as a quotation, below a line that says how long it took. */
const thoughtOf = (fold: string): string =>
  (fold.split('</summary>').at(-1) ?? '')
    .split('\n')
    .map((line) => line.replace(/^(?:&gt;|>) ?/, ''))
    .join('\n')
    .trim()

/** Pictures stand in the export; of other files it has the names, or their text for the model. */
function filesIn(message: Record<string, unknown>): ChatFile[] {
  const files = Array.isArray(message['files']) ? (message['files'] as unknown[]) : []
  return files
    .filter(isRecord)
    .map(({ name, file, url }) =>
      chatFile(nameOf(name) ?? (isRecord(file) ? nameOf(file['filename']) : null), url),
    )
}

/** The chat of an entry, or the entry itself; null where there are no messages. */
function chatIn(entry: z.infer<typeof exportSchema>): z.infer<typeof chatSchema> | null {
  const chat = chatSchema.safeParse('chat' in entry ? entry.chat : entry)
  return chat.success && (chat.data.history ?? chat.data.messages) ? chat.data : null
}

async function* read(text: AsyncIterable<string>): AsyncGenerator<Found> {
  for await (const { place, value, problem } of parsed(readElements(text))) {
    const entry = exportSchema.safeParse(value)
    const chat = entry.success ? chatIn(entry.data) : null
    if (problem !== null || !entry.success || chat === null) {
      const why = entry.error ? shapeProblem(entry.error) : 'it holds no messages'
      yield { kind: 'left', place, why: problem ?? why }
      continue
    }
    const nodes = chat.history
      ? nodesIn(Object.values(chat.history.messages), { id: 'id', parent: 'parentId' })
      : (chat.messages ?? []).filter(isRecord).map((value, i) => ({
          ...{ id: String(i), parent: i === 0 ? null : String(i - 1), value },
        }))
    const read = nodes.map(({ value, ...node }) => ({
      ...{ ...node, message: saidOf(value), files: filesIn(value) },
    }))
    yield* foundInChat(place, read, chat.history?.currentId ?? null, {
      ...{ program: 'Open WebUI', framework: 'open-webui', domain: 'general' },
      title: nameOf(entry.data['title']) ?? chat.title ?? null,
      sourceId: nameOf(entry.data['id']),
      model: chat.models?.[0] ?? null,
      createdAt: timeOf(entry.data['created_at'] ?? entry.data['timestamp']),
    })
  }
}

/** Open WebUI: exported chats, one or all, with their branches. */
export const openWebui: LogFormat = {
  id: 'open-webui',
  title: 'Open WebUI chats (JSON)',
  writtenFor: 'Open WebUI 0.5 and 0.6, "Export chats" as .json',
  ...CHAT_WORDS,
  recognise: byJsonSigns([sign(0.85, /"history"\s*:\s*\{/, /"(?:childrenIds|currentId|parentId)"\s*:/)]),
  read,
}
