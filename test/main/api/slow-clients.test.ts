import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { Hono } from 'hono'
import { expect, it } from 'vitest'
import { openDoor, readHandshake } from '../../../src/main/api/door'
import { startMcpHttp } from '../../../src/main/api/mcp-http'
import { startProxyHttp } from '../../../src/main/api/proxy-http'
import { startRestServer } from '../../../src/main/api/rest-server'
import { startUiServer } from '../../../src/main/api/ui-server'
import { tempFolder } from '../runs/rig-app'

const limits = { headersMs: 100, requestMs: 200, checkMs: 50, answerMs: 60_000 }
const HEAD = (port: number): string =>
  `POST /v1/chat/completions HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncontent-length: 1000\r\n`

/** What each client sends, and how often it goes on with one more byte. */
const CLIENTS: Readonly<Record<string, (socket: Socket, port: number) => NodeJS.Timeout | undefined>> = {
  silent: () => undefined,
  'half a head': (socket, port) => void socket.write(HEAD(port)),
  'half a body': (socket, port) => void socket.write(`${HEAD(port)}\r\nhalf`),
  'a byte at a time in the head': (socket, port) => {
    socket.write(`${HEAD(port)}x: `)
    return setInterval(() => socket.write('x'), 20)
  },
  'a byte at a time in the body': (socket, port) => {
    socket.write(`${HEAD(port)}\r\n`)
    return setInterval(() => socket.write('x'), 20)
  },
}

async function closesAll(port: number): Promise<void> {
  for (const [name, speak] of Object.entries(CLIENTS)) {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => undefined)
    socket.resume()
    await once(socket, 'connect')
    const timer = speak(socket, port)
    // A client that is not let go keeps the test from ending, which says who it was.
    await expect.poll(() => [name, socket.destroyed], { timeout: 60_000 }).toEqual([name, true])
    clearInterval(timer)
  }
}

const keys = { key: 'k', holder: () => Promise.resolve(null) } as never

it('the window lets go of clients that say nothing, half a request or a byte at a time', async () => {
  const server = await startUiServer({ root: '.', port: 0, serveSocket: () => undefined, limits })
  await closesAll(server.port)
  await server.close()
})

it('so do REST and Agent KB, which ride the same server', async () => {
  const server = await startRestServer(new Hono(), 0, limits)
  await closesAll(server.port)
  await server.close()
})

it('so does a memory over MCP', async () => {
  const server = await startMcpHttp(
    () => Promise.reject(new Error('none')) as never,
    keys,
    0,
    undefined,
    limits,
  )
  await closesAll(server.port)
  await server.close()
})

it('so does a proxy, and a gateway', async () => {
  for (const gateway of [undefined, {}]) {
    const server = await startProxyHttp({ keys, gateway } as never, 0, limits)
    await closesAll(server.port)
    await server.close()
  }
})

it('so does the door for command lines', async () => {
  const folder = await tempFolder()
  const door = await openDoor(folder, () => undefined, limits)
  await closesAll((await readHandshake(folder))?.port ?? 0)
  await door.close()
  await rm(folder, { recursive: true, force: true })
})
