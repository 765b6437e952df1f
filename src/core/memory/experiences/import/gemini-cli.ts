import { z } from 'zod'
import { parsed, readElements } from '../../../ground/entries'
import { bySigns, sign } from '../../../ground/recognition'
import { isRecord } from '../../../ground/record'
import { countOf, foundInDialog, nameOf, timeOf } from './conversations'
import type { DialogMessage } from './dialog-message'
import { LOG_WORDS, type Found, type LogFormat } from './log'
import { anything, maybeTexts, shapeProblem, textOf } from './records'

const messageSchema = z.looseObject({
  type: z.string(),
  ...maybeTexts('timestamp', 'model'),
  ...anything('content', 'thoughts', 'toolCalls', 'tokens'),
})
const sessionSchema = z.looseObject({
  sessionId: z.string(),
  ...maybeTexts('startTime', 'projectHash'),
  messages: z.array(messageSchema),
})

const recordsIn = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? value.filter(isRecord) : []

/** What a tool answered: the responses of its functions, as text. */
function outputOf(call: Record<string, unknown>): string {
  const responses = recordsIn(call['result']).flatMap((part) => {
    const { functionResponse } = part
    const response = isRecord(functionResponse) ? functionResponse['response'] : undefined
    return isRecord(response) ? [textOf(response['output'] ?? response['error'] ?? response)] : []
  })
  return responses.length > 0 ? responses.join('\n') : textOf(call['resultDisplay'] ?? call['result'])
}

const FAILURES: ReadonlySet<string> = new Set(['error', 'cancelled'])

function* dialogOf(message: z.infer<typeof messageSchema>): Generator<DialogMessage> {
  const time = timeOf(message.timestamp)
  const text = textOf(message.content)
  if (message.type === 'user') yield { role: 'user', text, time }
  if (message.type !== 'gemini') return
  const tokens = isRecord(message.tokens) ? message.tokens : {}
  const calls = recordsIn(message.toolCalls)
  yield {
    role: 'agent',
    text,
    thought: recordsIn(message.thoughts)
      .map(({ subject, description }) => [subject, description].map(textOf).filter(Boolean).join(': '))
      .join('\n'),
    calls: calls.map((call) => ({
      id: nameOf(call['id']),
      tool: textOf(call['name']),
      given: call['args'] ?? {},
    })),
    time,
    model: message.model ?? null,
    promptTokens: countOf(tokens['input']),
    completionTokens: countOf(tokens['output']),
  }
  const results = calls.map((call) => ({
    id: nameOf(call['id']),
    text: outputOf(call),
    failed: FAILURES.has(textOf(call['status'])),
  }))
  if (results.length > 0) yield { role: 'tool', text: '', results }
}

async function* read(text: AsyncIterable<string>): AsyncGenerator<Found> {
  for await (const { place, value, problem } of parsed(readElements(text))) {
    const session = sessionSchema.safeParse(value)
    if (problem !== null || !session.success) {
      yield { kind: 'left', place, why: problem ?? shapeProblem(session.error as z.ZodError) }
      continue
    }
    const { sessionId, startTime, messages } = session.data
    yield* foundInDialog(
      place,
      messages.flatMap((message) => [...dialogOf(message)]),
      { framework: 'gemini-cli', domain: 'code', sourceId: sessionId, createdAt: timeOf(startTime) },
    )
  }
}

/** Gemini CLI: a session's recording, one experience per request. */
export const geminiCli: LogFormat = {
  id: 'gemini-cli',
  title: 'Gemini CLI session (JSON)',
  writtenFor: 'Gemini CLI 0.8 to 0.30 (.gemini/tmp/*/chats/session-*.json)',
  ...LOG_WORDS,
  loses: `${LOG_WORDS.loses} Notices and errors that the program showed.`,
  recognise: bySigns([sign(0.93, /"sessionId"\s*:/, /"projectHash"\s*:/, /"messages"\s*:\s*\[/)]),
  read,
}
