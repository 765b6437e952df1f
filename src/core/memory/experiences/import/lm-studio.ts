import { z } from 'zod'
import { byJsonSigns, sign } from '../../../ground/recognition'
import { parsed, readElements } from '../../../ground/entries'
import { isRecord } from '../../../ground/record'
import { nameOf, timeOf } from './conversations'
import type { DialogMessage } from './dialog-message'
import { foundInChat, type ChatNode } from './chat-tree'
import { CHAT_WORDS, type Found, type LogFormat } from './log'
import { messageOf } from './message'
import { shapeProblem } from './records'

const versionSchema = z.looseObject({
  role: z.string(),
  content: z.unknown().optional(),
  steps: z.array(z.unknown()).nullish(),
  senderInfo: z.looseObject({ senderName: z.string().nullish() }).nullish(),
})
type Version = z.infer<typeof versionSchema>
const conversationSchema = z.looseObject({
  name: z.string().nullish(),
  createdAt: z.number().nullish(),
  messages: z.array(
    z.looseObject({ versions: z.array(versionSchema), currentlySelected: z.number().nullish() }),
  ),
})

type Conversation = z.infer<typeof conversationSchema>

/** Every message in all its versions; those after it follow the one that is shown. */
function nodesOf({ messages }: Conversation): { readonly nodes: ChatNode[]; readonly leaf: string | null } {
  const nodes: ChatNode[] = []
  let leaf: string | null = null
  for (const [i, { versions, currentlySelected }] of messages.entries()) {
    const parent: string | null = leaf
    const selection = versions[currentlySelected ?? 0] ? (currentlySelected ?? 0) : versions.length - 1
    for (const [n, version] of versions.entries()) {
      let before: string | null = parent
      for (const [step, message] of [...saidOf(version)].entries()) {
        const id = `${i}-${n}-${step}`
        nodes.push({ id, parent: before, message, files: filesIn(version) })
        before = id
      }
      if (n === selection) leaf = before
    }
  }
  return { nodes, leaf }
}

/** What a version of a message says: at once, or in steps that are each a text, a call, an answer or a thought. */
function* saidOf({ role, senderInfo, steps, content: whole }: Version): Generator<DialogMessage> {
  const model = role === 'assistant' ? nameOf(senderInfo?.senderName) : null
  for (const content of steps?.flatMap(contentOf) ?? [whole]) {
    const saidMessage = messageOf({ role, content })
    if (saidMessage) yield { ...saidMessage, model }
  }
}

/** The conversation names files that lie elsewhere. */
const filesIn = ({ content }: Version): NonNullable<ChatNode['files']> =>
  (Array.isArray(content) ? (content as unknown[]) : []).flatMap((part) =>
    isRecord(part) && part['type'] === 'file'
      ? [{ name: nameOf(part['fileIdentifier']) ?? 'a file without a name', base64: null }]
      : [],
  )

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
    const { name, createdAt } = conversation.data
    const { nodes, leaf } = nodesOf(conversation.data)
    yield* foundInChat(place, nodes, leaf, {
      ...{ program: 'LM Studio', framework: 'lm-studio', domain: 'general' },
      ...{ title: nameOf(name), sourceId: nameOf(name) },
      // Its name may be given twice, and changed; the moment it was begun is the name of its file.
      chatId: nameOf(createdAt),
      createdAt: timeOf(createdAt ?? undefined),
    })
  }
}

/** LM Studio: a conversation as it lies in its folder, each message in all its versions. */
export const lmStudio: LogFormat = {
  id: 'lm-studio',
  title: 'LM Studio conversation (JSON)',
  writtenFor: 'LM Studio 0.3 (conversations/*.conversation.json)',
  ...CHAT_WORDS,
  recognise: byJsonSigns(
    [sign(0.85, /"versions"\s*:\s*\[/, /"(?:currentlySelected|singleStep|multiStep)"/)],
    /\.conversation\.json$/,
  ),
  read,
}
