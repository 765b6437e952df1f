import { RPCLink } from '@orpc/client/websocket'
import { mapClientErrors } from '../../shared/client-errors'
import { readErrorShape, LoamError } from '../../shared/errors'
import { RPC_PATH, SESSION_PATH, socketProtocols } from '../../shared/web-host'
import type { Connection } from './reconnecting-link'

/** What is needed of the browser; tests hand in Node's equivalents. */
export interface SocketEnvironment {
  /** Origin of the host, such as `http://127.0.0.1:4321`. */
  readonly origin: string
  readonly fetch: typeof globalThis.fetch
  readonly openSocket: (url: string, protocols: string[]) => WebSocket
  /** Where this origin, port included, keeps the session's secret. */
  readonly storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
}

/**
 * The page's own surroundings. The secret is kept in the origin's storage, not in a cookie: browsers send cookies to
 * every port of a host, so each program that listens on this machine would be told.
 */
export const browserEnvironment = (): SocketEnvironment => ({
  origin: window.location.origin,
  fetch: (input, init) => window.fetch(input, init),
  openSocket: (url, protocols) => new WebSocket(url, protocols),
  storage: window.localStorage,
})

const SESSION_KEY = 'loam.session'

/**
 * Trades the one-time token of the address for a session. A token that was used before is no problem as long as
 * this browser already has a session; that shows when the socket is dialled.
 */
export async function exchangeKey(
  token: string,
  { origin, fetch, storage }: SocketEnvironment,
): Promise<void> {
  const answer = await fetch(`${origin}${SESSION_PATH}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    credentials: 'omit',
    body: JSON.stringify({ token }),
  })
  if (!answer.ok) return
  const { session } = (await answer.json()) as { session?: unknown }
  if (typeof session !== 'string') throw new Error('The host answered without a session.')
  storage.setItem(SESSION_KEY, session)
}

/** Connects to the host this page came from. Rejects with `UNAUTHORIZED` when there is no session. */
export async function dialSocket(environment: SocketEnvironment): Promise<Connection> {
  const { origin, fetch, openSocket, storage } = environment
  const secret = storage.getItem(SESSION_KEY)
  // A browser does not tell a page why a socket was refused, so the session is looked at first.
  const session = await fetch(`${origin}${SESSION_PATH}`, {
    credentials: 'omit',
    cache: 'no-store',
    headers: secret === null ? {} : { authorization: `Bearer ${secret}` },
  })
  if (session.status === 401) {
    storage.removeItem(SESSION_KEY)
    const shape = readErrorShape(await session.json())
    throw shape ? LoamError.fromShape(shape) : noSession()
  }
  if (!session.ok || secret === null) throw new Error(`The host answered ${session.status}.`)
  const socket = openSocket(`${origin.replace(/^http/, 'ws')}${RPC_PATH}`, socketProtocols(secret))
  const closurePromise = new Promise<void>((resolve) => socket.addEventListener('close', () => resolve()))
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve())
    void closurePromise.then(() => reject(new Error('The host closed the connection.')))
  })
  return { link: new RPCLink({ websocket: socket, interceptors: [mapClientErrors] }), closed: closurePromise }
}

function noSession(): LoamError {
  return new LoamError('UNAUTHORIZED', 'This browser has no session with Loam.', {
    suggestion: 'Open the address that Loam printed when it started.',
  })
}
