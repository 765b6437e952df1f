import { z } from 'zod'
import type { GenerateRequest, GenerateResult, LanguageModel } from '../../../core/ground/chat'
import { isJson, listIn, objectIn, sentMessages, textIn, type Json } from './dialects/dialect'
import { gemini } from './dialects/gemini'
import { withIds } from './call-ids'
import { clientForm, schemaOf } from './openai-chat'

const list = z.array(z.looseObject({})).nullish()
const configSchema = z.looseObject({
  temperature: z.number().nullish(),
  topP: z.number().nullish(),
  topK: z.number().nullish(),
  seed: z.number().int().nullish(),
  maxOutputTokens: z.number().int().min(1).nullish(),
  stopSequences: z.array(z.string()).nullish(),
  responseMimeType: z.string().nullish(),
  thinkingConfig: z.looseObject({ includeThoughts: z.boolean().nullish() }).nullish(),
})

/** `POST models/NAME:generateContent` and `:streamGenerateContent`. */
export const geminiSchema = z.looseObject({
  contents: z
    .array(z.looseObject({ parts: list }))
    .min(1)
    .max(4000),
  tools: list,
  toolConfig: z.looseObject({}).nullish(),
  generationConfig: configSchema.nullish(),
})
type Body = z.infer<typeof geminiSchema>

/** Texts that `embedContent` and `countTokens` send. */
export const geminiContentsSchema = z.looseObject({
  contents: z.array(z.looseObject({})).optional(),
  content: z.looseObject({}).optional(),
  requests: z.array(z.looseObject({ content: z.looseObject({}) })).optional(),
  generateContentRequest: z.looseObject({ contents: z.array(z.looseObject({})) }).optional(),
})

/** Text of one content. */
export const geminiText = (content: unknown): string =>
  listIn(objectIn(content)['parts'])
    .map((part) => textIn(objectIn(part)['text']))
    .join('\n')

/** Gemini's own form of a schema as JSON schema: its types stand in capitals. */
export function fromGeminiSchema(value: unknown): Json {
  const { type, nullable, properties, items, anyOf, propertyOrdering: _, ...rest } = objectIn(value)
  const plain = typeof type === 'string' ? type.toLowerCase() : undefined
  return {
    ...rest,
    ...(plain !== undefined && { type: nullable === true ? [plain, 'null'] : plain }),
    ...(isJson(properties) && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, own]) => [name, fromGeminiSchema(own)]),
      ),
    }),
    ...(items !== undefined && { items: fromGeminiSchema(items) }),
    ...(Array.isArray(anyOf) && { anyOf: anyOf.map(fromGeminiSchema) }),
  }
}

/** The form that a reply is asked for in; null for text. */
function formatOf({ generationConfig: config }: Pick<Body, 'generationConfig'>) {
  if (config?.responseMimeType !== 'application/json') return null
  const own = config['responseSchema']
  const schema = config['responseJsonSchema'] ?? (own === undefined ? undefined : fromGeminiSchema(own))
  return isJson(schema)
    ? { type: 'json_schema' as const, json_schema: { schema } }
    : { type: 'json_object' as const }
}
export const geminiForm = (body: Pick<Body, 'generationConfig'>) => schemaOf(formatOf(body))

const functionsOf = (tools: Body['tools']) =>
  listIn(tools).flatMap((tool) => {
    const { functionDeclarations, function_declarations: old } = objectIn(tool)
    return listIn(functionDeclarations ?? old).map(objectIn)
  })

/** A request of the chat port. Tools that Google runs are left out. */
export function geminiRequest(body: Body): GenerateRequest {
  const config = body.generationConfig
  const { mode, allowedFunctionNames } = objectIn(objectIn(body.toolConfig)['functionCallingConfig'])
  const allowed = listIn(allowedFunctionNames)
  const tools = functionsOf(body.tools)
    .filter(({ name }) => mode !== 'NONE' && (allowed.length === 0 || allowed.includes(name)))
    .map(({ name, description, parameters, parametersJsonSchema }) => ({
      name: textIn(name),
      description: textIn(description),
      inputSchema: isJson(parametersJsonSchema)
        ? parametersJsonSchema
        : parameters === undefined
          ? { type: 'object' }
          : fromGeminiSchema(parameters),
    }))
  const constraint = clientForm(formatOf(body))
  return {
    messages: withIds(sentMessages(gemini.read(body)?.messages ?? [])),
    ...(tools.length > 0 && {
      tools,
      toolChoice: mode === 'ANY' ? ('required' as const) : ('auto' as const),
    }),
    ...(constraint && { constraint }),
    ...(config?.stopSequences && { stop: config.stopSequences }),
    ...(typeof config?.temperature === 'number' && { temperature: config.temperature }),
    ...(typeof config?.seed === 'number' && { seed: config.seed }),
    sampling: {
      ...(typeof config?.topP === 'number' && { topP: config.topP }),
      ...(typeof config?.topK === 'number' && { topK: config.topK }),
    },
    ...(typeof config?.maxOutputTokens === 'number' && { maxTokens: config.maxOutputTokens }),
    ...(config?.thinkingConfig?.includeThoughts === true && { thinking: 'on' as const }),
  }
}

