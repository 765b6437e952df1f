import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js'

const ENTRY = resolve(import.meta.dirname, '../../../out/main/mcp/index.js')

/** A built-in server in a process of its own, as any other client would start it. */
export interface BuiltServer {
  readonly client: Client
  readonly pid: number | null
  /** A tool's words, and whether it failed. */
  call(name: string, args?: Record<string, unknown>): Promise<{ text: string; failed: boolean }>
  close(): Promise<void>
}

export const startServer = (name: string, ...args: string[]): Promise<BuiltServer> =>
  startServerAt(ENTRY, name, ...args)

/** As {@link startServer}, with the program `entry` of another build. */
export async function startServerAt(entry: string, name: string, ...args: string[]): Promise<BuiltServer> {
  if (!existsSync(entry)) throw new Error('Build the project first: npm run build')
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [entry, name, ...args],
    stderr: 'ignore',
  })
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transport)
  return {
    client,
    pid: transport.pid,
    async call(tool, given = {}) {
      const answer = CallToolResultSchema.parse(
        await client.callTool({ name: tool, arguments: given }, undefined, { timeout: 110_000 }),
      )
      const text = answer.content
        .map((part) => (part.type === 'text' ? part.text : `[${part.type}]`))
        .join('')
      return { text, failed: answer.isError === true }
    },
    close: () => client.close(),
  }
}
