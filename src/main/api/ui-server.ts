import type { IncomingMessage } from 'node:http'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { WebSocket } from 'ws'
import { z } from 'zod'
import type { ErrorCode } from '../../shared/errors'
import { LoamError } from '../../shared/errors'
import { readSocketProtocols, RPC_PATH, SESSION_PATH, KEY_PARAMETER } from '../../shared/web-host'
import {
  closeServer,
  listen,
  openSockets,
  isLocalHost,
  isOwnOrigin,
  serverOf,
  type SlowLimits,
} from './local-server'
import { bearerOf } from './secrets'
import { Sessions } from './sessions'
import { packUiFile, readUiFile, uiHeaders } from './ui-files'

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
  /** Default: those of every server. */
  readonly limits?: SlowLimits
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
    const path = rawPath(context.req.url)
    const file = await readUiFile(options.root, path)
    if (!file) return refusal(404, 'NOT_FOUND', 'There is no such page.')
    const { body, headers } = await packUiFile(file, path, context.req.header('accept-encoding'))
    return context.body(body, 200, headers)
  })
  app.all('*', () => refusal(405, 'BAD_INPUT', 'This method is not allowed here.'))
  app.onError(() => refusal(500, 'INTERNAL', 'The page could not be served.'))

  const server = serverOf(app, options.limits)
  const sockets = openSockets(
    server,
    (request) => upgradeProblem(request, port, sockets.clients.size, (secret) => sessions.accepts(secret)),
    options.serveSocket,
  )
  port = await listen(server, options.port)
  const url = `http://127.0.0.1:${port}/`
  return {
    port,
    /** The page's address without a token. */
    url,
    /** The address to open once, with a fresh one-time token in its fragment; addresses given out before stop working. */
    mintUrl: (): string => `${url}#${KEY_PARAMETER}=${sessions.mintKey()}`,
    /** Ends every connection and stops listening. */
    close: () => closeServer(server, sockets),
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
    this.times.push(performance.now())
  }
  spent(): boolean {
    this.times = this.times.filter((time) => time > performance.now() - this.windowMs)
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
