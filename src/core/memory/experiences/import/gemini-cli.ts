import { z } from 'zod'
import type { RowPlace } from '../../../../shared/domain/reading'
import { parsed, readElements } from '../../../ground/entries'
import { byJsonSigns, sign } from '../../../ground/recognition'
import { isRecord } from '../../../ground/record'
import { countOf, foundInDialog, nameOf, timeOf } from './conversations'
import type { DialogMessage } from './dialog-message'
import { LOG_WORDS, type Found, type LogFormat } from './log'
import { anything, maybeTexts, shapeProblem, textOf } from './records'
import { isRequest, personWords } from './sessions'

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
  if (message.type === 'user' && isRequest(text)) yield { role: 'user', text: personWords(text), time }
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

function* attemptsIn(
  { sessionId, startTime, messages }: z.infer<typeof sessionSchema>,
  place: RowPlace,
): Generator<Found> {
  yield* foundInDialog(
    place,
    messages.flatMap((message) => [...dialogOf(message)]),
    { framework: 'gemini-cli', domain: 'code', sourceId: sessionId, createdAt: timeOf(startTime) },
  )
}

/** A session that was recorded line by line: what is known of it, then its messages; a later line of one id replaces the earlier one. */
class Recording {
  #about: Record<string, unknown> = {}
  readonly #messages = new Map<string, unknown>()
  place: RowPlace | null = null

  /** Takes a line in. False: it is none of a recording. */
  take(line: Record<string, unknown>, place: RowPlace): boolean {
    const { $rewindTo: rewound, $set: changes, id } = line
    if (typeof rewound === 'string') this.#rewind(rewound)
    else if (typeof id === 'string') this.#messages.set(id, line)
    else if (isRecord(changes)) this.#about = { ...this.#about, ...changes }
    else if (typeof line['sessionId'] === 'string') this.#about = { ...this.#about, ...line }
    else return false
    this.place ??= place
    return true
  }

  /** The person went back to before a message. */
  #rewind(to: string): void {
    const ids = [...this.#messages.keys()]
    for (const id of ids.slice(Math.max(0, ids.indexOf(to)))) this.#messages.delete(id)
  }

  session(): unknown {
    const { messages } = this.#about
    const isWhole = Array.isArray(messages) && messages.length > 0
    return { ...this.#about, messages: isWhole ? messages : [...this.#messages.values()] }
  }
}

async function* read(text: AsyncIterable<string>): AsyncGenerator<Found> {
  const recording = new Recording()
  for await (const { place, value, problem } of parsed(readElements(text))) {
    const session = sessionSchema.safeParse(value)
    if (session.success) yield* attemptsIn(session.data, place)
    else if (problem !== null || !isRecord(value) || 'messages' in value || !recording.take(value, place))
      yield { kind: 'left', place, why: problem ?? shapeProblem(session.error) }
  }
  if (recording.place === null) return
  const session = sessionSchema.safeParse(recording.session())
  if (session.success) yield* attemptsIn(session.data, recording.place)
  else yield { kind: 'left', place: recording.place, why: shapeProblem(session.error) }
}

/** Gemini CLI: a session's recording, one experience per request. */
export const geminiCli: LogFormat = {
  id: 'gemini-cli',
  title: 'Gemini CLI session (JSON, JSONL)',
  writtenFor: 'Gemini CLI 0.8 to 0.40 (.gemini/tmp/*/chats/session-*.json and .jsonl)',
  ...LOG_WORDS,
  loses: `${LOG_WORDS.loses} Notices and errors that the program showed.`,
  recognise: byJsonSigns([
    sign(0.93, /"sessionId"\s*:/, /"projectHash"\s*:/, /"messages"\s*:\s*\[/),
    sign(0.93, /^\s*\{"sessionId":/, /"projectHash":/),
  ]),
  read,
}
