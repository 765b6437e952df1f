import { createHash, randomInt } from 'node:crypto'
import { MOST_ALIKE } from '../../../core/agent/executor'
import {
  isUnfinished,
  USUAL_SAMPLING,
  type ChatMessage,
  type GenerateRequest,
  type GenerateResult,
  type LanguageModel,
} from '../../../core/ground/chat'
import { meets } from './rule-attempt'

const MOST_SEED = 2 ** 31

/** What a client did not say: a server's own, or the model's (sampling, length up to its context, a seed that changes). */
function withDefaults(model: LanguageModel, isLocal: boolean, request: GenerateRequest): GenerateRequest {
  if (!isLocal) return { ...request, defaults: 'server' }
  const { temperature, ...sampling } = model.recommended ?? USUAL_SAMPLING
  return {
    ...{ temperature, seed: randomInt(MOST_SEED), maxTokens: model.contextSize },
    ...request,
    sampling: { ...sampling, ...request.sampling },
  }
}

/** Whether a dialog ends in the same call, made once too often in a row: a small model goes on with that for ever. */
function isStuck(messages: readonly ChatMessage[]): boolean {
  const calls: string[] = []
  for (const message of messages.toReversed()) {
    if (message.role === 'tool') continue
    const [call, ...others] = message.role === 'assistant' ? (message.toolCalls ?? []) : []
    if (call === undefined || others.length > 0) break
    calls.push(`${call.name} ${JSON.stringify(call.arguments)}`)
    if (calls.length === MOST_ALIKE) break
  }
  return calls.length === MOST_ALIKE && new Set(calls).size === 1
}

/** Dialogs whose next call went round in circles, the newest of them: a client that sends one again is answered in words. */
const MOST_CIRCLES = 64
function circles() {
  const digests = new Set<string>()
  const digestOf = (messages: readonly ChatMessage[]): string =>
    createHash('sha256').update(JSON.stringify(messages)).digest('base64')
  return {
    has: (messages: readonly ChatMessage[]): boolean => digests.size > 0 && digests.has(digestOf(messages)),
    add(messages: readonly ChatMessage[]): void {
      digests.add(digestOf(messages))
      const [oldest] = digests
      if (digests.size > MOST_CIRCLES && oldest !== undefined) digests.delete(oldest)
    },
  }
}

/** A reply as it goes to a client: a call that was cut is not made, and the reply ends as one that was too long. */
function withoutCutCall(result: GenerateResult): GenerateResult {
  const { toolCalls, ...others } = result
  if (!toolCalls || !isUnfinished(result.finish)) return result
  const whole = toolCalls.filter(({ problem }) => problem === undefined)
  return { ...others, ...(whole.length > 0 && { toolCalls: whole }), finish: 'max-tokens' }
}

/**
 * A model as clients of other servers know one: what a client does not say is the model's own, a talk that goes round in circles ends, as do calls (of the
 * model's own choice the next reply is in words), and a form may come together with tools: a reply without a call that is not in the form is written again in it.
 */
export function localModel(model: LanguageModel, isLocal: boolean): LanguageModel {
  const stuck = circles()
  const isFree = ({ toolChoice }: GenerateRequest): boolean => isLocal && toolChoice !== 'required'
  return {
    ...model,
    countTokens: (texts, options) => model.countTokens(texts, options),
    async generate(request, options) {
      const input = withDefaults(model, isLocal, request)
      const { constraint, tools: all = [], ...free } = input
      const { messages } = input
      const tools = isFree(input) && (isStuck(messages) || stuck.has(messages)) ? [] : all
      // What a program writes with tools or in a form may repeat itself and be meant; a talk that does never ends.
      const stops = isLocal && { stopLoops: constraint || tools.length > 0 ? ('in-forms' as const) : true }
      if (!constraint || tools.length === 0) {
        const { tools: _all, ...talk } = input
        const offered = tools.length > 0 ? input : talk
        const result = await model.generate({ ...offered, ...stops }, options)
        if (result.finish === 'loop' && result.toolCalls && isFree(input)) stuck.add(messages)
        return withoutCutCall(result)
      }
      // Only a reply without a call is held to the form, so nothing of it is shown before that is known.
      const { onToken, ...others } = options ?? {}
      const first = await model.generate({ ...free, tools, ...stops }, others)
      const isMet =
        first.toolCalls !== undefined ||
        meets(first.text, constraint.kind === 'json-schema' ? constraint.schema : {})
      if (!isMet) return model.generate({ ...free, constraint, ...stops }, options)
      if (first.text !== '') onToken?.(first.text)
      return withoutCutCall(first)
    },
  }
}

