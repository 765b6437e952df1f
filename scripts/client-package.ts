import ts from 'typescript'
import { isRecord } from '../src/core/ground/record'
import { openApiDocument, REST_PROCEDURES, restPath } from '../src/main/api/openapi'
import { createMemoryServer } from '../src/main/share/mcp-server'
import { toolsOf } from './docs/served-tools'

type Schema = Readonly<Record<string, unknown>>

const isName = (name: string): boolean => /^[A-Za-z_$][\w$]*$/.test(name)
const nameOf = (name: string): string => (isName(name) ? name : JSON.stringify(name))
const union = (parts: readonly string[]): string => [...new Set(parts)].join(' | ')

/** A JSON schema as a type of TypeScript. */
export function typeOf(schema: unknown): string {
  if (!isRecord(schema)) return 'unknown'
  if ('const' in schema) return JSON.stringify(schema['const'])
  if (Array.isArray(schema['enum'])) return union(schema['enum'].map((one) => JSON.stringify(one)))
  for (const name of ['anyOf', 'oneOf'])
    if (Array.isArray(schema[name])) return union(schema[name].map(typeOf))
  switch (schema['type']) {
    case 'object':
      return objectType(schema)
    case 'array':
      return Array.isArray(schema['prefixItems'])
        ? `[${schema['prefixItems'].map(typeOf).join(', ')}]`
        : `Array<${typeOf(schema['items'])}>`
    case 'integer':
    case 'number':
      return 'number'
    case 'string':
    case 'boolean':
    case 'null':
      return schema['type']
    default:
      return 'unknown'
  }
}

function objectType({ properties, required, additionalProperties: others }: Schema): string {
  const names = Array.isArray(required) ? required : []
  const fields = Object.entries(isRecord(properties) ? properties : {}).map(
    ([name, value]) =>
      `${commentOf(isRecord(value) ? value['description'] : undefined)}${nameOf(name)}${names.includes(name) ? '' : '?'}: ${typeOf(value)}`,
  )
  if (fields.length === 0) return `Record<string, ${isRecord(others) ? typeOf(others) : 'unknown'}>`
  return `{ ${fields.join('; ')} }`
}

const commentOf = (words: unknown): string =>
  typeof words === 'string' && words !== '' ? `/** ${words.replaceAll('*/', '* /')} */ ` : ''

const at = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce((one, name) => (isRecord(one) ? one[name] : undefined), value)

/** One call: its words, what it takes, what it answers. A call whose fields may all be left out may be made without any. */
function callType(words: string, name: string, input: Schema | null, output: string): string {
  const { required } = input ?? {}
  const may = Array.isArray(required) && required.length > 0 ? '' : '?'
  return `${commentOf(words)}${nameOf(name)}(input${may}: ${input ? typeOf(input) : 'Record<string, never>'}, options?: CallOptions): Promise<${output}>`
}

/** What an operation of the OpenAPI document takes, in its body or in its address. */
function inputOf(operation: unknown): Schema | null {
  const body = at(operation, 'requestBody', 'content', 'application/json', 'schema')
  if (isRecord(body)) return body
  const parameters = at(operation, 'parameters')
  if (!Array.isArray(parameters) || parameters.length === 0) return null
  const fields = parameters.filter(isRecord)
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(({ name, schema }) => [String(name), schema])),
    required: fields.flatMap(({ name, required }) => (required === true ? [String(name)] : [])),
  }
}

/** Calls that answer once; feeds that go on are left to the contract's own clients. */
const CALLS = REST_PROCEDURES.filter(({ endless }) => !endless)

async function readingType(): Promise<string> {
  const document = await openApiDocument('1', 'http://127.0.0.1')
  const areas = new Map<string, string[]>()
  for (const procedure of CALLS) {
    const [area, name] = procedure.path
    const operation = at(document, 'paths', restPath(procedure), procedure.method.toLowerCase())
    const output = typeOf(at(operation, 'responses', '200', 'content', 'application/json', 'schema'))
    const lines = areas.get(area) ?? []
    areas.set(area, [...lines, callType(procedure.summary, name, inputOf(operation), output)])
  }
  return [...areas]
    .map(([area, lines]) => `  ${nameOf(area)}: {\n    ${lines.join('\n    ')}\n  }`)
    .join('\n')
}

async function toolsType(): Promise<string> {
  const tools = await toolsOf(createMemoryServer, true)
  return tools
    .map(
      ({ name, description = '', inputSchema }) =>
        `  ${callType(description, name.replace(/^memory_/, ''), inputSchema, 'ToolAnswer')}`,
    )
    .join('\n')
}

/** The files of `loam-client` beside what `source`, its hand-written part, becomes. */
export async function clientPackage(source: string): Promise<Readonly<Record<string, string>>> {
  const compilerOptions: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts'],
    isolatedDeclarations: true,
    declaration: true,
  }
  const posts = CALLS.filter(({ method }) => method === 'POST').map(({ path }) => path.join('/'))
  return {
    'client.js': ts.transpileModule(source, { compilerOptions }).outputText,
    'client.d.ts': ts.transpileDeclaration(source, { compilerOptions }).outputText,
    'index.js': `import { createMemory, createReader } from './client.js'
export { LoamFailure } from './client.js'
const POSTS = ${JSON.stringify(posts)}
export const readLoam = (options) => createReader(options, POSTS)
export const openMemory = (options) => createMemory(options)
`,
    'index.d.ts': `import type { CallOptions, ClientOptions, ToolAnswer } from './client.js'
export { LoamFailure, type CallOptions, type ClientOptions, type ToolAnswer } from './client.js'

/** What Loam tells over REST, by area. */
export interface LoamReader {
${await readingType()}
}

/** The tools of a memory server. */
export interface LoamMemory {
${await toolsType()}
}

/** Loam's REST calls (*Settings, Connected programs*, or the page's own address). */
export declare function readLoam(options: ClientOptions): LoamReader
/** The memory that \`loam mcp memory --port\` serves. */
export declare function openMemory(options: ClientOptions): LoamMemory
`,
  }
}
