/** Where the browser's window to Loam is served: the socket the contract runs over. */
export const RPC_PATH = '/rpc'

/** POST trades the one-time token for a session's secret, GET (with the secret as bearer token) tells whether it holds. */
export const SESSION_PATH = '/session'

/** The parameter of the address's fragment that carries the one-time token: `#token=...`. */
export const KEY_PARAMETER = 'token'

/** The subprotocol that both sides of the socket speak. */
const PROTOCOL = 'loam'
const SECRET_PREFIX = 'loam.secret.'

/**
 * The subprotocols a socket is opened with. The secret travels as one of them, since a page cannot set a socket's headers, and
 * an address would end in histories and logs.
 */
export const socketProtocols = (secret: string): string[] => [PROTOCOL, SECRET_PREFIX + secret]

/** The secret among the subprotocols that a socket was asked for with (a comma-separated header), and what to answer. */
export function readSocketProtocols(header: string | undefined): {
  readonly secret: string | undefined
  readonly answer: string
} {
  const references = (header ?? '').split(',').map((word) => word.trim())
  return {
    secret: references.find((word) => word.startsWith(SECRET_PREFIX))?.slice(SECRET_PREFIX.length),
    answer: PROTOCOL,
  }
}
