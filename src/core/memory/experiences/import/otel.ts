import { z } from 'zod'
import { byJsonSigns, sign } from '../../../ground/recognition'
import type { RowPlace } from '../../../../shared/domain/reading'
import { isRecord } from '../../../ground/record'
import { countOf, nameOf } from './conversations'
import { traceWords, type Found, type LogFormat } from './log'
import { parsedOr } from './message'
import { anything, maybeTexts, shapeProblem, textOf } from './records'
import { readSpans, verdictOf, type Span } from './traces'

const spanSchema = z.looseObject({
  traceId: z.string().optional(),
  spanId: z.string().optional(),
  ...maybeTexts('parentSpanId', 'parent_id', 'name'),
  context: z.looseObject({ trace_id: z.string(), span_id: z.string() }).nullish(),
  ...anything('attributes'),
  events: z.array(z.unknown()).nullish(),
  status: z.looseObject(anything('code', 'status_code')).nullish(),
})
const exportSchema = z.looseObject({
  resourceSpans: z.array(
    z.looseObject({
      scopeSpans: z.array(z.looseObject({ spans: z.array(z.unknown()) })).nullish(),
      instrumentationLibrarySpans: z.array(z.looseObject({ spans: z.array(z.unknown()) })).nullish(),
    }),
  ),
})

const logsSchema = z.looseObject({
  resourceLogs: z.array(
    z.looseObject({ scopeLogs: z.array(z.looseObject({ logRecords: z.array(z.unknown()) })) }),
  ),
})

type Attributes = Readonly<Record<string, unknown>>

/** OTLP wraps each value in its type; consoles and other exporters write it as it is. */
function valueOf(value: unknown): unknown {
  if (!isRecord(value)) return value
  const { arrayValue, kvlistValue, intValue } = value
  if (isRecord(arrayValue))
    return Array.isArray(arrayValue['values']) ? arrayValue['values'].map(valueOf) : []
  if (isRecord(kvlistValue)) return attributesOf(kvlistValue['values'])
  if (intValue !== undefined) return Number(intValue)
  return value['stringValue'] ?? value['boolValue'] ?? value['doubleValue'] ?? value
}

function attributesOf(input: unknown): Attributes {
  if (!Array.isArray(input)) return isRecord(input) ? input : {}
  return Object.fromEntries(
    input.flatMap((pair: unknown) =>
      isRecord(pair) && typeof pair['key'] === 'string' ? [[pair['key'], valueOf(pair['value'])]] : [],
    ),
  )
}

/** Messages that are spread over numbered attributes: `gen_ai.prompt.0.role`, `llm.input_messages.0.message.content`. */
function numbered(attributes: Attributes, prefix: string): unknown[] {
  const messages: Record<string, unknown>[] = []
  for (const [key, value] of Object.entries(attributes)) {
    if (!key.startsWith(`${prefix}.`)) continue
    const [index = '', ...path] = key.slice(prefix.length + 1).split('.')
    if (!/^\d{1,4}$/.test(index)) continue
    const message = (messages[Number(index)] ??= {})
    const name = (path[0] === 'message' ? path.slice(1) : path).join('.')
    const call = /^tool_calls\.(\d{1,3})\.(?:tool_call\.)?(?:function\.)?(name|arguments|id)$/.exec(name)
    if (call) {
      const calls = (message['tool_calls'] ??= []) as Record<string, unknown>[]
      ;(calls[Number(call[1])] ??= {})[call[2] ?? ''] = value
    } else message[name] = value
  }
  return messages.filter((message) => message !== undefined)
}

/** Text that holds JSON, as what it holds. */
const valueIn = (value: unknown): unknown => (typeof value === 'string' ? parsedOr(value) : value)

/** What an event says: its attributes, and its body, which some programs write as one attribute. */
function saidIn(event: Record<string, unknown>): Attributes {
  const attributes = attributesOf(event['attributes'])
  const body = valueIn(attributes['gen_ai.event.content'] ?? valueOf(event['body']))
  return { ...attributes, ...(isRecord(body) && body) }
}

