import type { GenerateResult } from '../../../../core/ground/chat'
import { AnthropicEvents, anthropicReply } from '../anthropic-local'
import { inputText, objectIn, readInput, textIn, type Json, type ReadAnswer } from '../dialects/dialect'
import type { ClientCallPiece } from '../live-calls'
import { chatCalls, chatChunk, chatEnd, chatReply } from '../openai-chat'
import { ResponseEvents, responseReply, type ResponsesBody } from '../openai-responses'

/** Writes what an upstream answers in the words of another protocol. */
export interface AnswerWriter {
  /** All of a stream that came since the last time. */
  grow(answer: ReadAnswer): string
  /** What ends a stream. */
  end(answer: ReadAnswer): string
  whole(answer: ReadAnswer): object
}

const REFUSED = new Set(['content_filter', 'refusal', 'SAFETY'])
const FINISH: Readonly<Record<string, GenerateResult['finish']>> = {
  ...{
    max_tokens: 'max-tokens',
    length: 'max-tokens',
    max_output_tokens: 'max-tokens',
    MAX_TOKENS: 'max-tokens',
  },
  ...{ tool_use: 'tool-calls', tool_calls: 'tool-calls', function_call: 'tool-calls' },
  ...{ stop_sequence: 'stop' },
}

function resultOf(answer: ReadAnswer): GenerateResult {
  const toolCalls = [...answer.calls.values()].map(({ id, name, input }) => ({
    ...{ id, name },
    arguments: readInput(input),
  }))
  const { promptTokens, completionTokens, cachedTokens } = answer
  return {
    text: answer.text,
    ...(toolCalls.length > 0 && { toolCalls }),
    finish: FINISH[answer.finish ?? ''] ?? (toolCalls.length > 0 ? 'tool-calls' : 'end'),
    usage: { promptTokens, completionTokens, reusedTokens: cachedTokens, ms: 0 },
  }
}

interface Written {
  readonly begin: () => object[]
  readonly text: (text: string) => object[]
  readonly call: (piece: ClientCallPiece) => object[]
  readonly end: (result: GenerateResult, answer: ReadAnswer) => object[]
  readonly whole: (result: GenerateResult, answer: ReadAnswer) => object
  /** Whether events are told by name, and a mark ends the stream. */
  readonly isNamed: boolean
}

/** A writer for the client of one request. `body`: the request as the client wrote it. */
export function answerWriter(dialect: string, body: Json): AnswerWriter | null {
  const model = textIn(body['model'])
  const make = WRITERS[dialect]
  return make ? writerOf(make(model, body)) : null
}

function writerOf(write: Written): AnswerWriter {
  let isBegun = false
  let length = 0
  const lengths = new Map<number | string, number>()
  const wire = (events: readonly object[]): string =>
    events
      .map((event) => {
        const name = write.isNamed && 'type' in event ? `event: ${String(event.type)}\n` : ''
        return `${name}data: ${JSON.stringify(event)}\n\n`
      })
      .join('')
  const grow = (answer: ReadAnswer): object[] => {
    const events: object[] = isBegun ? [] : write.begin()
    isBegun = true
    if (answer.text.length > length) events.push(...write.text(answer.text.slice(length)))
    length = answer.text.length
    for (const [key, { id, name, input }] of answer.calls) {
      const before = lengths.get(key)
      if (before === undefined && name === '') continue
      if (before === undefined) events.push(...write.call({ id, name, text: '' }))
      if (input.length > (before ?? 0))
        events.push(...write.call({ id, name, text: input.slice(before ?? 0) }))
      lengths.set(key, input.length)
    }
    return events
  }
  return {
    grow: (answer) => wire(grow(answer)),
    end: (answer) => {
      // Calls without arguments have an empty object.
      for (const call of answer.calls.values()) call.input ||= '{}'
      return (
        wire([...grow(answer), ...write.end(resultOf(answer), answer)]) +
        (write.isNamed ? '' : 'data: [DONE]\n\n')
      )
    },
    whole: (answer) => write.whole(resultOf(answer), answer),
  }
}

const now = (): number => Math.floor(Date.now() / 1000)
const isRefusal = ({ finish }: ReadAnswer): boolean => REFUSED.has(finish ?? '')

const WRITERS: Readonly<Record<string, (model: string, body: Json) => Written>> = {
  'openai-chat': (model, body) => {
    const head = { id: `chatcmpl-${crypto.randomUUID()}`, model, created: now(), loam: undefined }
    const callDelta = chatCalls()
    const withUsage = objectIn(body['stream_options'])['include_usage'] === true
    const finished = <T>(value: T, answer: ReadAnswer): T => {
      const [choice] = (value as { choices?: { finish_reason?: unknown }[] }).choices ?? []
      if (choice && isRefusal(answer)) choice.finish_reason = 'content_filter'
      return value
    }
    return {
      isNamed: false,
      begin: () => [chatChunk(head, { role: 'assistant', content: '' })],
      text: (content) => [chatChunk(head, { content })],
      call: (piece) => [chatChunk(head, callDelta(piece))],
      end: (result, answer) => chatEnd(head, result, withUsage).map((event) => finished(event, answer)),
      whole: (result, answer) => finished(chatReply(head, result), answer),
    }
  },
  'anthropic-messages': (model) => {
    const id = `msg_${crypto.randomUUID()}`
    const events = new AnthropicEvents(id, model)
    return {
      isNamed: true,
      begin: () => events.begin(),
      text: (text) => events.text(text),
      call: (piece) => events.call(piece),
      end: (result, answer) =>
        events
          .end(result)
          .map((event) =>
            isRefusal(answer) && 'delta' in event
              ? { ...event, delta: { ...(event.delta as object), stop_reason: 'refusal' } }
              : event,
          ),
      whole: (result, answer) => ({
        ...anthropicReply(id, model, result),
        ...(isRefusal(answer) && { stop_reason: 'refusal' }),
      }),
    }
  },
  'openai-responses': (model, body) => {
    const head = { id: `resp_${crypto.randomUUID()}`, model, created: now(), loam: undefined }
    // Only fields that are said again in the answer are read of it.
    const request = body as ResponsesBody
    const events = new ResponseEvents(head, request)
    return {
      isNamed: true,
      begin: () => events.begin(),
      text: (text) => events.text(text),
      call: (piece) => events.call(piece),
      end: (result) => events.end(head, result),
      whole: (result) => responseReply(head, request, result),
    }
  },
}

/** An error of an upstream in the form of another protocol. */
export function translateError(dialect: string, json: unknown, status: number): object {
  const error = objectIn(objectIn(json)['error'])
  const message = textIn(error['message']) || inputText(json)
  const type = textIn(error['type']) || (status < 500 ? 'invalid_request_error' : 'api_error')
  return dialect === 'anthropic-messages'
    ? { type: 'error', error: { type, message } }
    : { error: { message, type, param: null, code: error['code'] ?? null } }
}
