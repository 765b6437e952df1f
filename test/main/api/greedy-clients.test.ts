import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { Hono } from 'hono'
import { afterEach, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { openDoor, readHandshake } from '../../../src/main/api/door'
import { listen, openSockets, serverOf } from '../../../src/main/api/local-server'
import { startMcpHttp } from '../../../src/main/api/mcp-http'
import type { KeyHolder, KeyRing } from '../../../src/main/api/program-keys'
import { startProxyHttp } from '../../../src/main/api/proxy-http'
import { createRestGuard, MOST_AT_ONCE } from '../../../src/main/api/rest-guard'
import { startRestServer } from '../../../src/main/api/rest-server'
import { startUiServer } from '../../../src/main/api/ui-server'
import { tempFolder } from '../runs/rig-app'

const limits = { headersMs: 5000, requestMs: 5000, checkMs: 50, answerMs: 300 }
const closings: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closings.splice(0).toReversed()) await close()
})
const closing = <T extends { close(): unknown }>(one: T): T => {
  closings.push(() => one.close())
  return one
}

/** A connection that is never closed from this side. */
async function halfOpen(port: number, text: string): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  socket.on('error', () => undefined)
  closings.push(() => socket.destroy())
  await once(socket, 'connect')
  socket.write(text)
  return socket
}
const upgradeTo = (port: number, path = '/rpc'): string =>
  [
    `GET ${path} HTTP/1.1`,
    `host: 127.0.0.1:${port}`,
    ...['upgrade: websocket', 'connection: upgrade', 'sec-websocket-version: 13'],
    ...['sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==', '', ''],
  ].join('\r\n')
const getOf = (port: number, path: string): string =>
  `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n\r\n`

/** Whom a server of these keys takes a request for: a key is its holder's name. */
const keys = {
  key: '',
  holder: (header: string | undefined) => {
    const name = /^Bearer ([ab])$/.exec(header ?? '')?.[1]
    return Promise.resolve(name === undefined ? null : ({ name } as KeyHolder))
  },
} satisfies KeyRing

async function sockets(): Promise<Record<string, number>> {
  const folder = await tempFolder()
  const door = closing(await openDoor(folder, () => undefined))
  const ui = closing(await startUiServer({ root: '.', port: 0, serveSocket: () => undefined }))
  expect(door.guests()).toBe(0)
  return { door: (await readHandshake(folder))?.port ?? 0, window: ui.port }
}

it('a socket that is refused is closed, also where its client keeps it open or resets it', async () => {
  // A client that resets the connection ended the whole process: an error that nobody hears does.
  for (const [name, port] of Object.entries(await sockets())) {
    for (let i = 0; i < 20; i++) (await halfOpen(port, upgradeTo(port))).resetAndDestroy()
    const socket = await halfOpen(port, upgradeTo(port))
    const [answer] = (await once(socket, 'data')) as [Buffer]
    expect([name, String(answer).split('\r\n')[0]]).toEqual([name, 'HTTP/1.1 401 Unauthorized'])
    // Only to a connection that is closed on both sides nothing can be written.
    await expect
      .poll(() => {
        socket.write('x')
        return [name, socket.destroyed]
      })
      .toEqual([name, true])
  }
})

it('a client that takes nothing of its answer is let go, one whose answer is long in coming is not', async () => {
  const app = new Hono()
  let ended = 0
  app.get('/endless', () => {
    const pull = (controller: ReadableStreamDefaultController): void =>
      controller.enqueue(new Uint8Array(1024 * 1024))
    return new Response(new ReadableStream({ pull, cancel: () => void ended++ }))
  })
  app.get('/late', async () => {
    await new Promise((resolve) => setTimeout(resolve, 3 * limits.answerMs))
    return new Response('at last')
  })
  const server = closing(await startRestServer(app, 0, limits))
  const late = await halfOpen(server.port, getOf(server.port, '/late'))
  const deaf = await halfOpen(server.port, getOf(server.port, '/endless'))
  deaf.pause()
  expect(String((await once(late, 'data'))[0])).toContain('at last')
  await expect.poll(() => ended, { timeout: 30_000 }).toBe(1)
})

it('a client on a socket that reads nothing is let go', async () => {
  const server = serverOf(new Hono())
  const open = openSockets(
    server,
    () => null,
    (socket) => socket.send(Buffer.alloc(32 * 1024 * 1024)),
    200,
  )
  const port = await listen(server, 0)
  closings.push(() => server.close())
  const client = new WebSocket(`ws://127.0.0.1:${port}`)
  client.on('error', () => undefined)
  await once(client, 'upgrade')
  client.pause()
  await expect.poll(() => open.clients.size).toBe(0)
})

it('no more connections are held than a thousand', async () => {
  const server = serverOf(new Hono())
  const port = await listen(server, 0)
  closings.push(() => server.close())
  server.maxConnections = Math.min(server.maxConnections, 1000) - 995
  const all = await Promise.all(Array.from({ length: 8 }, () => halfOpen(port, '')))
  for (const socket of all) socket.resume()
  await expect.poll(() => all.filter((socket) => socket.readableEnded).length).toBe(3)
})

