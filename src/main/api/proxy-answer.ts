import type { Context } from 'hono'
import { stream as streamOf } from 'hono/streaming'
import { z } from 'zod'
import { isAbortError } from '../../core/ground/abort'
import type { GenerateRequest } from '../../core/ground/chat'
import { LoamError, toErrorShape } from '../../shared/errors'
import { isGeminiCall } from '../share/proxy/dialects/gemini'
import type { ClientCallPiece } from '../share/proxy/live-calls'
import type { MemoryProxy, ProxyReply } from '../share/proxy/memory-proxy'
import type { Asked } from '../share/proxy/request'
import { meets } from '../share/proxy/rule-attempt'
import { statusOf } from './errors'

/** Milliseconds between two signs of life while a client waits. */
const PULSE_MS = 10_000
/** Milliseconds after which one that waits for a whole reply is shown that it is on its way: many clients give up after 300 s without a header. */
const PATIENCE_MS = 120_000

/** Whose protocol an error is reason in. */
export type Protocol = 'chat' | 'responses' | 'anthropic' | 'ollama' | 'gemini'

/** The protocol of a path below a server's origin. */
export function protocolAt(path: string): Protocol {
  if (path.startsWith('/api/')) return 'ollama'
  if (path.startsWith('/v1beta/') || isGeminiCall(path)) return 'gemini'
  if (path.startsWith('/v1/messages')) return 'anthropic'
  return path.startsWith('/v1/responses') ? 'responses' : 'chat'
}

/** An error as clients of a protocol read it, whole. `usual`: its status. Default: by its code. */
export function refusal(error: unknown, protocol: Protocol = 'chat', usual?: 401 | 413 | 429): Response {
  const { status, body } = errorIn(error, protocol, usual)
  const wait = status === 429 && { 'retry-after': '10' }
  return Response.json(body, { status, headers: { 'cache-control': 'no-store', ...wait } })
}

const GEMINI_REASONS: Readonly<Record<number, string>> = {
  ...{ 400: 'INVALID_ARGUMENT', 401: 'UNAUTHENTICATED', 404: 'NOT_FOUND', 429: 'RESOURCE_EXHAUSTED' },
  ...{ 502: 'UNAVAILABLE', 503: 'UNAVAILABLE' },
}

/** By which words clients of a protocol know that they have to shorten a dialog. */
const TOO_LONG: Readonly<Record<Protocol, string>> = {
  chat: "The model's maximum context length is exceeded. ",
  responses: 'The input exceeds the context window of this model. ',
  anthropic: 'prompt is too long: ',
  ollama: 'The input exceeds the context length. ',
  gemini: 'The input token count exceeds the maximum number of tokens allowed. ',
}

/** What clients of Anthropic's protocol call a refusal. */
const ANTHROPIC_TYPES: Readonly<Record<number, string>> = {
  ...{ 401: 'authentication_error', 404: 'not_found_error', 413: 'request_too_large' },
  429: 'rate_limit_error',
}

function errorIn(
  error: unknown,
  protocol: Protocol,
  usual?: number,
): { readonly status: number; readonly body: object } {
  const shape = error instanceof z.ZodError ? badBody(error).toShape() : toErrorShape(error)
  const status = usual ?? statusOf(shape.code)
  const isTooLong = shape.code === 'CONTEXT_OVERFLOW'
  const message = `${isTooLong ? TOO_LONG[protocol] : ''}${shape.cause} ${shape.suggestion}`
  const isServers = status >= 500
  switch (protocol) {
    case 'ollama':
      return { status, body: { error: message } }
    case 'gemini': {
      const reason = GEMINI_REASONS[status] ?? 'INTERNAL'
      return { status, body: { error: { code: status, message, status: reason } } }
    }
    case 'anthropic': {
      const type = isServers ? 'api_error' : (ANTHROPIC_TYPES[status] ?? 'invalid_request_error')
      return { status, body: { type: 'error', error: { type, message } } }
    }
    default: {
      const type = isServers ? 'server_error' : 'invalid_request_error'
      const usualCode = status === 401 ? 'invalid_api_key' : shape.code.toLowerCase()
      const code = isTooLong ? 'context_length_exceeded' : usualCode
      return { status, body: { error: { message, type, param: null, code } } }
    }
  }
}

