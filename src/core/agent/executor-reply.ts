import { isRecord } from '../ground/writing'
import { declareConstraint } from '../ground/constraint'
import { readReply, type AgentReply } from '../ground/replies/read-reply'
import type { ToolInfo } from '../ground/tools'

/** What an executor's reply comes to. */
export type ExecutorReply =
  | {
      readonly kind: 'tool'
      readonly tool: string
      readonly arguments: Readonly<Record<string, unknown>>
    }
  | { readonly kind: 'answer'; readonly text: string }
  | { readonly kind: 'neither'; readonly reason: string }

/** What an executor does itself; everything else are tools. */
const ANSWER: ToolInfo = {
  name: 'answer',
  server: 'executor',
  description: 'Reports the result of the subtask.',
  inputSchema: { type: 'object', properties: { answer: { type: 'string' } }, required: ['answer'] },
}

/**
 * Reads `{"tool": name, "arguments": {...}}` or `{"answer": text}`, a native call, or any form that models write calls in; text that names no
 * tool is the result. Arguments that are null were left out on purpose.
 */
export function readExecutorReply(
  reply: string | AgentReply,
  tools: readonly ToolInfo[] = [],
): ExecutorReply {
  const input = typeof reply === 'string' ? { text: reply } : reply
  const rules = {
    tools: [...tools, ANSWER],
    words: {},
    plain: ANSWER.name,
    open: true,
  } as const
  const read = readReply(input, rules)
  if (read.kind === 'none') return { kind: 'neither', reason: read.why }
  if (read.name !== ANSWER.name) {
    const selection = Object.entries(read.args).filter(([, value]) => value !== null)
    return { kind: 'tool', tool: read.name, arguments: Object.fromEntries(selection) }
  }
  const { answer } = read.args
  const text =
    typeof answer === 'string'
      ? answer.trim()
      : answer === undefined || answer === null
        ? ''
        : JSON.stringify(answer)
  return text === ''
    ? { kind: 'neither', reason: 'The reply names neither a tool nor an answer.' }
    : { kind: 'answer', text }
}

type Schema = Readonly<Record<string, unknown>>

/**
 * Texts of any length: a reply's length has its limit in tokens (a setting), and llama.cpp refuses to count to 2000 repetitions,
 * the length that a program handed to a tool can have.
 */
const TEXT: Schema = { type: 'string' }
const ANY: Schema = { type: ['string', 'number', 'boolean', 'null'] }
const SIMPLE = new Set(['integer', 'number', 'boolean', 'null'])

/**
 * A tool's schema as far as a grammar can enforce it: types, properties, lists, choices. Whatever else a server asks for is left
 * to the server, which answers with what is wrong. Properties that may be left out may be null.
 */
export function enforceable(schema: unknown): Schema {
  if (!isRecord(schema)) return ANY
  if (Array.isArray(schema['enum'])) return { enum: schema['enum'].filter((value) => !isRecord(value)) }
  if ('const' in schema && !isRecord(schema['const'])) return { const: schema['const'] }
  const choices = schema['oneOf'] ?? schema['anyOf']
  if (Array.isArray(choices) && choices.length > 0) return { oneOf: choices.map(enforceable) }
  const { type } = schema
  if (type === 'object') {
    const properties = isRecord(schema['properties']) ? schema['properties'] : {}
    const required = Array.isArray(schema['required']) ? schema['required'] : []
    const entries = Object.entries(properties).map(([name, inner]): [string, Schema] => {
      const holding = enforceable(inner)
      return [name, required.includes(name) ? holding : { oneOf: [holding, { type: 'null' }] }]
    })
    if (entries.length > 0) return { type: 'object', properties: Object.fromEntries(entries) }
    // Servers say so of tools that are given nothing.
    return isRecord(schema['properties']) || schema['additionalProperties'] === false
      ? { type: 'object', properties: {}, additionalProperties: false }
      : { type: 'object', additionalProperties: ANY }
  }
  if (type === 'array') return { type: 'array', items: enforceable(schema['items']) }
  if (type === 'string') return Number(schema['minLength']) > 0 ? { ...TEXT, minLength: 1 } : TEXT
  if (typeof type === 'string' && SIMPLE.has(type)) return { type }
  return ANY
}

const toolForm = ({ name, inputSchema }: ToolInfo): Schema => ({
  type: 'object',
  properties: { tool: { const: name }, arguments: enforceable({ ...inputSchema, type: 'object' }) },
})

const ANSWER_FORM: Schema = {
  type: 'object',
  properties: { answer: { ...TEXT, minLength: 1 } },
}

/** A tool that asks for everything a schema can say. */
const SAMPLE_TOOL: ToolInfo = {
  name: 'sample',
  server: 'sample',
  description: '',
  inputSchema: {
    properties: {
      text: { type: 'string', minLength: 1, maxLength: 100_000, pattern: '.*' },
      count: { type: 'integer', minimum: 1, maximum: 1_000_000 },
      many: { type: 'array', items: { type: 'string' }, maxItems: 100_000 },
      choice: { enum: ['a', 'b'] },
      inner: { type: 'object', properties: { value: { anyOf: [{ type: 'number' }, { type: 'null' }] } } },
      open: { type: 'object' },
      nothing: { type: 'object', additionalProperties: false },
      anything: {},
    },
    required: ['text'],
  },
}

/** Holds the executor to a call of one of the tools or an answer; without tools, to an answer. */
export const executorConstraint = declareConstraint<[tools: readonly ToolInfo[]]>(
  'executor',
  (tools: readonly ToolInfo[]) => ({
    kind: 'json-schema',
    schema: tools.length === 0 ? ANSWER_FORM : { oneOf: [...tools.map(toolForm), ANSWER_FORM] },
  }),
  () => [[[]], [[SAMPLE_TOOL]]],
)
