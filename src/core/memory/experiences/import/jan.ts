import { z } from 'zod'
import { byJsonSigns, sign } from '../../../ground/recognition'
import type { RowPlace } from '../../../../shared/domain/reading'
import { parsed, readElements } from '../../../ground/entries'
import { foundInDialog, nameOf, timeOf } from './conversations'
import type { DialogMessage } from './dialog-message'
import { LOG_WORDS, type Found, type LogFormat } from './log'
import { messageOf } from './message'
import { anything, shapeProblem } from './records'

const messageSchema = z.looseObject({
  object: z.string().nullish(),
  thread_id: z.string(),
  role: z.string(),
  content: z.unknown().optional(),
  ...anything('created', 'created_at'),
  metadata: z.looseObject(anything('tool_calls', 'modelId')).nullish(),
})

interface Thread {
  readonly place: RowPlace
  readonly said: DialogMessage[]
}

/** Reads a thread's messages; an attempt is a request with everything until the next. */
async function* read(text: AsyncIterable<string>): AsyncGenerator<Found> {
  const threads = new Map<string, Thread>()
  for await (const { place, value, problem } of parsed(readElements(text))) {
    const message = messageSchema.safeParse(value)
    if (problem !== null || !message.success) {
      yield { kind: 'left', place, why: problem ?? (message.error ? shapeProblem(message.error) : '') }
      continue
    }
    const { thread_id, role, content, created, created_at, metadata } = message.data
    const thread = threads.get(thread_id) ?? { place, said: [] }
    threads.set(thread_id, thread)
    const saidMessage = messageOf({ role, content })
    if (!saidMessage) continue
    thread.said.push(...callsIn(metadata?.tool_calls), {
      ...saidMessage,
      time: timeOf(created_at ?? created),
      model: nameOf(metadata?.modelId),
    })
  }
  for (const [sourceId, { place, said }] of threads)
    yield* foundInDialog(place, said, { framework: 'jan', domain: 'general', sourceId })
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
  writtenFor: 'Jan 0.5 to 0.7 (threads/*/messages.jsonl)',
  ...LOG_WORDS,
  recognise: byJsonSigns([
    sign(0.9, /"object"\s*:\s*"thread\.message"/),
    sign(0.6, /"thread_id"\s*:/, /"role"\s*:/),
  ]),
  read,
}