const badBody = (error: z.ZodError): LoamError => {
  const [issue] = error.issues
  return new LoamError(
    'BAD_INPUT',
    `The request has a form that is not served at "${issue?.path.join('.') ?? ''}": ${issue?.message ?? ''}.`,
    { suggestion: 'docs/share.md says what is served.' },
  )
}

/** How a stream is framed. `pulse`: what a client takes for nothing, and sees that the connection lives. */
interface Frame {
  readonly type: string
  readonly pulse: string
  readonly open: string
  readonly event: (event: object, index: number) => string
  readonly close: string
  /** Said to people who look on. */
  readonly note: (text: string) => string
}

const comment = (text: string): string => `: ${text}\n\n`
const dataOf = (event: object): string => `data: ${JSON.stringify(event)}\n\n`
const EVENTS = { type: 'text/event-stream', pulse: comment('waiting'), open: '', note: comment } as const

const FRAMES = {
  /** Events with a mark at the end. */
  marked: { ...EVENTS, event: dataOf, close: 'data: [DONE]\n\n' },
  /** Events by their `type`. */
  named: {
    ...EVENTS,
    event: (event) => ('type' in event ? `event: ${String(event.type)}\n` : '') + dataOf(event),
    close: '',
  },
  events: { ...EVENTS, event: dataOf, close: '' },
  /** A line of JSON each. Blanks before one mean nothing. */
  lines: {
    ...{ type: 'application/x-ndjson', pulse: ' ', open: '', close: '', note: () => '' },
    event: (event) => `${JSON.stringify(event)}\n`,
  },
  /** One list. */
  list: {
    ...{ type: 'application/json', pulse: ' ', open: '[', close: ']', note: () => '' },
    event: (event, index) => `${index > 0 ? ',' : ''}${JSON.stringify(event)}\n`,
  },
} satisfies Record<string, Frame>
export type Framing = keyof typeof FRAMES

export interface AnswerInput {
  readonly asked: Asked
  readonly request: GenerateRequest
  readonly protocol: Protocol
  /** Null: the reply comes whole. */
  readonly framing: Framing | null
  readonly whole: (reply: ProxyReply) => object
  /** Events before the first token. Default: none. */
  readonly first?: (attempt: string) => object[]
  /** Events that mean nothing but that it goes on: clients that count events take no comment for one. Default: what the framing has. */
  readonly pulse?: () => object[]
  readonly piece: (text: string, attempt: string) => object[]
  /** Events of a call while it is written. Default: calls are among the last ones. */
  readonly call?: (piece: ClientCallPiece, attempt: string) => object[]
  readonly last: (reply: ProxyReply) => object[]
  /** What cannot be done as it was asked. Default: nothing. */
  readonly warnings?: readonly string[]
  /** What the reply is to meet, and is checked against once it is written. Default: nothing. */
  readonly schema?: Readonly<Record<string, unknown>> | null
}

const UNMET = 'the reply does not meet the schema'
const isUnmet = ({ schema }: AnswerInput, { result: { text, toolCalls } }: ProxyReply): boolean =>
  schema !== null && schema !== undefined && !toolCalls && !meets(text, schema)

/** Writes one reply, whole or as a stream. */
export function answered(
  context: Context,
  proxy: MemoryProxy,
  input: AnswerInput,
): Promise<Response> | Response {
  const warnings = input.warnings ?? []
  if (warnings.length > 0) context.header(WARNING, warnings.join('; '))
  return input.framing === null
    ? answerWhole(context, proxy, input)
    : answerStream(context, proxy, input, FRAMES[input.framing])
}

const WARNING = 'x-loam-warning'

