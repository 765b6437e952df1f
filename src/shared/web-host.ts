/** Where the browser's window to Loam is served: the socket the contract runs over. */
export const RPC_PATH = '/rpc'

/** POST trades the one-time token for a session, GET tells whether there is one. */
export const SESSION_PATH = '/session'

/** The parameter of the address's fragment that carries the one-time token: `#token=...`. */
export const TOKEN_PARAMETER = 'token'
