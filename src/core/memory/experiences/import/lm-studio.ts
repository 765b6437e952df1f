import { z } from 'zod'
import { byJsonSigns, sign } from '../../../ground/recognition'
import { parsed, readElements } from '../../../ground/entries'
import { isRecord } from '../../../ground/record'
import { foundInDialog, nameOf, timeOf } from './conversations'
import type { DialogMessage } from './dialog-message'
import { LOG_WORDS, type Found, type LogFormat } from './log'
import { messageOf } from './message'
import { shapeProblem } from './records'

const versionSchema = z.looseObject({
  role: z.string(),
  content: z.unknown().optional(),
  steps: z.array(z.unknown()).nullish(),
  senderInfo: z.looseObject({ senderName: z.string().nullish() }).nullish(),
})
const conversationSchema = z.looseObject({
  name: z.string().nullish(),
  createdAt: z.number().nullish(),
  messages: z.array(
    z.looseObject({ versions: z.array(versionSchema), currentlySelected: z.number().nullish() }),
  ),
})

/** What one message says: at once, or in steps that are each a text, a call, an answer or a thought. */
function* saidOf(message: z.infer<typeof conversationSchema>['messages'][number]): Generator<DialogMessage> {
  const version = message.versions[message.currentlySelected ?? 0] ?? message.versions.at(-1)
  if (!version) return
  const { role, senderInfo } = version
  const model = role === 'assistant' ? nameOf(senderInfo?.senderName) : null
  for (const content of version.steps?.flatMap(contentOf) ?? [version.content]) {
    const saidMessage = messageOf({ role, content })
    if (saidMessage) yield { ...saidMessage, model }
  }
}

function contentOf(step: unknown): unknown[] {
  if (!isRecord(step) || step['type'] !== 'contentBlock' || !Array.isArray(step['content'])) return []
  const thinks = isRecord(step['style']) && step['style']['type'] === 'thinking'
  const parts = step['content'] as unknown[]
  return [thinks ? parts.map((part) => (isRecord(part) ? { ...part, type: 'thinking' } : part)) : parts]
}

async function* read(text: AsyncIterable<string>): AsyncGenerator<Found> {
  for await (const { place, value, problem } of parsed(readElements(text))) {
    const conversation = conversationSchema.safeParse(value)
    if (problem !== null || !conversation.success) {
      yield {
        kind: 'left',
        place,
        why: problem ?? (conversation.error ? shapeProblem(conversation.error) : ''),
      }
      continue
    }
    const { messages, name, createdAt } = conversation.data
    yield* foundInDialog(
      place,
      messages.flatMap((message) => [...saidOf(message)]),
      {
        framework: 'lm-studio',
        domain: 'general',
        sourceId: nameOf(name),
        createdAt: timeOf(createdAt ?? undefined),
      },
    )
  }
}

/** LM Studio: a conversation as it lies in its folder, each message as the version that is shown. */
export const lmStudio: LogFormat = {
  id: 'lm-studio',
  title: 'LM Studio conversation (JSON)',
  writtenFor: 'LM Studio 0.3 (conversations/*.conversation.json)',
  ...LOG_WORDS,
  loses: `${LOG_WORDS.loses} Versions of a message that are not shown.`,
  recognise: byJsonSigns(
    [sign(0.85, /"versions"\s*:\s*\[/, /"(?:currentlySelected|singleStep|multiStep)"/)],
    /\.conversation\.json$/,
  ),
  read,
}