/** A whole reply; one that takes long begins with blanks, which JSON has no meaning for. */
async function answerWhole(context: Context, proxy: MemoryProxy, input: AnswerInput): Promise<Response> {
  const { signal } = context.req.raw
  const replying = proxy.complete(input.asked, input.request, { signal })
  replying.catch(() => undefined)
  let timer: NodeJS.Timeout | undefined
  const reply = await Promise.race([
    replying,
    new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(null), PATIENCE_MS)
    }),
  ]).finally(() => clearTimeout(timer))
  if (reply === null) {
    context.header('content-type', 'application/json')
    return streamOf(context, async (stream) => {
      const pulse = setInterval(() => void stream.write(' '), PULSE_MS)
      try {
        await stream.write(' ')
        await stream.write(JSON.stringify(input.whole(await replying)))
      } catch (error) {
        if (!isAbortError(error)) await stream.write(JSON.stringify(errorIn(error, input.protocol).body))
      } finally {
        clearInterval(pulse)
      }
    })
  }
  context.header('x-loam-attempt', reply.attempt)
  if (isUnmet(input, reply)) context.header(WARNING, [...(input.warnings ?? []), UNMET].join('; '))
  return context.json(input.whole(reply))
}

/** Text that waits until somebody takes it. `begins`: once there is more than a head. */
function waitingText() {
  let sink: ((text: string) => Promise<unknown>) | null = null
  let backlog = ''
  let writing: Promise<unknown> = Promise.resolve()
  let begin = (): void => undefined
  const begins = new Promise<void>((resolve) => {
    begin = resolve
  })
  return {
    begins,
    write(text: string, isHead = false): void {
      if (text === '') return
      if (!isHead) begin()
      const write = sink
      if (write === null) backlog += text
      else writing = writing.then(() => write(text))
    },
    /** Writes what waits, and all that comes from here on. */
    flow(write: (text: string) => Promise<unknown>): void {
      sink = write
      writing = write(backlog)
    },
    written: (): Promise<unknown> => writing,
  }
}

/**
 * A stream begins with its first token or its first sign of life: what is refused before, such as a dialog that is too long, has the status by which
 * clients know it. In the protocol of Responses it is told in the stream.
 */
async function answerStream(
  context: Context,
  proxy: MemoryProxy,
  input: AnswerInput,
  frame: Frame,
): Promise<Response> {
  const { call, protocol } = input
  const controller = new AbortController()
  const text = waitingText()
  let attempt = ''
  let count = 0
  // A long wait for the model, or a long prompt, looks dead to clients that hear nothing.
  const send = (events: readonly object[], isHead = false): void => {
    for (const event of events) text.write(frame.event(event, count++), isHead)
  }
  const pulse = setInterval(() => {
    if (input.pulse && attempt !== '') send(input.pulse())
    else text.write(frame.pulse)
  }, PULSE_MS)
  text.write(frame.open, true)
  const failing: Promise<unknown> = proxy
    .complete(input.asked, input.request, {
      signal: AbortSignal.any([context.req.raw.signal, controller.signal]),
      onAttempt: (id) => {
        attempt = id
        send(input.first?.(id) ?? [], protocol !== 'responses')
      },
      onToken: (token) => send(input.piece(token, attempt)),
      ...(call && { onCall: (piece: ClientCallPiece) => send(call(piece, attempt)) }),
    })
    .then(
      (reply) => {
        // Headers are gone by now, so it is reason beside the events.
        if (isUnmet(input, reply)) text.write(frame.note(`${WARNING}: ${UNMET}`))
        send(input.last(reply))
        return null
      },
      (error: unknown) => error ?? new Error('It failed without a reason.'),
    )
    .finally(() => clearInterval(pulse))
  const early = await Promise.race([text.begins.then(() => null), failing])
  if (early !== null && protocol !== 'responses' && !isAbortError(early)) return refusal(early, protocol)
  context.header('content-type', frame.type)
  context.header('cache-control', 'no-cache')
  return streamOf(context, async (stream) => {
    stream.onAbort(() => controller.abort())
    text.flow((piece) => stream.write(piece))
    const error = await failing
    if (isAbortError(error)) return
    if (error !== null) send(errorEvents(error, protocol))
    text.write(frame.close)
    await text.written()
  })
}

/** An error in the middle of a stream. */
function errorEvents(error: unknown, protocol: Protocol): object[] {
  const { body } = errorIn(error, protocol)
  if (protocol !== 'responses') return [body]
  const { message, code } = (body as { error: { message: string; code: string } }).error
  // Some clients read the first, others the second.
  return [
    { type: 'error', message, code, param: null },
    {
      type: 'response.failed',
      response: { object: 'response', status: 'failed', error: { code, message }, output: [] },
    },
  ]
}
