import { z } from 'zod'
import type { ChatMessage, GenerateRequest, GenerateResult, ToolCall } from '../../../core/ground/chat'
import { declareConstraint, type DeclaredConstraint } from '../../../core/ground/constraint'
import type { ClientCallPiece } from './live-calls'
import { heldSchema } from './local-model'

/** The form that a client holds replies to, as OpenAI's protocol says it; `grammar` of llama-server is taken too. */
const responseFormatSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text') }),
  z.object({ type: z.literal('json_object') }),
  z.object({
    type: z.literal('json_schema'),
    json_schema: z.object({ schema: z.record(z.string(), z.unknown()) }),
  }),
])
type ResponseFormat = z.infer<typeof responseFormatSchema>

/** Any JSON object, in GBNF. */
const JSON_OBJECT = String.raw`root ::= object
value ::= object | array | string | number | "true" | "false" | "null"
object ::= "{" ws (pair ("," ws pair)*)? ws "}"
pair ::= string ":" ws value ws
array ::= "[" ws (value ws ("," ws value ws)*)? "]"
string ::= "\"" ([^"\\\x00-\x1F] | "\\" (["\\/bfnrt] | "u" [0-9a-fA-F]{4}))* "\""
number ::= "-"? ("0" | [1-9] [0-9]{0,15}) ("." [0-9]{1,16})? ([eE] [-+]? [0-9]{1,3})?
ws ::= [ \n\t]{0,8}`

/** What a client asked for; its schema is the client's own, and is refused in words where it cannot be enforced. */
const clientConstraint = declareConstraint<[schema: Readonly<Record<string, unknown>> | null]>(
  'client-form',
  (schema) => (schema === null ? { kind: 'gbnf', grammar: JSON_OBJECT } : { kind: 'json-schema', schema }),
  () => [
    [null],
    [{ type: 'object', properties: { colour: { enum: ['red', 'green'] }, count: { type: 'integer' } } }],
  ],
)

/** The constraint for a client's form; undefined for plain text. What no grammar can hold is left to a check. */
export const clientForm = (format: ResponseFormat | null | undefined): DeclaredConstraint | undefined =>
  !format || format.type === 'text'
    ? undefined
    : clientConstraint(format.type === 'json_object' ? null : heldSchema(format.json_schema.schema).schema)

/** The schema that a client's replies are to meet; null for none. */
export const schemaOf = (
  format: ResponseFormat | null | undefined,
): Readonly<Record<string, unknown>> | null =>
  format?.type === 'json_schema' ? format.json_schema.schema : format?.type === 'json_object' ? {} : null

/** Parts of a message; only text is taken. */
const partSchema = z.union([
  z.object({ type: z.enum(['text', 'input_text', 'output_text', 'refusal']), text: z.string() }),
  z.object({ type: z.string() }),
])
export const contentSchema = z.union([z.string(), z.array(partSchema), z.null()]).optional()
type Content = z.infer<typeof contentSchema>

const callSchema = z.object({
  id: z.string(),
  function: z.object({ name: z.string(), arguments: z.string() }),
})
const messageSchema = z.object({
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool', 'function']),
  content: contentSchema,
  name: z.string().optional(),
  tool_calls: z.array(callSchema).nullish(),
  tool_call_id: z.string().optional(),
})
const toolSchema = z.object({
  type: z.string(),
  // Other tools are run by the server that offers them, and are left out.
  function: z
    .object({
      name: z.string().min(1),
      description: z.string().default(''),
      parameters: z.record(z.string(), z.unknown()).default({ type: 'object' }),
    })
    .optional(),
})

/** What requests of every kind may say about how to write. */
export const samplingShape = {
  temperature: z.number().min(0).max(2).nullish(),
  seed: z.number().int().nullish(),
  top_p: z.number().nullish(),
  top_k: z.number().int().nullish(),
  min_p: z.number().nullish(),
  stream: z.boolean().nullish(),
}

/** `POST /v1/chat/completions`, as far as it is understood. */
export const chatSchema = z.looseObject({
  model: z.string(),
  messages: z.array(messageSchema).min(1).max(2000),
  ...samplingShape,
  max_tokens: z.number().int().min(1).nullish(),
  max_completion_tokens: z.number().int().min(1).nullish(),
  stop: z.union([z.string(), z.array(z.string()).max(8)]).nullish(),
  tools: z.array(toolSchema).max(128).nullish(),
  tool_choice: z
    .union([
      z.enum(['auto', 'none', 'required']),
      z.looseObject({ type: z.string(), function: z.object({ name: z.string() }).optional() }),
    ])
    .nullish(),
  response_format: responseFormatSchema.nullish(),
  stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
})
export type ChatBody = z.infer<typeof chatSchema>

/** The text of a message's content. */
export function textOfContent(content: Content): string {
  if (content === null || content === undefined) return ''
  if (typeof content === 'string') return content
  return content
    .map((part) => {
      // What is no text is said to be left out.
      return 'text' in part ? part.text : ''
    })
    .join('\n')
}

/** Arguments as they are kept; what is no JSON object is kept as a text. */
export function argumentsOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>
  } catch {
    // Told below.
  }
  return text.trim() === '' ? {} : { text }
}

