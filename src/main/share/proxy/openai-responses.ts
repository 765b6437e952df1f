import { z } from 'zod'
import type { ChatMessage, GenerateRequest, GenerateResult } from '../../../core/ground/chat'
import { objectIn } from './dialects/dialect'
import type { ClientCallPiece } from './live-calls'
import {
  argumentsOf,
  clientForm,
  contentSchema,
  samplingOf,
  samplingShape,
  textOfContent,
  type ReplyHead,
} from './openai-chat'

const itemSchema = z.union([
  z.object({
    type: z.literal('function_call'),
    call_id: z.string(),
    name: z.string(),
    arguments: z.string(),
  }),
  z.object({ type: z.literal('function_call_output'), call_id: z.string(), output: contentSchema }),
  z.object({
    type: z.literal('message').optional(),
    role: z.enum(['system', 'developer', 'user', 'assistant']),
    content: contentSchema,
  }),
  // Items of other kinds, such as reasoning, say nothing to a local model.
  z.object({ type: z.string() }),
])

/** `POST /v1/responses`, as far as it is understood. */
export const responsesSchema = z.looseObject({
  model: z.string(),
  input: z.union([z.string(), z.array(itemSchema).max(2000)]),
  instructions: z.string().nullish(),
  previous_response_id: z.string().nullish(),
  ...samplingShape,
  max_output_tokens: z.number().int().min(1).nullish(),
  tools: z
    .array(
      z.object({
        type: z.string(),
        name: z.string().min(1).optional(),
        description: z.string().nullish(),
        parameters: z.record(z.string(), z.unknown()).nullish(),
      }),
    )
    .max(128)
    .nullish(),
  tool_choice: z
    .union([
      z.enum(['auto', 'none', 'required']),
      z.looseObject({ type: z.string(), name: z.string().optional() }),
    ])
    .nullish(),
  text: z.looseObject({ format: z.looseObject({ type: z.string() }).nullish() }).nullish(),
})
export type ResponsesBody = z.infer<typeof responsesSchema>

/** The dialog of a request behind what came before it. Calls that follow each other are one turn. @throws LoamError `BAD_INPUT` */
export function responsesMessages(
  { input, instructions }: ResponsesBody,
  before: readonly ChatMessage[],
): ChatMessage[] {
  const messages = before.filter(({ role }) => role !== 'system' || !instructions)
  if (instructions) messages.unshift({ role: 'system', content: instructions })
  const names = new Map(
    messages.flatMap((message) =>
      message.role === 'assistant'
        ? (message.toolCalls ?? []).map(({ id, name }) => [id, name] as const)
        : [],
    ),
  )
  for (const item of typeof input === 'string' ? [{ role: 'user' as const, content: input }] : input) {
    if ('role' in item) {
      const content = textOfContent(item.content)
      messages.push({ role: item.role === 'developer' ? 'system' : item.role, content })
    } else if ('name' in item) {
      names.set(item.call_id, item.name)
      const call = { id: item.call_id, name: item.name, arguments: argumentsOf(item.arguments) }
      const last = messages.at(-1)
      if (last?.role === 'assistant')
        messages[messages.length - 1] = { ...last, toolCalls: [...(last.toolCalls ?? []), call] }
      else messages.push({ role: 'assistant', content: '', toolCalls: [call] })
    } else if ('output' in item) {
      const name = names.get(item.call_id) ?? 'tool'
      messages.push({ role: 'tool', content: textOfContent(item.output), callId: item.call_id, name })
    }
  }
  return messages
}

/** The form of a request as Chat says it; null for text. */
export function formOf({ text }: ResponsesBody) {
  const format = text?.format
  if (format?.type === 'json_object') return { type: 'json_object' as const }
  if (format?.type !== 'json_schema') return null
  return { type: 'json_schema' as const, json_schema: { schema: objectIn(format['schema']) } }
}

/** A request of the chat port. Tools that are no functions are left out. */
export function responsesRequest(body: ResponsesBody, messages: readonly ChatMessage[]): GenerateRequest {
  const choice = body.tool_choice
  const toolName = typeof choice === 'object' ? choice?.name : undefined
  const tools = (choice === 'none' ? [] : (body.tools ?? [])).flatMap(({ type, name, ...rest }) =>
    type === 'function' && name !== undefined && (toolName === undefined || toolName === name)
      ? [{ name, ...rest }]
      : [],
  )
  const isRequired = choice === 'required' || (typeof choice === 'object' && choice !== null)
  const constraint = clientForm(formOf(body))
  return {
    messages,
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, parameters }) => ({
        name,
        description: description ?? '',
        inputSchema: parameters ?? { type: 'object' },
      })),
      toolChoice: isRequired ? ('required' as const) : ('auto' as const),
    }),
    ...(constraint && { constraint }),
    ...samplingOf(body),
    ...(typeof body.max_output_tokens === 'number' && { maxTokens: body.max_output_tokens }),
  }
}

const textPart = (text: string) => ({ type: 'output_text', text, annotations: [] })

const messageItem = (id: string, text: string) => ({
  ...{ type: 'message', id, role: 'assistant', status: 'completed', content: [textPart(text)] },
})
const callItem = (id: string, callId: string, name: string, input: string) => ({
  ...{ type: 'function_call', id, call_id: callId, name, arguments: input, status: 'completed' },
})

const outputOf = (id: string, { text, toolCalls = [] }: GenerateResult): object[] => [
  ...(text === '' && toolCalls.length > 0 ? [] : [messageItem(`msg_${id}`, text)]),
  ...toolCalls.map(({ id: callId, name, arguments: input }, i) =>
    callItem(`fc_${id}_${i}`, callId, name, JSON.stringify(input)),
  ),
]

