import { createServer } from 'node:http'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { closeServer, listen, openSockets } from '../../../src/main/api/local-server'

test('a client that answers nothing is let go, one that is there stays', async () => {
  const server = createServer()
  const sockets = openSockets(
    server,
    () => null,
    () => undefined,
    400,
  )
  const port = await listen(server, 0)
  try {
    const there = new WebSocket(`ws://127.0.0.1:${port}`)
    const silent = new WebSocket(`ws://127.0.0.1:${port}`, { autoPong: false })
    await once(silent, 'close')
    await once(there, 'ping')
    await once(there, 'ping')
    expect(there.readyState).toBe(WebSocket.OPEN)
  } finally {
    await closeServer(server, sockets)
  }
})