/** The messages of a request in the shape of the chat port. */
function chatMessages(messages: ChatBody['messages']): ChatMessage[] {
  const names = new Map<string, string>()
  return messages.map((message): ChatMessage => {
    const content = textOfContent(message.content)
    switch (message.role) {
      case 'system':
      case 'developer':
        return { role: 'system', content }
      case 'user':
        return { role: 'user', content }
      case 'assistant': {
        const calls = (message.tool_calls ?? []).map(
          ({ id, function: { name, arguments: inputText } }): ToolCall => {
            names.set(id, name)
            return { id, name, arguments: argumentsOf(inputText) }
          },
        )
        return { role: 'assistant', content, ...(calls.length > 0 && { toolCalls: calls }) }
      }
      default: {
        const callId = message.tool_call_id ?? ''
        return { role: 'tool', content, callId, name: message.name ?? names.get(callId) ?? 'tool' }
      }
    }
  })
}

/** What a client says of how to write; what it does not say is left out. */
export const samplingOf = ({
  temperature,
  seed,
  top_p,
  top_k,
  min_p,
}: Partial<Record<'temperature' | 'seed' | 'top_p' | 'top_k' | 'min_p', number | null | undefined>>) => ({
  ...(typeof temperature === 'number' && { temperature }),
  ...(typeof seed === 'number' && { seed }),
  sampling: {
    ...(typeof top_p === 'number' && { topP: top_p }),
    ...(typeof top_k === 'number' && { topK: top_k }),
    ...(typeof min_p === 'number' && { minP: min_p }),
  },
})

/** Functions among tools, as the chat port has them; others are left out. `only`: the one that is to be called. */
export const toolsOf = (tools: ChatBody['tools'], only?: string) =>
  (tools ?? []).flatMap(({ function: own }) =>
    own && (only === undefined || own.name === only)
      ? [{ name: own.name, description: own.description, inputSchema: own.parameters }]
      : [],
  )

/** A request of the chat port. */
export function chatRequest(body: ChatBody): GenerateRequest {
  const choice = body.tool_choice
  const toolName = typeof choice === 'object' ? choice?.function?.name : undefined
  const tools = choice === 'none' ? [] : toolsOf(body.tools, toolName)
  const stop = body.stop === null || body.stop === undefined ? [] : [body.stop].flat()
  const most = body.max_completion_tokens ?? body.max_tokens
  const constraint = clientForm(body.response_format)
  return {
    messages: chatMessages(body.messages),
    ...(tools.length > 0 && {
      tools,
      toolChoice:
        choice === 'required' || typeof choice === 'object' ? ('required' as const) : ('auto' as const),
    }),
    ...(constraint && { constraint }),
    ...(stop.length > 0 && { stop }),
    ...samplingOf(body),
    ...(typeof most === 'number' && { maxTokens: most }),
  }
}

const FINISH = {
  ...{ end: 'stop', stop: 'stop', loop: 'stop', 'max-tokens': 'length' },
  'tool-calls': 'tool_calls',
} as const

const wireCalls = (calls: readonly ToolCall[]) =>
  calls.map(({ id, name, arguments: input }) => ({
    id,
    type: 'function' as const,
    function: { name, arguments: JSON.stringify(input) },
  }))

export const wireUsage = ({ usage }: GenerateResult) => ({
  prompt_tokens: usage.promptTokens,
  completion_tokens: usage.completionTokens,
  total_tokens: usage.promptTokens + usage.completionTokens,
  prompt_tokens_details: { cached_tokens: usage.reusedTokens },
})

/** What names a reply on the wire. */
export interface ReplyHead {
  readonly id: string
  readonly model: string
  /** Unix seconds. */
  readonly created: number
  /** What was put in, for the client that wants to know. */
  readonly loam: unknown
}

/** A whole chat reply. */
export const chatReply = ({ id, model, created, loam }: ReplyHead, result: GenerateResult) => ({
  id,
  object: 'chat.completion',
  created,
  model,
  choices: [
    {
      index: 0,
      message: {
        role: 'assistant',
        content: result.text === '' && result.toolCalls ? null : result.text,
        refusal: null,
        ...(result.toolCalls && { tool_calls: wireCalls(result.toolCalls) }),
      },
      logprobs: null,
      finish_reason: FINISH[result.finish],
    },
  ],
  usage: wireUsage(result),
  loam,
})

/** A piece of a chat reply. */
export const chatChunk = (
  { id, model, created }: Omit<ReplyHead, 'loam'>,
  delta: object,
  finish: string | null = null,
) => ({
  id,
  object: 'chat.completion.chunk',
  created,
  model,
  choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
})

/** Deltas of the calls of one reply, in their order. */
export function chatCalls() {
  const ids: string[] = []
  return ({ id, name, text }: ClientCallPiece): object => {
    const place = ids.indexOf(id)
    if (place >= 0) return { tool_calls: [{ index: place, function: { arguments: text } }] }
    const index = ids.push(id) - 1
    return { tool_calls: [{ index, id, type: 'function', function: { name, arguments: text } }] }
  }
}

/** The pieces that end a streamed chat reply: why it ended, and what it took. */
export const chatEnd = (head: ReplyHead, result: GenerateResult, withUsage: boolean): object[] => [
  { ...chatChunk(head, {}, FINISH[result.finish]), loam: head.loam },
  ...(withUsage ? [{ ...chatChunk(head, {}), choices: [], usage: wireUsage(result) }] : []),
]
