import { RPCLink } from '@orpc/client/websocket'
import { mapClientErrors } from '../../shared/client-errors'
import { loamErrorShape, LoamError } from '../../shared/errors'
import { RPC_PATH, SESSION_PATH } from '../../shared/web-host'
import type { Connection } from './reconnecting-link'

/** What is needed of the browser; tests hand in Node's equivalents. */
export interface SocketEnvironment {
  /** Origin of the host, such as `http://127.0.0.1:4321`. */
  readonly origin: string
  readonly fetch: typeof globalThis.fetch
  readonly openSocket: (url: string) => WebSocket
}

/** The page's own surroundings. */
export const browserEnvironment = (): SocketEnvironment => ({
  origin: window.location.origin,
  fetch: (input, init) => window.fetch(input, init),
  openSocket: (url) => new WebSocket(url),
})

/**
 * Trades the one-time token of the address for a session cookie. A token that was used before is no problem as long as
 * this browser already has a session; that shows when the socket is dialled.
 */
export async function exchangeToken(token: string, { origin, fetch }: SocketEnvironment): Promise<void> {
  await fetch(`${origin}${SESSION_PATH}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    credentials: 'same-origin',
    body: JSON.stringify({ token }),
  })
}

/** Connects to the host this page came from. Rejects with `UNAUTHORIZED` when there is no session. */
export async function dialSocket(environment: SocketEnvironment): Promise<Connection> {
  const { origin, fetch, openSocket } = environment
  // A browser does not tell a page why a socket was refused, so the session is looked at first.
  const session = await fetch(`${origin}${SESSION_PATH}`, { credentials: 'same-origin', cache: 'no-store' })
  if (session.status === 401) {
    const shape = loamErrorShape.safeParse(await session.json())
    throw shape.success ? LoamError.fromShape(shape.data) : noSession()
  }
  if (!session.ok) throw new Error(`The host answered ${session.status}.`)
  const socket = openSocket(`${origin.replace(/^http/, 'ws')}${RPC_PATH}`)
  const closed = new Promise<void>((resolve) => socket.addEventListener('close', () => resolve()))
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve())
    void closed.then(() => reject(new Error('The host closed the connection.')))
  })
  return { link: new RPCLink({ websocket: socket, interceptors: [mapClientErrors] }), closed }
}

function noSession(): LoamError {
  return new LoamError('UNAUTHORIZED', 'This browser has no session with Loam.', {
    suggestion: 'Open the address that Loam printed when it started.',
  })
}
