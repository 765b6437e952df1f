import type { ChatImage, ChatMessage, GenerateRequest } from '../../../core/ground/chat'
import type { ServerKind } from './server-facts'

/** Most tokens of a reply where a request does not say. */
export const DEFAULT_MAX_TOKENS = 512

type Json = Readonly<Record<string, unknown>>

/** A request without fields that the server has refused; the limit of a reply goes by its newer name then. */
export function withoutFields(body: Json, refused: ReadonlySet<string>): Json {
  const selection = Object.fromEntries(Object.entries(body).filter(([field]) => !refused.has(field)))
  return refused.has('max_tokens') ? { ...selection, max_completion_tokens: body['max_tokens'] } : selection
}

/** A request as the server wants it. `plain` leaves out forms and thinking, which some servers refuse. */
export function requestBody(model: string, request: GenerateRequest, kind: ServerKind, plain = false): Json {
  const { tools = [], toolChoice = 'auto', stop = [] } = request
  const isOwn = request.defaults !== 'server'
  const temperature = request.temperature ?? (isOwn ? 0 : undefined)
  const seed = request.seed ?? (isOwn ? 0 : undefined)
  const maxTokens = request.maxTokens ?? (isOwn ? DEFAULT_MAX_TOKENS : undefined)
  return {
    model,
    messages: request.messages.map(asMessage),
    stream: true,
    stream_options: { include_usage: true },
    ...(temperature !== undefined && { temperature }),
    ...(request.sampling?.topP !== undefined && { top_p: request.sampling.topP }),
    ...(seed !== undefined && { seed }),
    ...(maxTokens !== undefined && { max_tokens: maxTokens }),
    ...(stop.length > 0 && { stop }),
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, inputSchema }) => ({
        type: 'function',
        function: { name, description, parameters: { type: 'object', ...inputSchema } },
      })),
      tool_choice: toolChoice,
    }),
    ...(!plain && { ...formOf(request, kind), ...thinkingOf(request, kind) }),
  }
}

/** Something to look at, listen to or watch; `data` in base64. */
export interface MediaPart {
  readonly kind: 'image' | 'audio' | 'video'
  /** As `image/png`. */
  readonly type: string
  readonly data: string
}

/** The same request with a picture, a recording or a film beside the words of its last message. */
export function withMedia(body: Json, { kind, type, data }: MediaPart): Json {
  const messages = body['messages'] as readonly Json[]
  const url = `data:${type};base64,${data}`
  const part: Json = {
    image: { type: 'image_url', image_url: { url } },
    audio: { type: 'input_audio', input_audio: { data, format: type.split('/')[1] ?? 'wav' } },
    video: { type: 'video_url', video_url: { url } },
  }[kind]
  return {
    ...body,
    messages: messages.map((message, i) =>
      i < messages.length - 1
        ? message
        : { ...message, content: [{ type: 'text', text: message['content'] }, part] },
    ),
  }
}

function asMessage(message: ChatMessage): Json {
  switch (message.role) {
    case 'tool':
      return { role: 'tool', tool_call_id: message.callId, content: message.content }
    case 'assistant':
      return {
        role: 'assistant',
        content: message.content,
        ...(message.toolCalls && {
          tool_calls: message.toolCalls.map(({ id, name, arguments: input }) => ({
            id,
            type: 'function',
            function: { name, arguments: JSON.stringify(input) },
          })),
        }),
      }
    default:
      return { role: message.role, content: withImages(message.content, message.images ?? []) }
  }
}

/** Words with pictures beside them, as OpenAI's protocol has it. */
const withImages = (text: string, images: readonly ChatImage[]): string | Json[] =>
  images.length === 0
    ? text
    : [
        { type: 'text', text },
        ...images.map(({ type, data }) => ({
          type: 'image_url',
          image_url: { url: `data:${type};base64,${data}` },
        })),
      ]

/** The form a reply is held to, in the words of the server's program. */
function formOf({ constraint }: GenerateRequest, kind: ServerKind): Json {
  if (constraint === undefined) return {}
  if (constraint.kind === 'json-schema') {
    return {
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'reply', strict: true, schema: constraint.schema },
      },
    }
  }
  // vLLM's grammars are its own dialect of EBNF; GBNF passes in all but a few corners.
  if (kind === 'vllm') return { structured_outputs: { grammar: constraint.grammar } }
  return kind === 'llama-server' ? { grammar: constraint.grammar } : {}
}

function thinkingOf({ thinking = 'off', defaults }: GenerateRequest, kind: ServerKind): Json {
  if (defaults === 'server' && thinking === 'off') return {}
  const on = thinking !== 'off'
  const budget = typeof thinking === 'object' ? thinking.budget : null
  switch (kind) {
    case 'llama-server':
      return {
        chat_template_kwargs: { enable_thinking: on },
        ...(budget !== null && { thinking_budget_tokens: budget }),
      }
    case 'vllm':
      return {
        chat_template_kwargs: { enable_thinking: on, ...(budget !== null && { thinking_budget: budget }) },
      }
    case 'ollama':
      return { reasoning_effort: on ? 'medium' : 'none' }
    default:
      // Others refuse what they do not know, and think as they are set up to.
      return {}
  }
}
