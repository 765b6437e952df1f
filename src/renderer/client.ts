import { createORPCClient } from '@orpc/client'
import { KEY_PARAMETER } from '../shared/web-host'
import type { LoamClient } from './client-type'
import { dialPort } from './connection/dial-port'
import { browserEnvironment, dialSocket, exchangeKey } from './connection/dial-socket'
import { ReconnectingLink, createConnectionStore } from './connection/reconnecting-link'

export type { LoamClient } from './client-type'
export type { ConnectionState } from './connection/reconnecting-link'

/** Where the connection stands; for the status bar and the screen shown while there is none. */
export const connection = createConnectionStore()

/**
 * Connects to the host: over a MessagePort in the desktop window, over a WebSocket in a browser. Resolves once connected
 * and reconnects by itself from then on; rejects with `UNAUTHORIZED` when this browser has no session.
 * Calls reject with `LoamError`; those that a broken connection took down with `CONNECTION_LOST`.
 */
export async function createClient(): Promise<LoamClient> {
  const link = new ReconnectingLink(chooseDial(), connection)
  await link.start()
  return createORPCClient(link)
}

function chooseDial() {
  if (window.location.protocol === 'app:') return () => dialPort()
  const environment = browserEnvironment()
  loadAnewOnToken()
  let token = takeToken()
  return async () => {
    if (token !== null) {
      await exchangeKey(token, environment)
      token = null
    }
    return dialSocket(environment)
  }
}

/** Reads the one-time token and removes it from the address, so that it stays neither in the history nor on screen. */
function takeToken(): string | null {
  const { hash, pathname, search } = window.location
  const token = tokenIn(hash)
  if (token !== null) window.history.replaceState(null, '', pathname + search)
  return token
}

const tokenIn = (hash: string): string | null => new URLSearchParams(hash.slice(1)).get(KEY_PARAMETER)

let listens = false
/**
 * A host that was started anew is at the address it had, so that opening the one it printed changes only the fragment of
 * an open page, which loads nothing. Its session is gone and so is what it told: the page is loaded anew, with the token.
 */
function loadAnewOnToken(): void {
  if (listens) return
  listens = true
  window.addEventListener('hashchange', ({ newURL }) => {
    const { hash } = new URL(newURL)
    if (tokenIn(hash) === null) return
    // Whoever follows the address may have replaced it by now.
    window.history.replaceState(null, '', hash)
    window.location.reload()
  })
}
