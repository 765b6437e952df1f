import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { describe, expect, it } from 'vitest'
import type { AgentMemory } from '../../../src/main/share/agent-memory'
import { createMemoryServer } from '../../../src/main/share/mcp-server'

const connected = async (mayWrite: boolean) => {
  const memory = { memory: { name: 'm' }, mayWrite } as unknown as AgentMemory
  const [near, far] = InMemoryTransport.createLinkedPair()
  const client = new Client({ name: 'c', version: '1' })
  await Promise.all([createMemoryServer(memory, '1').connect(far), client.connect(near)])
  return client
}
const toolsOf = async (mayWrite: boolean) => {
  const client = await connected(mayWrite)
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

  it('say why nothing may be written, and what a person can do', async () => {
    const client = await connected(false)
    expect(client.getInstructions()).toContain('for reading only')
    for (const name of ['memory_remember', 'memory_report', 'memory_undo'])
      expect(await client.callTool({ name, arguments: { fact: 'Ana prefers tabs.' } })).toMatchObject({
        isError: true,
        content: [{ text: expect.stringMatching(/for reading only\. .*--write/) as string }],
      })
    expect(await client.callTool({ name: 'memory_search', arguments: {} })).toMatchObject({
      content: [{ text: expect.stringContaining('query') as string }],
    })
    await client.close()
  })
})