/** Messages that were recorded as events of the span, by the conventions up to 1.36. */
function ofEvents(events: readonly Event[], isWanted: (name: string) => boolean): unknown[] {
  return events.flatMap(({ name, said }) => {
    if (!isWanted(name)) return []
    const role = /^gen_ai\.(user|assistant|system|tool)\.message$/.exec(name)?.[1] ?? 'assistant'
    const inner = valueIn(said['message'] ?? said['gen_ai.completion'] ?? said['gen_ai.prompt'] ?? said)
    return (Array.isArray(inner) ? (inner as unknown[]) : [inner]).map((message) => {
      if (!isRecord(message)) return { role, content: message }
      const calls = valueIn(message['tool_calls'] ?? said['tool_calls'])
      return { role, ...message, ...(Array.isArray(calls) && { tool_calls: calls }) }
    })
  })
}

interface Event {
  readonly name: string
  readonly said: Attributes
}

/** The event that since 1.37 holds what a call was given and answered, in the attributes that a span has. */
const DETAILS = 'gen_ai.client.inference.operation.details'

const eventsOf = (values: readonly unknown[]): Event[] =>
  values.filter(isRecord).map((event) => ({
    name: textOf(event['name'] ?? event['eventName']),
    said: saidIn(event),
  }))

const firstOf = (...values: unknown[]): unknown =>
  values.find(
    (value) =>
      value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0),
  )

function toSpan(span: z.infer<typeof spanSchema>, place: RowPlace): Span | string {
  const trace = span.traceId ?? span.context?.trace_id
  const id = span.spanId ?? span.context?.span_id
  if (trace === undefined || id === undefined) return 'it is not a span with a trace id'
  const events = eventsOf(span.events ?? [])
  const details = events.findLast(({ name }) => name === DETAILS)?.said
  const a = { ...details, ...attributesOf(span.attributes) }
  const operation = textOf(
    a['gen_ai.operation.name'] ??
      a['openinference.span.kind'] ??
      a['traceloop.span.kind'] ??
      a['ai.operationId'],
  )
  const isTool =
    /tool/i.test(operation) || a['gen_ai.tool.name'] !== undefined || a['ai.toolCall.name'] !== undefined
  const input = firstOf(
    a['gen_ai.input.messages'],
    numbered(a, 'gen_ai.prompt'),
    numbered(a, 'llm.input_messages'),
    a['ai.prompt.messages'],
    ofEvents(events, (name) =>
      /^gen_ai\.(?:user|assistant|system|tool)\.message$|^gen_ai\.content\.prompt$/.test(name),
    ),
    a['ai.prompt'],
  )
  const output = firstOf(
    a['gen_ai.output.messages'],
    numbered(a, 'gen_ai.completion'),
    numbered(a, 'llm.output_messages'),
    aiSdkReply(a),
    ofEvents(events, (name) => name === 'gen_ai.choice' || name === 'gen_ai.content.completion'),
  )
  const asks =
    !isTool && !/agent|chain|workflow/i.test(operation) && (input !== undefined || output !== undefined)
  const code = span.status?.code ?? span.status?.status_code
  const verdicts = events.flatMap(
    ({ said }) =>
      verdictOf(
        said['gen_ai.evaluation.name'],
        firstOf(said['gen_ai.evaluation.score.label'], said['gen_ai.evaluation.score.value']),
      ) ?? [],
  )
  const beginning = (span['startTimeUnixNano'] ?? span['start_time']) as unknown
  return {
    place,
    trace,
    id,
    parent: nameOf(span.parentSpanId ?? span.parent_id),
    kind: isTool ? 'tool' : asks ? 'model' : 'other',
    name: textOf(firstOf(a['gen_ai.tool.name'], a['ai.toolCall.name'], a['tool.name'], span.name)),
    input: isTool
      ? firstOf(
          a['gen_ai.tool.call.arguments'],
          a['ai.toolCall.args'],
          a['input.value'],
          a['traceloop.entity.input'],
        )
      : firstOf(input, a['input.value'], a['traceloop.entity.input']),
    output: isTool
      ? firstOf(
          a['gen_ai.tool.call.result'],
          a['ai.toolCall.result'],
          a['output.value'],
          a['traceloop.entity.output'],
        )
      : firstOf(output, a['output.value'], a['traceloop.entity.output']),
    failed: code === 2 || code === 'STATUS_CODE_ERROR' || code === 'ERROR',
    start: textOf(beginning).padStart(24, '0'),
    model: nameOf(
      firstOf(a['gen_ai.response.model'], a['gen_ai.request.model'], a['llm.model_name'], a['ai.model.id']),
    ),
    promptTokens: countOf(
      firstOf(a['gen_ai.usage.input_tokens'], a['gen_ai.usage.prompt_tokens'], a['llm.token_count.prompt']),
    ),
    completionTokens: countOf(
      firstOf(
        a['gen_ai.usage.output_tokens'],
        a['gen_ai.usage.completion_tokens'],
        a['llm.token_count.completion'],
      ),
    ),
    verdict: verdicts.at(-1) ?? null,
  }
}