it('of feeds one key has sixteen at a time, until it leaves them', async () => {
  const guard = createRestGuard({
    caller: (name) => Promise.resolve({ name: name ?? '', scopes: ['read'], memory: null, project: null }),
  })
  const app = new Hono()
  app.get('/feed', (context) =>
    guard.hold(context, { scope: 'read', endless: true }, () =>
      Promise.resolve(new Response(new ReadableStream({ start: (feed) => feed.enqueue(new Uint8Array(1)) }))),
    ),
  )
  app.get('/question', (context) =>
    guard.hold(context, { scope: 'read' }, () => Promise.resolve(new Response(''))),
  )
  const server = closing(await startRestServer(app, 0))
  const left = new AbortController()
  const ask = async (path: string, authorization: string): Promise<number> => {
    const signal = AbortSignal.any([left.signal])
    return (await fetch(`http://127.0.0.1:${server.port}${path}`, { headers: { authorization }, signal }))
      .status
  }
  const statuses = await Promise.all(Array.from({ length: 20 }, () => ask('/feed', 'a')))
  expect(statuses.filter((status) => status === 200)).toHaveLength(16)
  expect(await ask('/question', 'a')).toBe(200)
  expect(await ask('/feed', 'b')).toBe(200)
  left.abort()
  await expect
    .poll(
      async () =>
        (await fetch(`http://127.0.0.1:${server.port}/feed`, { headers: { authorization: 'a' } })).status,
    )
    .toBe(200)
})

async function mcpServer() {
  const work: (() => void)[] = []
  let id = 0
  const open = (): McpServer => {
    const mcp = new McpServer({ name: 'm', version: '1' })
    mcp.registerTool('work', {}, async () => {
      await new Promise<void>((resolve) => work.push(resolve))
      return { content: [] }
    })
    return mcp
  }
  const server = closing(await startMcpHttp(open, keys, 0))
  const post = async (key: string, method: string, session?: string) => {
    const clientInfo = { name: 'x', version: '1' }
    const begun = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }
    const params = method === 'initialize' ? begun : { name: 'work', arguments: {} }
    const answer = await fetch(`http://127.0.0.1:${server.port}/mcp`, {
      method: 'POST',
      body: JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params }),
      headers: {
        ...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        ...{ authorization: `Bearer ${key}`, ...(session && { 'mcp-session-id': session }) },
      },
    })
    return { status: answer.status, session: answer.headers.get('mcp-session-id') ?? '', text: answer.text() }
  }
  return { post, work }
}

it('whoever connects over MCP again and again ends sessions of its own, not those of others', async () => {
  const { post } = await mcpServer()
  const { session } = await post('b', 'initialize')
  const others = []
  for (let i = 0; i < 40; i++) others.push(await post('a', 'initialize'))
  expect((await post('b', 'ping', session)).status).toBe(200)
  expect((await post('a', 'ping', others[0]?.session)).status).toBe(404)
  expect((await post('a', 'ping', others[39]?.session)).status).toBe(200)
})

it('of calls over MCP one key has so many at a time, and another is answered beside', async () => {
  const { post, work } = await mcpServer()
  const own = await post('a', 'initialize')
  const other = await post('b', 'initialize')
  const calls = Array.from({ length: MOST_AT_ONCE }, () => post('a', 'tools/call', own.session))
  await expect.poll(() => work.length).toBe(MOST_AT_ONCE)
  expect((await post('a', 'ping', own.session)).status).toBe(429)
  expect((await post('b', 'ping', other.session)).status).toBe(200)
  for (const end of work) end()
  for (const call of calls) await (await call).text
  await expect.poll(async () => (await post('a', 'ping', own.session)).status).toBe(200)
})

it('of requests to the proxy one key has so many at a time, told in the words of each protocol', async () => {
  const work: (() => void)[] = []
  const deps = {
    ...{ keys, termsOf: () => Promise.resolve({}) },
    modelNamed: async () => {
      await new Promise<void>((resolve) => work.push(resolve))
      throw new Error('over')
    },
  }
  const server = closing(await startProxyHttp(deps as never, 0))
  const ask = async (key: string, path = '/v1/models') => {
    const headers = { authorization: `Bearer ${key}` }
    const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, { headers })
    return { status: answer.status, retry: answer.headers.get('retry-after'), body: await answer.json() }
  }
  const all = Array.from({ length: MOST_AT_ONCE }, () => ask('a'))
  await expect.poll(() => work.length).toBe(MOST_AT_ONCE)
  expect(await ask('a')).toMatchObject({ status: 429, retry: '10', body: { error: {} } })
  expect(await ask('a', '/v1/messages')).toMatchObject({ body: { error: { type: 'rate_limit_error' } } })
  const gemini = await ask('a', '/v1beta/models')
  expect(gemini).toMatchObject({ body: { error: { status: 'RESOURCE_EXHAUSTED' } } })
  const beside = ask('b')
  await expect.poll(() => work.length).toBe(MOST_AT_ONCE + 1)
  for (const end of work) end()
  expect((await Promise.all([...all, beside])).map(({ status }) => status)).not.toContain(429)
  await setImmediate()
})
