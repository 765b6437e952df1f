import type { IncomingMessage, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { createAdaptorServer } from '@hono/node-server'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { WebSocketServer } from 'ws'
import type { WebSocket } from 'ws'
import { z } from 'zod'
import type { ErrorCode } from '../../shared/errors'
import { LoamError } from '../../shared/errors'
import { readSocketProtocols, RPC_PATH, SESSION_PATH, KEY_PARAMETER } from '../../shared/web-host'
import { isLocalHost, isOwnOrigin, MAX_SOCKET_MESSAGE } from './guards'
import { Sessions } from './sessions'
import { readUiFile, uiHeaders } from './ui-files'

/** How the browser's side of the headless host is served. */
export interface UiServerOptions {
  /** Folder of the built interface. */
  readonly root: string
  /** Port on 127.0.0.1; 0 takes any free one. */
  readonly port: number
  /** Takes over a socket that passed the guards. */
  readonly serveSocket: (socket: WebSocket) => void
  /** Further paths, behind the same Host and Origin guards; they check their own tokens. Default: none. */
  readonly rest?: Hono
}

/** A server that is listening. */
export type UiServer = Awaited<ReturnType<typeof startUiServer>>

/** Largest body of an HTTP request, in bytes. */
const MAX_BODY = 4096
/** Sockets at a time; a page needs one. */
const MAX_SOCKETS = 64
/** Wrong tokens in a minute before further ones are not even looked at. */
const MAX_GUESSES = 20

const tokenBody = z.object({ token: z.string().min(1).max(256) })

/**
 * Serves the interface and the contract's socket on 127.0.0.1 only. Rejects with `CONFLICT` when the port is taken.
 */
export async function startUiServer(options: UiServerOptions) {
  const sessions = new Sessions()
  let port = options.port
  const app = new Hono()
  const guesses = new GuessLimit(MAX_GUESSES, 60_000)

  app.use(async (context, next) => {
    const { host, origin } = context.req.header()
    if (!isLocalHost(host, port) || !isOwnOrigin(origin, port)) return refusal(403, 'UNAUTHORIZED', FOREIGN)
    await next()
    for (const [name, value] of Object.entries(uiHeaders([`ws://${host}`])))
      context.res.headers.set(name, value)
    return undefined
  })
  app.get(SESSION_PATH, (context) =>
    sessions.accepts(bearerOf(context.req.header('authorization')))
      ? context.body(null, 204, { 'cache-control': 'no-store' })
      : refusal(401, 'UNAUTHORIZED', NO_SESSION),
  )
  const tooLarge = () => refusal(413, 'BAD_INPUT', 'The request is too large.')
  app.post(SESSION_PATH, bodyLimit({ maxSize: MAX_BODY, onError: tooLarge }), async (context) => {
    if (guesses.spent()) return refusal(429, 'UNAUTHORIZED', 'Too many wrong tokens; wait a minute.')
    const body = tokenBody.safeParse(await context.req.json().catch(() => null))
    if (!body.success) return refusal(400, 'BAD_INPUT', 'A token is missing.')
    const session = sessions.exchange(body.data.token)
    if (session === null) {
      guesses.count()
      return refusal(401, 'UNAUTHORIZED', 'This address was used before or is not valid any more.')
    }
    // Answered, never set as a cookie: browsers send cookies to every port of this machine.
    return context.json({ session }, 200, { 'cache-control': 'no-store' })
  })
  if (options.rest) app.route('/', options.rest)
  app.get('*', async (context) => {
    const file = await readUiFile(options.root, rawPath(context.req.url))
    return file
      ? context.body(file.body, 200, file.headers)
      : refusal(404, 'NOT_FOUND', 'There is no such page.')
  })
  app.all('*', () => refusal(405, 'BAD_INPUT', 'This method is not allowed here.'))
  app.onError(() => refusal(500, 'INTERNAL', 'The page could not be served.'))

  const server = createAdaptorServer({ fetch: app.fetch, overrideGlobalObjects: false }) as Server
  server.requestTimeout = 15_000
  server.headersTimeout = 10_000
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_SOCKET_MESSAGE,
    // The default would answer with whichever comes first, and that may be the secret.
    handleProtocols: (_protocols, { headers }) =>
      readSocketProtocols(headers['sec-websocket-protocol']).answer,
  })
  server.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    const problem = upgradeProblem(request, port, sockets.clients.size, (secret) => sessions.accepts(secret))
    if (problem !== null) {
      stream.end(`HTTP/1.1 ${problem}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
      return
    }
    sockets.handleUpgrade(request, stream, head, (socket) => {
      // Without a listener a protocol error of one peer would end the process.
      socket.on('error', () => socket.terminate())
      options.serveSocket(socket)
    })
  })

  await listen(server, options.port)
  port = (server.address() as AddressInfo).port
  const url = `http://127.0.0.1:${port}/`
  return {
    port,
    /** The page's address without a token. */
    url,
    /** The address to open once, with a fresh one-time token in its fragment; addresses given out before stop working. */
    mintUrl: (): string => `${url}#${KEY_PARAMETER}=${sessions.mintKey()}`,
    /** Ends every connection and stops listening. */
    close: async () => {
      for (const socket of sockets.clients) socket.terminate()
      sockets.close()
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
    },
  }
}

const FOREIGN = 'The request came from another page or asked for another host.'
const NO_SESSION = 'This browser has no session with Loam, or Loam was started anew since.'

/** Counts failures within a moving window. */
class GuessLimit {
  private times: number[] = []
  constructor(
    private readonly most: number,
    private readonly windowMs: number,
  ) {}
  count(): void {
    this.times.push(Date.now())
  }
  spent(): boolean {
    this.times = this.times.filter((time) => time > Date.now() - this.windowMs)
    return this.times.length >= this.most
  }
}

/** An error answer in the one error shape. */
function refusal(status: number, code: ErrorCode, cause: string): Response {
  const suggestion =
    code === 'UNAUTHORIZED'
      ? 'Open the address that Loam printed when it started.'
      : 'Go back to the start page.'
  return Response.json(new LoamError(code, cause, { suggestion }).toShape(), {
    status,
    headers: { 'cache-control': 'no-store' },
  })
}

/** The token of an authorization header; undefined when it carries none. */
const bearerOf = (header: string | undefined): string | undefined =>
  /^Bearer ([\w-]{1,256})$/i.exec(header ?? '')?.[1]

/** The path as it was asked for: URL parsing would already have resolved dots, which only hides an attempt. */
function rawPath(url: string): string {
  return url.replace(/^https?:\/\/[^/]*/, '').split(/[?#]/, 1)[0] ?? ''
}

/** Why a socket is not opened, as a status line; null when nothing speaks against it. */
function upgradeProblem(
  request: IncomingMessage,
  port: number,
  open: number,
  isSession: (secret: string | undefined) => boolean,
): string | null {
  const { host, origin, 'sec-websocket-protocol': protocols } = request.headers
  if (!isLocalHost(host, port) || !isOwnOrigin(origin, port)) return '403 Forbidden'
  if (request.url !== RPC_PATH) return '404 Not Found'
  if (!isSession(readSocketProtocols(protocols).secret)) return '401 Unauthorized'
  return open >= MAX_SOCKETS ? '429 Too Many Requests' : null
}

/** Listens on 127.0.0.1. Rejects with `CONFLICT` when the port is taken. */
export function listen(server: Server, port: number): Promise<void> {
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
    server.listen(port, '127.0.0.1', () => resolve())
  })
}
