import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import { isAbortError } from '../../core/ground/abort'

/** Most characters of one page. */
const PAGE_LIMIT = 40_000
/** Characters of a page when nothing else is asked for. */
const PAGE_DEFAULT = 12_000

/** How much is wanted, from 1 to `most`: whoever asks for more gets `most`. Default: `usual`. */
export const upTo = (most: number, usual: number) =>
  z.preprocess(
    (value) => (typeof value === 'number' ? Math.min(most, Math.max(1, Math.round(value))) : value),
    z.number().int().min(1).max(most).default(usual),
  )

/** A page of a text: the character to begin with, and how many. */
export const PAGE = {
  offset: z
    .preprocess(
      (value) => (typeof value === 'number' ? Math.max(0, value) : value),
      z.number().int().min(0).default(0),
    )
    .describe('character to begin with'),
  limit: upTo(PAGE_LIMIT, PAGE_DEFAULT),
}

/** Part of a text, with words on where it lies and how to go on. */
export function page(text: string, offset: number, limit: number): string {
  if (text === '') return '(empty)'
  if (offset >= text.length) return `(the text ends at character ${text.length})`
  const part = text.slice(offset, offset + limit)
  const end = offset + part.length
  if (offset === 0 && end === text.length) return part
  const next = end < text.length ? `; go on with offset ${end}` : ''
  return `${part}\n\n[characters ${offset} to ${end} of ${text.length}${next}]`
}

/** A tool's answer in words. */
export const say = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] })

/** A tool's answer when it could not do what was asked. */
export const fail = (text: string): CallToolResult => ({ ...say(text), isError: true })

/** A tool that a server has. */
export interface ServedTool<Input extends z.ZodRawShape> {
  readonly name: string
  readonly description: string
  readonly input: Input
  /** A text is its answer; what it throws becomes a failed one in words. */
  readonly answer: (
    args: z.output<z.ZodObject<Input>>,
    signal: AbortSignal,
  ) => string | CallToolResult | Promise<string | CallToolResult>
}

/** Gives a server a tool. */
export function addTool<Input extends z.ZodRawShape>(mcp: McpServer, tool: ServedTool<Input>): void {
  const { name, description } = tool
  const inputSchema: z.ZodRawShape = tool.input
  mcp.registerTool(name, { description, inputSchema }, async (args, { signal }) => {
    try {
      const result = await tool.answer(args as z.output<z.ZodObject<Input>>, signal)
      return typeof result === 'string' ? say(result) : result
    } catch (error) {
      if (isAbortError(error)) throw error
      return fail(error instanceof Error ? error.message : String(error))
    }
  })
}
