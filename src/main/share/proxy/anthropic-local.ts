import { z } from 'zod'
import type { GenerateRequest, GenerateResult } from '../../../core/ground/chat'
import { anthropicMessages } from './dialects/anthropic'
import { contentText } from './dialects/dialect'

/** `POST /v1/messages`, as far as a local model needs it. */
export const anthropicSchema = z.looseObject({
  model: z.string(),
  messages: z
    .array(z.looseObject({ role: z.string() }))
    .min(1)
    .max(4000),
  max_tokens: z.number().int().min(1).nullish(),
  system: z.unknown(),
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

const blocksOf = ({ text, toolCalls = [] }: GenerateResult): object[] => [
  ...(text === '' ? [] : [{ type: 'text', text }]),
  ...toolCalls.map(({ id, name, arguments: input }) => ({
    type: 'tool_use',
    id: id.replace('call_', 'toolu_'),
    name,
    input,
  })),
]
const usageOf = ({ usage }: GenerateResult) => ({
  input_tokens: usage.promptTokens,
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

/** Writes a message as a stream of events: `begin`, `text` for each piece, `end`. */
export class AnthropicEvents {
  #blocks = 0
  #isOpen = false

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
    const start = {
      type: 'content_block_start',
      index: this.#blocks,
      content_block: { type: 'text', text: '' },
    }
    const head = this.#isOpen ? [] : [start]
    this.#isOpen = true
    return [
      ...head,
      { type: 'content_block_delta', index: this.#blocks, delta: { type: 'text_delta', text } },
    ]
  }

  end(result: GenerateResult): object[] {
    const events: object[] = []
    if (this.#isOpen) events.push({ type: 'content_block_stop', index: this.#blocks++ })
    for (const block of blocksOf({ ...result, text: '' })) {
      const { input } = block as { input: object }
      const index = this.#blocks++
      events.push(
        { type: 'content_block_start', index, content_block: { ...block, input: {} } },
        ...argumentPieces(JSON.stringify(input)).map((piece) => ({
          type: 'content_block_delta',
          index,
          delta: { type: 'input_json_delta', partial_json: piece },
        })),
        { type: 'content_block_stop', index },
      )
    }
    const delta = { stop_reason: STOPS[result.finish], stop_sequence: null }
    return [...events, { type: 'message_delta', delta, usage: usageOf(result) }, { type: 'message_stop' }]
  }
}

/** Characters of a piece. */
const PIECE = 200

/** Arguments in pieces, as clients expect long ones to come. */
export const argumentPieces = (text: string): string[] =>
  Array.from({ length: Math.ceil(text.length / PIECE) }, (_, i) => text.slice(i * PIECE, (i + 1) * PIECE))
