import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import type { z } from 'zod'
import { isAbortError } from '../../core/ground/abort'

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
