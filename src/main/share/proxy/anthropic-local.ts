import { z } from 'zod'
import type { GenerateRequest, GenerateResult } from '../../../core/ground/chat'
import { anthropicForm, anthropicMessages } from './dialects/anthropic'
import { contentText } from './dialects/dialect'
import type { ClientCallPiece } from './live-calls'
import { clientForm } from './openai-chat'

/** `POST /v1/messages`, as far as a local model needs it. */
export const anthropicSchema = z.looseObject({
  model: z.string(),
  messages: z
    .array(z.looseObject({ role: z.string() }))
    .min(1)
    .max(4000),
  max_tokens: z.number().int().min(1).nullish(),
  system: z.unknown().optional(),
  temperature: z.number().nullish(),
  top_p: z.number().nullish(),
  top_k: z.number().int().nullish(),
  stop_sequences: z.array(z.string()).nullish(),
  stream: z.boolean().nullish(),
  tools: z.array(z.looseObject({ name: z.string(), description: z.string().nullish() })).nullish(),
  tool_choice: z.looseObject({ type: z.string(), name: z.string().optional() }).nullish(),
})
export type AnthropicBody = z.infer<typeof anthropicSchema>

/** A request of the chat port. Tools without a schema of their own are run by Anthropic's servers, and are left out. */
export function anthropicRequest(body: AnthropicBody): GenerateRequest {
  const { tool_choice: choice } = body
  const tools = (body.tools ?? [])
    .filter((tool) => tool['input_schema'] !== undefined)
    .filter(({ name }) => choice?.type !== 'none' && (choice?.type !== 'tool' || choice.name === name))
    .map((tool) => ({
      name: tool.name,
      description: tool.description ?? '',
      inputSchema: tool['input_schema'] as Record<string, unknown>,
    }))
  const system = contentText(body.system)
  const schema = anthropicForm(body)
  const constraint = schema && clientForm({ type: 'json_schema', json_schema: { schema } })
  return {
    messages: [
      ...(system === '' ? [] : [{ role: 'system' as const, content: system }]),
      ...anthropicMessages(body.messages).map(({ message }) => message),
    ],
    ...(tools.length > 0 && {
      tools,
      toolChoice:
        choice?.type === 'any' || choice?.type === 'tool' ? ('required' as const) : ('auto' as const),
    }),
    ...(constraint && { constraint }),
    ...(body.stop_sequences && { stop: body.stop_sequences }),
    ...(typeof body.temperature === 'number' && { temperature: body.temperature }),
    sampling: {
      ...(typeof body.top_p === 'number' && { topP: body.top_p }),
      ...(typeof body.top_k === 'number' && { topK: body.top_k }),
    },
    ...(typeof body.max_tokens === 'number' && { maxTokens: body.max_tokens }),
  }
}

const STOPS = {
  ...{ end: 'end_turn', stop: 'stop_sequence', loop: 'end_turn', 'max-tokens': 'max_tokens' },
  'tool-calls': 'tool_use',
} as const

const toolUseId = (id: string): string => id.replace('call_', 'toolu_')

const blocksOf = ({ text, toolCalls = [] }: GenerateResult): object[] => [
  ...(text === '' ? [] : [{ type: 'text', text }]),
  ...toolCalls.map(({ id, name, arguments: input }) => ({
    type: 'tool_use',
    id: toolUseId(id),
    name,
    input,
  })),
]
const usageOf = ({ usage }: GenerateResult) => ({
  input_tokens: usage.promptTokens - usage.reusedTokens,
  cache_read_input_tokens: usage.reusedTokens,
  output_tokens: usage.completionTokens,
})
const messageOf = (id: string, model: string) => ({
  id,
  type: 'message',
  role: 'assistant',
  model,
  stop_sequence: null,
})

/** A whole message. */
export const anthropicReply = (id: string, model: string, result: GenerateResult) => ({
  ...messageOf(id, model),
  content: blocksOf(result),
  stop_reason: STOPS[result.finish],
  usage: usageOf(result),
})

/** Writes a message as a stream of events: `begin`, `text` and `call` for each piece, `end`. */
export class AnthropicEvents {
  #block = -1
  /** What the open block is: a text, or a call by its id. */
  #open: string | null = null

  constructor(
    private readonly id: string,
    private readonly model: string,
  ) {}

  begin(): object[] {
    const usage = { input_tokens: 0, output_tokens: 0 }
    const message = { ...messageOf(this.id, this.model), content: [], stop_reason: null, usage }
    return [{ type: 'message_start', message }]
  }

  text(text: string): object[] {
    return [...this.#enter(TEXT, { type: 'text', text: '' }), this.#delta({ type: 'text_delta', text })]
  }

  call({ id, name, text }: ClientCallPiece): object[] {
    const block = { type: 'tool_use', id: toolUseId(id), name, input: {} }
    const start = this.#enter(id, block)
    return text === '' ? start : [...start, this.#delta({ type: 'input_json_delta', partial_json: text })]
  }

  end(result: GenerateResult): object[] {
    const delta = { stop_reason: STOPS[result.finish], stop_sequence: null }
    return [
      ...this.#close(),
      { type: 'message_delta', delta, usage: usageOf(result) },
      { type: 'message_stop' },
    ]
  }

  #enter(block: string, content_block: object): object[] {
    if (this.#open === block) return []
    const end = this.#close()
    this.#open = block
    this.#block++
    return [...end, { type: 'content_block_start', index: this.#block, content_block }]
  }

  #close(): object[] {
    if (this.#open === null) return []
    this.#open = null
    return [{ type: 'content_block_stop', index: this.#block }]
  }

  #delta(delta: object): object {
    return { type: 'content_block_delta', index: this.#block, delta }
  }
}

const TEXT = 'text'
