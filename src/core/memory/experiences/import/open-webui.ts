import { z } from 'zod'
import { byJsonSigns, sign } from '../../../ground/recognition'
import { parsed, readElements } from '../../../ground/entries'
import { isRecord } from '../../../ground/record'
import { branchOf, countOf, foundInDialog, nameOf, timeOf } from './conversations'
import type { DialogMessage } from './dialog-message'
import { LOG_WORDS, type Found, type LogFormat } from './log'
import { messageOf } from './message'
import { shapeProblem } from './records'

const chatSchema = z.looseObject({
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
    text: withoutDetails(saidMessage?.text ?? ''),
    time: timeOf(message['timestamp']),
    model: nameOf(message['model']),
    promptTokens: countOf(usage['prompt_tokens'] ?? usage['prompt_eval_count']),
    completionTokens: countOf(usage['completion_tokens'] ?? usage['eval_count']),
  }
}

/** Thoughts and calls of tools stand in the text, as HTML that folds them away. */
const withoutDetails = (text: string): string =>
  text
    .split('</details>')
    .map((part) => part.split('<details', 1)[0] ?? '')
    .join('')
    .trim()

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
    const values = chat.history ? Object.values(chat.history.messages) : (chat.messages ?? [])
    const branch = chat.history
      ? branchOf(values, { id: 'id', parent: 'parentId' }, chat.history.currentId ?? null)
      : values.filter(isRecord)
    yield* foundInDialog(place, branch.map(saidOf), {
      framework: 'open-webui',
      domain: 'general',
      sourceId: nameOf(entry.data['id']),
      model: chat.models?.[0] ?? null,
    })
  }
}

/** Open WebUI: exported chats, one or all, along the branch that is shown. */
export const openWebui: LogFormat = {
  id: 'open-webui',
  title: 'Open WebUI chats (JSON)',
  writtenFor: 'Open WebUI 0.5 and 0.6, "Export chats" as .json',
  ...LOG_WORDS,
  loses: `${LOG_WORDS.loses} Of a chat with branches, all but the one that is shown.`,
  recognise: byJsonSigns([sign(0.85, /"history"\s*:\s*\{/, /"(?:childrenIds|currentId|parentId)"\s*:/)]),
  read,
}
