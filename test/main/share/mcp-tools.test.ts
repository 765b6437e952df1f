import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { describe, expect, it } from 'vitest'
import type { AgentMemory } from '../../../src/main/share/agent-memory'
import { createMemoryServer } from '../../../src/main/share/mcp-server'

const toolsOf = async (mayWrite: boolean) => {
  const memory = { memory: { name: 'm' }, mayWrite } as unknown as AgentMemory
  const [near, far] = InMemoryTransport.createLinkedPair()
  const client = new Client({ name: 'c', version: '1' })
  await Promise.all([createMemoryServer(memory, '1').connect(far), client.connect(near)])
  const { tools } = await client.listTools()
  await client.close()
  return tools
}

describe('the tools of the memory server', () => {
  it('are at most eight, and their definitions at most 5 KB', async () => {
    const tools = await toolsOf(true)
    expect(tools.map(({ name }) => name)).toEqual([
      'memory_search',
      'memory_list',
      'memory_guidance',
      'memory_remember',
      'memory_update',
      'memory_forget',
      'memory_report',
      'memory_undo',
    ])
    expect(Buffer.byteLength(JSON.stringify(tools))).toBeLessThanOrEqual(5 * 1024)
  })

  it('only read where nothing may be written', async () => {
    expect((await toolsOf(false)).map(({ name }) => name)).toEqual([
      'memory_search',
      'memory_list',
      'memory_guidance',
    ])
  })
})
