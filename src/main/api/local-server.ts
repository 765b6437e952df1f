import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { createAdaptorServer } from '@hono/node-server'
import type { Hono } from 'hono'
import { WebSocketServer, type WebSocket } from 'ws'
import { LoamError } from '../../shared/errors'
import { readSocketProtocols } from '../../shared/web-host'

/** Largest message over a socket, in bytes: the text of a whole file (50 million characters) is handed in at once. */
export const MAX_SOCKET_MESSAGE = 256 * 1024 * 1024

/** How often a client on a socket is asked whether it is there, in milliseconds. */
const PULSE_MS = 60_000

/** Connections at a time; more are closed as they come. */
const MOST_CONNECTIONS = 1000

/** Milliseconds that a client may take over a request: its head, all of it, and how often both are looked at; and over the next part of an answer. */
export interface SlowLimits {
  readonly headersMs: number
  readonly requestMs: number
  readonly checkMs: number
  readonly answerMs: number
}
const SLOW: SlowLimits = { headersMs: 10_000, requestMs: 15_000, checkMs: 5000, answerMs: 60_000 }

const timeoutsOf = ({ headersMs, requestMs, checkMs }: SlowLimits) => ({
  headersTimeout: headersMs,
  requestTimeout: requestMs,
  connectionsCheckingInterval: checkMs,
})

/** Ends connections on which nobody takes the answer. Where there is none yet, as while a model thinks, the client waits for Loam. */
function limited(server: Server, { answerMs }: SlowLimits): Server {
  server.maxConnections = MOST_CONNECTIONS
  server.timeout = answerMs
  return server.on('request', (_request, response: ServerResponse) => {
    response.on('timeout', (socket: Socket) => {
      if (socket.writableLength > 0) socket.destroy()
    })
  })
}

/** A refused request with a longer body, in bytes, ends its connection. */
const UNREAD_BODY = 64 * 1024

/**
 * Ends the connection of a refused request whose body nobody reads. Kept open, it would be cut within half a second, and with it the refusal or
 * what the client asked next.
 */
function endUnread({ headers }: Request, response: Response): Response {
  const length = headers.get('content-length')
  const isLong = length === null ? headers.has('transfer-encoding') : Number(length) > UNREAD_BODY
  if (response.status >= 400 && isLong) response.headers.set('connection', 'close')
  return response
}

/** A server whose requests `app` answers. Clients that say nothing, half a request or a byte at a time, or do not take their answer, are let go. */
export const serverOf = (app: Hono, limits: SlowLimits = SLOW): Server =>
  limited(
    createAdaptorServer({
      fetch: async (request, bindings) => endUnread(request, await app.fetch(request, bindings)),
      overrideGlobalObjects: false,
      serverOptions: timeoutsOf(limits),
    }) as Server,
    limits,
  )

/** A server for sockets alone. */
export const socketServer = (limits: SlowLimits = SLOW): Server =>
  limited(
    createServer(timeoutsOf(limits), (_request, response) => {
      response.writeHead(404, { connection: 'close' }).end()
    }),
    limits,
  )

/**
 * Whether the request was really meant for this machine. A page elsewhere that points its own name at 127.0.0.1 (DNS
 * rebinding) is told apart by the name it asks for.
 */
export function isLocalHost(host: string | undefined, port: number): boolean {
  return host !== undefined && localHosts(port).includes(host.toLowerCase())
}

/** Whether a request may come from this origin: none (not a browser), or our own page. */
export function isOwnOrigin(origin: string | undefined, port: number): boolean {
  return origin === undefined || localHosts(port).some((host) => origin.toLowerCase() === `http://${host}`)
}

function localHosts(port: number): string[] {
  return ['127.0.0.1', 'localhost', '[::1]'].map((name) => (port === 80 ? name : `${name}:${port}`))
}

/** Listens on 127.0.0.1 and answers the port. Rejects with `CONFLICT` when the port is taken. */
export function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(
        error.code === 'EADDRINUSE'
          ? new LoamError('CONFLICT', `Port ${port} is in use.`, {
              suggestion: 'Choose another with --port, or leave it out to take any free one.',
            })
          : error,
      )
    })
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })
}

/** Ends a connection on which nothing came back between two pulses: one that is half open, or whose client stands still. */
function endSilent(socket: WebSocket, pulseMs: number): void {
  let isThere = true
  const hear = (): void => {
    isThere = true
  }
  socket.on('pong', hear)
  socket.on('message', hear)
  const timer = setInterval(() => {
    if (!isThere) return socket.terminate()
    isThere = false
    socket.ping()
  }, pulseMs)
  timer.unref()
  socket.on('close', () => clearInterval(timer))
}

/**
 * Opens the sockets that a server is asked for. `problem` says as a status line why one is not opened, null when nothing speaks against it. A client that does
 * not answer from one pulse to the next is let go.
 */
export function openSockets(
  server: Server,
  problem: (request: IncomingMessage) => string | null,
  serveSocket: (socket: WebSocket) => void,
  pulseMs = PULSE_MS,
): WebSocketServer {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_SOCKET_MESSAGE,
    // The default would answer with whichever comes first, and that may be the secret.
    handleProtocols: (_protocols, { headers }) =>
      readSocketProtocols(headers['sec-websocket-protocol']).answer,
  })
  server.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    const refused = problem(request)
    if (refused !== null) {
      // A client that resets the connection meanwhile would end the process, and one that never closes it would keep it.
      stream.on('error', () => stream.destroy())
      stream.end(`HTTP/1.1 ${refused}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`, () =>
        stream.destroy(),
      )
      return
    }
    sockets.handleUpgrade(request, stream, head, (socket) => {
      // Without a listener a protocol error of one peer would end the process.
      socket.on('error', () => socket.terminate())
      endSilent(socket, pulseMs)
      serveSocket(socket)
    })
  })
  return sockets
}

/** Ends every connection of a server and stops listening. */
export async function closeServer(server: Server, sockets?: WebSocketServer): Promise<void> {
  for (const socket of sockets?.clients ?? []) socket.terminate()
  sockets?.close()
  await new Promise<void>((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
