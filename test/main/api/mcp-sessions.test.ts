import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { expect, it } from 'vitest'
import { startMcpHttp } from '../../../src/main/api/mcp-http'
import type { KeyHolder } from '../../../src/main/api/program-keys'

it('a session is closed to every other key than the one that began it', async () => {
  const holders = new Map(['a', 'b'].map((name) => [`Bearer ${name}`, { name } as KeyHolder]))
  const holder = (header: string | undefined) => Promise.resolve(holders.get(header ?? '') ?? null)
  const server = await startMcpHttp(() => new McpServer({ name: 'm', version: '1' }), { key: '', holder }, 0)
  const post = async (key: string, method: string, session?: string) => {
    const params = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'x', version: '1' },
    }
    const answer = await fetch(`http://127.0.0.1:${server.port}/mcp`, {
      method: 'POST',
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, ...(method === 'initialize' && { params }) }),
      headers: {
        ...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        ...{ authorization: `Bearer ${key}`, ...(session && { 'mcp-session-id': session }) },
      },
    })
    await answer.text()
    return { status: answer.status, session: answer.headers.get('mcp-session-id') ?? '' }
  }
  const { session } = await post('a', 'initialize')
  expect((await post('a', 'ping', session)).status).toBe(200)
  expect((await post('b', 'ping', session)).status).toBe(404)
  expect((await post('c', 'ping', session)).status).toBe(401)
  await server.close()
})