/** Keywords that a grammar holds, and those that only describe. */
const HELD = new Set(
  'type description title properties required additionalProperties minProperties maxProperties items prefixItems minItems maxItems minLength maxLength enum const oneOf $defs $ref'.split(
    ' ',
  ),
)
const DESCRIBES = new Set([
  '$schema',
  '$id',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  '$comment',
])
const FORMATS = new Set<unknown>(['date', 'time', 'date-time'])

/** A schema without what no grammar can hold, and the names of what was left out: that is unheld when the reply is written. */
export function heldSchema(schema: unknown): {
  readonly schema: Record<string, unknown>
  readonly unheld: readonly string[]
} {
  const unheld = new Set<string>()
  const inner = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, part]): [string, unknown][] => {
        // Of alternatives a grammar writes one in either case.
        const keyword = key === 'anyOf' ? 'oneOf' : key
        if (keyword === 'properties' || keyword === '$defs')
          return [
            [
              keyword,
              Object.fromEntries(Object.entries(part as object).map(([name, own]) => [name, inner(own)])),
            ],
          ]
        if (keyword === 'oneOf' || keyword === 'prefixItems')
          return [[keyword, (part as unknown[]).map(inner)]]
        if (HELD.has(keyword))
          return [[keyword, keyword === 'items' || keyword === 'additionalProperties' ? inner(part) : part]]
        if (keyword === 'format' && FORMATS.has(part)) return [[keyword, part]]
        if (!DESCRIBES.has(keyword)) unheld.add(key)
        return []
      }),
    )
  }
  return { schema: inner(schema) as Record<string, unknown>, unheld: [...unheld] }
}

/** Fields of a request that a local model answers without. */
const LEFT_OUT: readonly string[] = (
  'logprobs top_logprobs presence_penalty frequency_penalty logit_bias modalities audio prediction web_search_options ' +
  'reasoning reasoning_effort thinking include truncation mcp_servers container'
).split(' ')

/** What of a request cannot be done here, in words for the header `x-loam-warning`. */
export function warningsOf(body: Readonly<Record<string, unknown>>, unheld: readonly string[]): string[] {
  const fields = LEFT_OUT.filter((field) => {
    const value = body[field]
    return value !== undefined && value !== null && value !== false
  })
  const tools = Array.isArray(body['tools']) ? (body['tools'] as { type?: unknown }[]) : []
  const others = tools.flatMap(({ type }) =>
    typeof type === 'string' && type !== 'function' && type !== 'custom' ? [type] : [],
  )
  const media = /"type":\s?"(image|image_url|input_image|input_audio|file|input_file|document)"/.exec(
    JSON.stringify(body['messages'] ?? body['input'] ?? null),
  )
  return [
    ...(fields.length > 0 ? [`left out: ${fields.join(', ')}`] : []),
    ...(typeof body['n'] === 'number' && body['n'] > 1 ? ['one reply is written, not n'] : []),
    ...(others.length > 0 ? [`tools left out: ${others.join(', ')}`] : []),
    ...(media ? [`parts left out: ${media[1] ?? ''}`] : []),
    ...(unheld.length > 0 ? [`not held while writing: ${unheld.join(', ')}`] : []),
  ].map((text) => text.replace(/[^\x20-\x7e]/g, '?'))
}
