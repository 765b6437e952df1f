import { z } from 'zod'
import { DEEPEST, nestsTooDeep } from '../../../core/ground/json-check'
import { isRecord } from '../../../core/ground/record'

/** Most values (lists, objects, texts, numbers) of an answer that the host is handed: about what it takes in 50 ms. */
export const MOST_VALUES = 20_000
/** Of a list of models or files, which is longer and gone through once. */
export const MOST_LISTED = 100_000

/** An answer of a server, and what is read of it. */
export type AnswerRequest =
  | { readonly as: 'value'; readonly text: string; readonly most: number }
  | { readonly as: 'vectors'; readonly text: string }
  | { readonly as: 'bindings'; readonly text: string }
  | { readonly as: 'message'; readonly text: string }

/** A vector and which of the texts it belongs to. */
export interface NumberedVector {
  readonly index: number
  readonly vector: Float32Array
}

const tooMany = (most: number): Error => new Error(`it holds more than ${most} values`)

/** The value of a JSON text. @throws Error for one that is no JSON, is nested deeper than 200, or holds more than `most` values */
export function valueIn(text: string, most: number): unknown {
  if (nestsTooDeep(text)) throw new Error(`it is nested more than ${DEEPEST} deep`)
  const value: unknown = JSON.parse(text)
  if (!holdsAtMost(value, most)) throw tooMany(most)
  return value
}

function holdsAtMost(value: unknown, most: number): boolean {
  let count = 0
  let level = [value]
  while (level.length > 0) {
    count += level.length
    if (count > most) return false
    const next: unknown[] = []
    for (const one of level)
      if (typeof one === 'object' && one !== null) for (const part of Object.values(one)) next.push(part)
    level = next
  }
  return true
}

const vectorsSchema = z.object({
  data: z.array(z.object({ index: z.number().int().nonnegative(), embedding: z.array(z.number()) })),
})

/** The vectors of an answer of `/v1/embeddings`, as they come. @throws Error for anything else */
export const vectorsIn = (text: string): NumberedVector[] =>
  vectorsSchema.parse(JSON.parse(text)).data.map(({ index, embedding }) => ({
    index,
    vector: Float32Array.from(embedding),
  }))

const bindingsSchema = z.object({
  results: z.object({ bindings: z.array(z.record(z.string(), z.object({ value: z.string() }))) }),
})

/** The values of an answer of SPARQL's protocol, row by row. @throws Error for anything else */
export const bindingsIn = (text: string): string[] =>
  bindingsSchema
    .parse(JSON.parse(text))
    .results.bindings.flatMap((row) => Object.values(row).map(({ value }) => value))

/** JSON-RPC's word for what went wrong inside a server. */
const INTERNAL = -32_603

/**
 * A message of a tool server. Structured content stands in for missing text, as `resultText` has it, and is left out otherwise, and with it what tools say of its
 * form: a schema of somebody else's would be compiled and run in the host. An answer that holds too
 * much is one that failed. @throws Error for what is no JSON, or no answer and too much
 */
export function messageIn(text: string): unknown {
  if (nestsTooDeep(text)) throw new Error(`it is nested more than ${DEEPEST} deep`)
  const message: unknown = JSON.parse(text)
  const short = isRecord(message) && isRecord(message['result']) ? withoutStructure(message) : message
  if (holdsAtMost(short, MOST_VALUES)) return short
  const problem = tooMany(MOST_VALUES)
  if (!isRecord(message) || message['id'] === undefined) throw problem
  const error = { code: INTERNAL, message: `The answer is too long: ${problem.message}.` }
  return { jsonrpc: '2.0', id: message['id'], error }
}

function withoutStructure(message: Record<string, unknown>): Record<string, unknown> {
  const { structuredContent, ...result } = message['result'] as Record<string, unknown>
  const tools = result['tools']
  if (Array.isArray(tools)) return { ...message, result: { ...result, tools: tools.map(withoutOutput) } }
  if (structuredContent === undefined) return message
  const content = Array.isArray(result['content']) ? (result['content'] as unknown[]) : []
  const isSaid = content.some((part) => isRecord(part) && (part['type'] !== 'text' || part['text'] !== ''))
  const text = { type: 'text', text: JSON.stringify(structuredContent) }
  return { ...message, result: { ...result, content: isSaid ? content : [text] } }
}

function withoutOutput(tool: unknown): unknown {
  if (!isRecord(tool)) return tool
  const { outputSchema: _form, ...others } = tool
  return others
}
