import { z } from 'zod'
import { parsed, readElements } from '../../ground/entries'
import { byJsonSigns, sign } from '../../ground/recognition'
import { isRecord } from '../../ground/record'
import { chatFile, foundInChat, type ChatNode } from '../../memory/experiences/import/chat-tree'
import { countOf, nameOf, nodesIn, timeOf } from '../../memory/experiences/import/conversations'
import type { DialogMessage } from '../../memory/experiences/import/dialog-message'
import type { ChatFile } from '../../memory/experiences/import/foreign-chat'
import { CHAT_WORDS, type Found, type LogFormat } from '../../memory/experiences/import/log'
import { messageOf } from '../../memory/experiences/import/message'
import { anything, maybeTexts, shapeProblem } from '../../memory/experiences/import/records'

const exportSchema = z.looseObject({
  conv: z.looseObject({ ...maybeTexts('id', 'name', 'currNode'), ...anything('lastModified') }),
  messages: z.array(z.unknown()),
})

/** A message, with what it took to write; what only holds the tree together is no message. */
function saidIn(value: Record<string, unknown>): DialogMessage | null {
  const message = value['type'] === 'root' ? null : messageOf({ ...value, type: null })
  if (!message) return null
  const timings = isRecord(value['timings']) ? value['timings'] : {}
  return {
    ...message,
    thought: nameOf(value['thinking'] ?? value['reasoningContent']) ?? '',
    time: timeOf(value['timestamp']),
    model: nameOf(value['model']),
    promptTokens: countOf(timings['prompt_n']),
    completionTokens: countOf(timings['predicted_n']),
  }
}

/** What a person handed in beside a message. */
function filesOf({ extra }: Record<string, unknown>): ChatFile[] {
  return (Array.isArray(extra) ? (extra as unknown[]) : [])
    .filter(isRecord)
    .map(({ name, base64Url }) => chatFile(nameOf(name), base64Url))
}

async function* read(text: AsyncIterable<string>): AsyncGenerator<Found> {
  for await (const { place, value, problem } of parsed(readElements(text))) {
    const entry = exportSchema.safeParse(value)
    if (problem !== null || !entry.success) {
      yield { kind: 'left', place, why: problem ?? shapeProblem(entry.error as z.ZodError) }
      continue
    }
    const { conv, messages } = entry.data
    const nodes: ChatNode[] = nodesIn(messages, { id: 'id', parent: 'parent' }).map(
      ({ value: one, ...node }) => ({
        ...node,
        message: saidIn(one),
        files: filesOf(one),
      }),
    )
    yield* foundInChat(place, nodes, conv.currNode ?? null, {
      ...{ program: 'llama.cpp', framework: 'llama.cpp', domain: 'general' },
      title: conv.name ?? null,
      sourceId: conv.id ?? null,
      createdAt: timeOf(conv.lastModified),
    })
  }
}

/** The web page of llama.cpp's server: exported conversations, one or all, with their branches. */
export const llamaPage: LogFormat = {
  id: 'llama-page',
  title: 'Conversations of llama.cpp’s web page (JSON)',
  writtenFor: 'llama.cpp’s llama-server of 2025, "Export" of one or of all conversations',
  ...CHAT_WORDS,
  recognise: byJsonSigns([sign(0.9, /"conv"\s*:\s*\{/, /"(?:convId|currNode)"\s*:/)]),
  read,
}