const REASONS = {
  ...{ end: 'STOP', stop: 'STOP', loop: 'STOP', 'tool-calls': 'STOP' },
  'max-tokens': 'MAX_TOKENS',
} as const

/** Replies of one request. */
export function geminiWriter(model: string, responseId: string) {
  const of = (parts: readonly object[], end: object = {}, rest: object = {}) => ({
    candidates: [{ content: { role: 'model', parts }, ...end, index: 0 }],
    ...rest,
    ...{ modelVersion: model, responseId },
  })
  const callParts = ({ toolCalls = [] }: GenerateResult) =>
    toolCalls.map(({ id, name, arguments: args }) => ({ functionCall: { id, name, args } }))
  const thoughtParts = ({ thought }: GenerateResult) =>
    thought === undefined ? [] : [{ text: thought, thought: true }]
  const finish = (parts: readonly object[], result: GenerateResult) => {
    const { promptTokens, completionTokens } = result.usage
    return of(
      parts,
      { finishReason: REASONS[result.finish] },
      {
        usageMetadata: {
          promptTokenCount: promptTokens,
          candidatesTokenCount: completionTokens,
          totalTokenCount: promptTokens + completionTokens,
        },
      },
    )
  }
  return {
    whole: (result: GenerateResult) => {
      const text = result.text === '' && result.toolCalls ? [] : [{ text: result.text }]
      return finish([...thoughtParts(result), ...text, ...callParts(result)], result)
    },
    piece: (text: string) => of([{ text }]),
    /** Calls come whole. */
    last: (result: GenerateResult): object[] => {
      const calls = callParts(result)
      return [
        ...(result.thought === undefined ? [] : [of(thoughtParts(result))]),
        finish(calls.length > 0 ? calls : [{ text: '' }], result),
      ]
    },
  }
}

/** A model as `GET models` lists it. */
export const geminiModel = (name: string, contextSize: number | null) => ({
  name: `models/${name}`,
  ...{ baseModelId: name, version: '1', displayName: name },
  ...(contextSize !== null && { inputTokenLimit: contextSize, outputTokenLimit: contextSize }),
  supportedGenerationMethods: ['generateContent', 'streamGenerateContent', 'countTokens'],
})

/** What of a request cannot be done here, in words. */
export function geminiWarnings(body: Body): string[] {
  const fields = ['safetySettings', 'cachedContent'].filter((field) => {
    const value = body[field]
    return Array.isArray(value) ? value.length > 0 : value !== undefined
  })
  const config = Object.keys(body.generationConfig ?? {}).filter((field) => LEFT_OUT.has(field))
  const others = listIn(body.tools).flatMap((tool) =>
    Object.keys(objectIn(tool)).filter((name) => !/^function_?declarations$/i.test(name)),
  )
  const media = body.contents.some(({ parts }) =>
    listIn(parts).some((part) => ['inlineData', 'fileData'].some((name) => name in objectIn(part))),
  )
  const omissions = [...fields, ...config]
  return [
    ...(omissions.length > 0 ? [`left out: ${omissions.join(', ')}`] : []),
    ...(others.length > 0 ? [`tools left out: ${others.join(', ')}`] : []),
    ...(media ? ['parts left out: inlineData or fileData'] : []),
  ].map((text) => text.replace(/[^\x20-\x7e]/g, '?'))
}
const LEFT_OUT = new Set(
  'candidateCount presencePenalty frequencyPenalty responseLogprobs logprobs responseModalities speechConfig mediaResolution'.split(
    ' ',
  ),
)

/** Tokens of the texts that are sent to be counted. */
export async function countGeminiTokens(
  body: z.infer<typeof geminiContentsSchema>,
  model: LanguageModel,
  signal: AbortSignal,
): Promise<number> {
  const contents = body.generateContentRequest?.contents ?? body.contents ?? []
  const counts = await model.countTokens(contents.map(geminiText), { signal })
  return counts.reduce((sum, count) => sum + count, 0)
}
