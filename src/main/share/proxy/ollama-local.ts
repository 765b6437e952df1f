import { z } from 'zod'
import type { GenerateRequest, GenerateResult, LanguageModel } from '../../../core/ground/chat'
import type { ModelInfo } from '../../../shared/domain/model'
import { isJson, listIn, objectIn, sentMessages, textIn } from './dialects/dialect'
import { chatMessages } from './dialects/openai'
import { withIds } from './call-ids'
import { chatSchema, clientForm, samplingOf, schemaOf, toolsOf } from './openai-chat'

const optionsSchema = z.looseObject({
  temperature: z.number().nullish(),
  seed: z.number().int().nullish(),
  top_p: z.number().nullish(),
  top_k: z.number().int().nullish(),
  min_p: z.number().nullish(),
  /** Below 0: as long as the context holds. */
  num_predict: z.number().int().nullish(),
  stop: z.union([z.string(), z.array(z.string())]).nullish(),
})
const shared = {
  model: z.string(),
  stream: z.boolean().nullish(),
  format: z.union([z.literal('json'), z.literal(''), z.record(z.string(), z.unknown())]).nullish(),
  options: optionsSchema.nullish(),
  think: z.union([z.boolean(), z.string()]).nullish(),
}

/** `POST /api/chat`. */
export const ollamaChatSchema = z.looseObject({
  ...shared,
  messages: z
    .array(z.looseObject({ role: z.string() }))
    .max(2000)
    .default([]),
  tools: chatSchema.shape.tools,
})
/** `POST /api/generate`. */
export const ollamaGenerateSchema = z.looseObject({
  ...shared,
  prompt: z.string().default(''),
  system: z.string().nullish(),
})
export const ollamaEmbedSchema = z.looseObject({
  model: z.string(),
  input: z.union([z.string(), z.array(z.string()).max(2048)]).optional(),
  prompt: z.string().optional(),
})
export const ollamaShowSchema = z.looseObject({ model: z.string().optional(), name: z.string().optional() })
type ChatBody = z.infer<typeof ollamaChatSchema>
type GenerateBody = z.infer<typeof ollamaGenerateSchema>

const formatOf = ({ format }: Pick<ChatBody, 'format'>) => {
  if (format === 'json') return { type: 'json_object' as const }
  return isJson(format) ? { type: 'json_schema' as const, json_schema: { schema: format } } : null
}

/** The schema that a reply is to meet; null for none. */
export const ollamaForm = (body: Pick<ChatBody, 'format'>) => schemaOf(formatOf(body))

function settingsOf({ options, think, ...body }: Pick<ChatBody, 'options' | 'think' | 'format'>) {
  const constraint = clientForm(formatOf(body))
  const most = options?.num_predict
  const stop = [options?.stop ?? []].flat()
  return {
    ...(constraint && { constraint }),
    ...samplingOf(options ?? {}),
    ...(stop.length > 0 && { stop }),
    ...(typeof most === 'number' && most > 0 && { maxTokens: most }),
    ...(think !== undefined && think !== null && think !== false && { thinking: 'on' as const }),
  }
}

/** A request of the chat port. */
export function ollamaChatRequest(body: ChatBody): GenerateRequest {
  const tools = toolsOf(body.tools)
  return {
    messages: withIds(sentMessages(chatMessages(body.messages))),
    ...(tools.length > 0 && { tools }),
    ...settingsOf(body),
  }
}

/** A request of the chat port: the prompt as one message of the user. */
export const ollamaGenerateRequest = (body: GenerateBody): GenerateRequest => ({
  messages: [
    ...(body.system ? [{ role: 'system' as const, content: body.system }] : []),
    { role: 'user' as const, content: body.prompt },
  ],
  ...settingsOf(body),
})

const NANOSECONDS = 1_000_000
const REASONS = {
  ...{ end: 'stop', stop: 'stop', loop: 'stop', 'tool-calls': 'stop' },
  'max-tokens': 'length',
} as const

