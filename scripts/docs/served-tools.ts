import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import type { AgentMemory } from '../../src/main/share/agent-memory'
import { createGraphServer } from '../../src/main/share/graph-server'
import { createMemoryServer } from '../../src/main/share/mcp-server'
import type { ServedTool } from './authority-page'

const SERVERS = [
  ['of Loam', createMemoryServer],
  ['with the calls of the official one', createGraphServer],
] as const

/** The tools that a memory server lists. Nothing of a memory is asked. */
export async function toolsOf(create: typeof createMemoryServer, mayWrite: boolean) {
  const [near, far] = InMemoryTransport.createLinkedPair()
  const client = new Client({ name: 'docs', version: '1' })
  const memory = { memory: { name: 'docs' }, mayWrite } as unknown as AgentMemory
  await Promise.all([create(memory, '1').connect(far), client.connect(near)])
  const { tools } = await client.listTools()
  await client.close()
  return tools
}

/** What the memory servers serve to a key that writes, with what of it one that reads is served too. */
export async function servedTools(): Promise<ServedTool[]> {
  const tools: ServedTool[] = []
  for (const [server, create] of SERVERS) {
    const reading = new Set((await toolsOf(create, false)).map(({ name }) => name))
    for (const { name } of await toolsOf(create, true)) tools.push({ server, name, reads: reading.has(name) })
  }
  return tools
}