/** A response that is under way. */
const responseBegun = ({ id, model, created }: Omit<ReplyHead, 'loam'>, body: ResponsesBody) => ({
  id,
  object: 'response',
  created_at: created,
  status: 'in_progress',
  model,
  output: [] as object[],
  error: null,
  incomplete_details: null as { reason: string } | null,
  instructions: body.instructions ?? null,
  previous_response_id: body.previous_response_id ?? null,
  parallel_tool_calls: true,
  tool_choice: 'auto',
  tools: body.tools ?? [],
  temperature: body.temperature ?? null,
  top_p: body.top_p ?? null,
  metadata: {},
  usage: null as object | null,
})

/** A whole response. */
export function responseReply(head: ReplyHead, body: ResponsesBody, result: GenerateResult) {
  const cut = result.finish === 'max-tokens'
  const { promptTokens, completionTokens, reusedTokens } = result.usage
  return {
    ...responseBegun(head, body),
    status: cut ? 'incomplete' : 'completed',
    incomplete_details: cut ? { reason: 'max_output_tokens' } : null,
    output: outputOf(head.id, result),
    usage: {
      input_tokens: promptTokens,
      input_tokens_details: { cached_tokens: reusedTokens },
      output_tokens: completionTokens,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: promptTokens + completionTokens,
    },
    loam: head.loam,
  }
}

/** An item of the output while it is written. */
interface OpenItem {
  readonly id: string
  /** Of a call; null: a message. */
  readonly call: { readonly id: string; readonly name: string } | null
  text: string
}

/** Writes a response as a stream of numbered events: `begin`, `text` and `call` for each piece, `end`. */
export class ResponseEvents {
  #number = 0
  readonly #items: OpenItem[] = []
  #isOpen = false

  constructor(
    private readonly head: Omit<ReplyHead, 'loam'>,
    private readonly body: ResponsesBody,
  ) {}

  begin(): object[] {
    const response = responseBegun(this.head, this.body)
    return [this.#event('response.created', { response }), ...this.pulse()]
  }

  /** That it goes on. */
  pulse = (): object[] => [
    this.#event('response.in_progress', { response: responseBegun(this.head, this.body) }),
  ]

  text(delta: string): object[] {
    const start = this.#enter(null)
    this.#add(delta)
    return [...start, this.#event('response.output_text.delta', { ...this.#place(), delta, logprobs: [] })]
  }

  call({ id, name, text }: ClientCallPiece): object[] {
    const start = this.#enter({ id, name })
    this.#add(text)
    const { content_index: _, ...place } = this.#place()
    return text === ''
      ? start
      : [...start, this.#event('response.function_call_arguments.delta', { ...place, delta: text })]
  }

  end(head: ReplyHead, result: GenerateResult): object[] {
    // A reply of no word is an empty message.
    const empty = this.#items.length === 0 ? this.#enter(null) : []
    // A call that was cut is none: clients make those that they are told the end of.
    const last = this.#items.at(-1)
    const isCut = !!last?.call && !(result.toolCalls ?? []).some(({ id }) => id === last.call?.id)
    const end = isCut ? [] : this.#close()
    const output = (isCut ? this.#items.slice(0, -1) : this.#items).map(getItem)
    const response = { ...responseReply(head, this.body, result), output }
    const ending = response.status === 'completed' ? 'response.completed' : 'response.incomplete'
    return [...empty, ...end, this.#event(ending, { response })]
  }

  /** Goes on with the open item where it is the same, else closes it and opens another. */
  #enter(call: OpenItem['call']): object[] {
    const last = this.#items.at(-1)
    if (this.#isOpen && last && last.call?.id === call?.id) return []
    const end = this.#close()
    const count = this.#items.length
    const id = call
      ? `fc_${this.head.id}_${count}`
      : `msg_${this.head.id}${count > 0 ? `_${String(count)}` : ''}`
    const newItem: OpenItem = { id, call, text: '' }
    this.#items.push(newItem)
    this.#isOpen = true
    const item = { ...getItem(newItem), status: 'in_progress', ...(!call && { content: [] }) }
    return [
      ...end,
      this.#event('response.output_item.added', { output_index: count, item }),
      ...(call ? [] : [this.#event('response.content_part.added', { ...this.#place(), part: textPart('') })]),
    ]
  }

  #close(): object[] {
    const last = this.#items.at(-1)
    if (!last || !this.#isOpen) return []
    this.#isOpen = false
    const { content_index, ...place } = this.#place()
    const { text } = last
    const at = { ...place, content_index }
    const events = last.call
      ? [this.#event('response.function_call_arguments.done', { ...place, arguments: text })]
      : [
          this.#event('response.output_text.done', { ...at, text, logprobs: [] }),
          this.#event('response.content_part.done', { ...at, part: textPart(text) }),
        ]
    const item = getItem(last)
    return [...events, this.#event('response.output_item.done', { output_index: place.output_index, item })]
  }

  #add(text: string): void {
    const last = this.#items.at(-1)
    if (last) last.text += text
  }

  #place() {
    const index = this.#items.length - 1
    return { item_id: this.#items[index]?.id ?? '', output_index: index, content_index: 0 }
  }

  #event(type: string, rest: object): object {
    return { type, sequence_number: this.#number++, ...rest }
  }
}

const getItem = ({ id, call, text }: OpenItem): object =>
  call ? callItem(id, call.id, call.name, text) : messageItem(id, text)