const headOf = (model: string) => ({ model, created_at: new Date().toISOString() })
const endOf = ({ usage, finish }: GenerateResult) => ({
  done: true,
  done_reason: REASONS[finish],
  total_duration: Math.round(usage.ms * NANOSECONDS),
  prompt_eval_count: usage.promptTokens,
  eval_count: usage.completionTokens,
})

/** Replies of `/api/chat`: whole, a piece, and the last line. */
export function ollamaChatWriter(model: string) {
  const message = (content: string, { thought, toolCalls }: Partial<GenerateResult> = {}) => ({
    role: 'assistant',
    content,
    ...(thought !== undefined && { thinking: thought }),
    ...(toolCalls && {
      tool_calls: toolCalls.map(({ name, arguments: input }) => ({ function: { name, arguments: input } })),
    }),
  })
  return {
    whole: (result: GenerateResult) => ({
      ...headOf(model),
      message: message(result.text, result),
      ...endOf(result),
    }),
    piece: (text: string) => ({ ...headOf(model), message: message(text), done: false }),
    /** Calls and thoughts come whole, before the end. */
    last: (result: GenerateResult): object[] => {
      const { thought, toolCalls } = result
      const rest = { ...(thought !== undefined && { thought }), ...(toolCalls && { toolCalls }) }
      return [
        ...(Object.keys(rest).length > 0
          ? [{ ...headOf(model), message: message('', rest), done: false }]
          : []),
        { ...headOf(model), message: message(''), ...endOf(result) },
      ]
    },
  }
}

/** Replies of `/api/generate`. */
export const ollamaGenerateWriter = (model: string) => ({
  whole: (result: GenerateResult) => ({
    ...headOf(model),
    response: result.text,
    ...(result.thought !== undefined && { thinking: result.thought }),
    ...endOf(result),
  }),
  piece: (text: string) => ({ ...headOf(model), response: text, done: false }),
  last: (result: GenerateResult): object[] => [{ ...headOf(model), response: '', ...endOf(result) }],
})

const detailsOf = ({ architecture, quantization }: Pick<ModelInfo, 'architecture' | 'quantization'>) => ({
  parent_model: '',
  format: 'gguf',
  family: architecture,
  families: [architecture],
  parameter_size: '',
  quantization_level: quantization ?? '',
})

/** A model as `/api/tags` lists it. Its digest is of its place: files are not read through for a list. */
export const ollamaTag = (name: string, info: ModelInfo | null, digest: string) => ({
  ...{ name, model: name, modified_at: new Date(0).toISOString(), size: info?.sizeBytes ?? 0, digest },
  details: detailsOf(info ?? { architecture: '', quantization: null }),
})

/** What `/api/show` says of a model. */
export function ollamaShow(model: LanguageModel, info: ModelInfo | null) {
  const architecture = info?.architecture ?? 'unknown'
  return {
    ...{ modelfile: '', parameters: '', template: '', license: info?.license ?? '' },
    details: detailsOf({ architecture, quantization: info?.quantization ?? null }),
    model_info: {
      'general.architecture': architecture,
      [`${architecture}.context_length`]: model.contextSize,
    },
    capabilities: [
      'completion',
      ...(model.can?.tools === true ? ['tools'] : []),
      ...(model.can?.thinking === true ? ['thinking'] : []),
    ],
  }
}

/** Fields that a local model answers without. */
export const OLLAMA_LEFT_OUT = 'logprobs top_logprobs suffix template raw context images'.split(' ')

/** Whether a message brings pictures. */
export const hasImages = (body: Pick<ChatBody, 'messages'>): boolean =>
  body.messages.some((message) => listIn(objectIn(message)['images']).length > 0)

/** The name a model is asked for by. */
export const nameIn = (body: z.infer<typeof ollamaShowSchema>): string => textIn(body.model ?? body.name)
