import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { LoamError, toErrorShape } from '../../shared/errors'

/** An answer in words and, where there is one, as an object; an error in words the agent can act on. */
export async function inWords(
  work: () => Promise<{ readonly text: string; readonly data?: Record<string, unknown> }>,
): Promise<CallToolResult> {
  try {
    const { text, data } = await work()
    return { content: [{ type: 'text', text }], ...(data && { structuredContent: data }) }
  } catch (error) {
    if (!(error instanceof LoamError)) throw error
    const { cause, suggestion } = toErrorShape(error)
    return { content: [{ type: 'text', text: `${cause} ${suggestion}` }], isError: true }
  }
}

/** The name that writes of a program carry: the one a person said, else the one it gives itself. */
export function writerOf(mcp: McpServer, client: string | undefined): string {
  const name = client ?? mcp.server.getClientVersion()?.name ?? 'mcp'
  return name.replace(/[^\p{L}\p{N} ._-]/gu, '').slice(0, 60) || 'mcp'
}