/** The AI SDK writes a reply's text and its calls apart. */
function aiSdkReply(a: Attributes): unknown {
  const calls = firstOf(a['ai.response.toolCalls'])
  const text = firstOf(a['ai.response.text'])
  if (calls === undefined && text === undefined) return undefined
  let list: unknown
  try {
    list = typeof calls === 'string' ? (JSON.parse(calls) as unknown) : calls
  } catch {
    list = undefined
  }
  return [{ role: 'assistant', content: textOf(text), tool_calls: Array.isArray(list) ? list : [] }]
}

/** Events that were exported as logs, by the span they belong to, as if it held them. */
function* spansOfLogs({ resourceLogs }: z.infer<typeof logsSchema>): Generator<unknown> {
  const spans = new Map<string, { readonly events: unknown[]; readonly [name: string]: unknown }>()
  for (const { scopeLogs } of resourceLogs)
    for (const record of scopeLogs.flatMap(({ logRecords }) => logRecords).filter(isRecord)) {
      const { traceId, spanId, eventName, timeUnixNano: startTimeUnixNano } = record
      const attributes = attributesOf(record['attributes'])
      const name = textOf(eventName ?? attributes['event.name'])
      if (!name.startsWith('gen_ai.')) continue
      const id = JSON.stringify([traceId, spanId])
      const span = spans.get(id) ?? { traceId, spanId, startTimeUnixNano, attributes, events: [] }
      spans.set(id, span)
      span.events.push({ ...record, name })
    }
  yield* spans.values()
}

function* spansIn(value: unknown): Generator<unknown> {
  const logs = logsSchema.safeParse(value)
  if (logs.success) yield* spansOfLogs(logs.data)
  if (logs.success && !('resourceSpans' in logs.data)) return
  const whole = exportSchema.safeParse(value)
  if (whole.success) {
    for (const { scopeSpans, instrumentationLibrarySpans } of whole.data.resourceSpans)
      for (const { spans } of scopeSpans ?? instrumentationLibrarySpans ?? []) yield* spans
  } else if (isRecord(value) && Array.isArray(value['spans'])) yield* value['spans'] as unknown[]
  else yield value
}

const read = (text: AsyncIterable<string>): AsyncGenerator<Found> =>
  readSpans(text, 'opentelemetry', function* (value, place) {
    for (const input of spansIn(value)) {
      const read = spanSchema.safeParse(input)
      yield read.success ? toSpan(read.data, place) : shapeProblem(read.error)
    }
  })

/** OpenTelemetry's spans of generative AI, one attempt per trace. */
export const otel: LogFormat = {
  id: 'otel',
  title: 'OpenTelemetry GenAI spans and events (OTLP JSON, JSONL)',
  writtenFor:
    'OTLP JSON of the GenAI conventions 1.26 to 1.38 (messages as attributes, as events of spans or as logs), OpenLLMetry, OpenInference and the AI SDK',
  ...traceWords('spans'),
  recognise: byJsonSigns([
    sign(0.95, /"resourceSpans"\s*:/),
    sign(0.95, /"resourceLogs"\s*:/, /"gen_ai\./),
    sign(0.8, /"(?:traceId|trace_id)"\s*:/, /"(?:spanId|span_id)"\s*:/, /"attributes"\s*:/),
  ]),
  read,
}
