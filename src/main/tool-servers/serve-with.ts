import type { z } from 'zod'
import { addTool, type ServedTool } from './answer'
import type { ToolServer } from './module'

export type { ServedTool } from './answer'

/** A tool of any input, as a list of them holds it. */
type AnyServedTool = ServedTool<z.ZodRawShape>

/** A server of these tools that works in its own process alone. The protocol is loaded when one is made. */
export async function serveWith(
  about: { readonly name: string; readonly version: string },
  tools: readonly AnyServedTool[],
): Promise<ToolServer> {
  const { McpServer } = await import('@modelcontextprotocol/sdk/server/mcp.js')
  const mcp = new McpServer(about)
  for (const tool of tools) addTool(mcp, tool)
  return { mcp, close: () => undefined }
}
