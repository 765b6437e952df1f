import { z } from 'zod'
import type { RowPlace } from '../../../../shared/domain/reading'
import { parsed, readElements } from '../../../ground/entries'
import { byJsonSigns, sign } from '../../../ground/recognition'
import { isRecord } from '../../../ground/record'
import { countOf, foundInDialog, nameOf, timeOf } from './conversations'
import type { DialogMessage } from './dialog-message'
import { messagesIn } from './message'
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

/** What a tool said, without what the program puts around it and what its hooks put behind it. */
function plainOutput(text: string): string {
  const hooked = text.trimEnd().endsWith('</hook_context>') ? text.lastIndexOf('<hook_context>') : -1
  const own = (hooked < 0 ? text : text.slice(0, hooked)).trim()
  const isWrapped = own.startsWith(WRAPPED.open) && own.endsWith(WRAPPED.close)
  return isWrapped ? own.slice(WRAPPED.open.length, -WRAPPED.close.length).trim() : own
}
const WRAPPED = { open: '<untrusted_context>', close: '</untrusted_context>' }

const FAILURES: ReadonlySet<string> = new Set(['error', 'cancelled'])
/** The shell's own call succeeds whatever its command came to. */
const FAILED_COMMAND = /^Exit Code: [1-9]/m

/** The words of a message; what tools answered stands with their calls too, and is none of them. */
const wordsOf = (content: unknown): string =>
  textOf(
    Array.isArray(content)
      ? content.filter((part) => !isRecord(part) || part['functionResponse'] === undefined)
      : content,
  )

function* dialogOf(message: z.infer<typeof messageSchema>): Generator<DialogMessage> {
  const time = timeOf(message.timestamp)
  const text = wordsOf(message.content)
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
  const results = calls.map((call) => {
    const output = plainOutput(outputOf(call))
    const isFailure = FAILURES.has(textOf(call['status'])) || FAILED_COMMAND.test(output)
    return { id: nameOf(call['id']), text: output, failed: isFailure }
  })
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

/**
 * A session that was recorded line by line: what is known of it, then its messages; a later line of one id replaces the earlier one. A list of messages that is
 * set on the way (by what begins a session, or resumes it) leaves out some that were said, so that it adds those that are not there and takes none away.
 */
class Recording {
  #about: Record<string, unknown> = {}
  readonly #messages = new Map<string, unknown>()
  place: RowPlace | null = null

  /** Takes a line in. False: it is none of a recording. */
  take(line: Record<string, unknown>, place: RowPlace): boolean {
    const { $rewindTo: rewound, $set: changes, id } = line
    if (typeof rewound === 'string') this.#rewind(rewound)
    else if (typeof id === 'string') this.#messages.set(id, line)
    else if (isRecord(changes)) {
      const { messages, ...about } = changes
      this.#about = { ...this.#about, ...about }
      this.#add(recordsIn(messages))
    } else if (typeof line['sessionId'] === 'string') this.#about = { ...this.#about, ...line }
    else return false
    this.place ??= place
    return true
  }

  #add(messages: readonly Record<string, unknown>[]): void {
    for (const message of messages) {
      const id = nameOf(message['id'])
      if (id !== null && !this.#messages.has(id)) this.#messages.set(id, message)
    }
  }

  /** The person went back to before a message. */
  #rewind(to: string): void {
    const ids = [...this.#messages.keys()]
    for (const id of ids.slice(Math.max(0, ids.indexOf(to)))) this.#messages.delete(id)
  }

  session(): unknown {
    return { ...this.#about, messages: [...this.#messages.values()] }
  }
}

/** What `/chat save` keeps: the messages as the model's protocol has them. */
const historyOf = (history: readonly unknown[]): DialogMessage[] =>
  messagesIn(history).map((message) =>
    message.role === 'user'
      ? { ...message, text: isRequest(message.text) ? personWords(message.text) : '' }
      : message,
  )

async function* read(text: AsyncIterable<string>): AsyncGenerator<Found> {
  const recording = new Recording()
  for await (const { place, value, problem } of parsed(readElements(text))) {
    const session = sessionSchema.safeParse(value)
    if (session.success) yield* attemptsIn(session.data, place)
    else if (isRecord(value) && Array.isArray(value['history']))
      yield* foundInDialog(place, historyOf(value['history']), { framework: 'gemini-cli', domain: 'code' })
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
  writtenFor: 'Gemini CLI 0.8 to 0.61 (.gemini/tmp/*/chats/session-*.json and .jsonl, checkpoint-*.json)',
  ...LOG_WORDS,
  loses: `${LOG_WORDS.loses} Notices and errors that the program showed.`,
  recognise: byJsonSigns([
    sign(0.93, /"sessionId"\s*:/, /"projectHash"\s*:/, /"messages"\s*:\s*\[/),
    sign(0.93, /^\s*\{"sessionId":/, /"projectHash":/),
    sign(0.9, /^\s*\{\s*"history"\s*:\s*\[/, /"role"\s*:\s*"(?:user|model)"/, /"parts"\s*:\s*\[/),
  ]),
  read,
}
