import { RPCLink } from '@orpc/client/message-port'
import { mapClientErrors } from '../../shared/client-errors'
import { PORT_OFFER, PORT_REQUEST } from '../../shared/port-handshake'
import type { Connection } from './reconnecting-link'

/** How long the preload script may take to answer, in ms. */
const OFFER_WITHIN_MS = 5000

/** Asks the preload script for a port to the desktop app's main process. Rejects when none comes in time. */
export async function dialPort(page: Window = window): Promise<Connection> {
  return connectPort(await requestPort(page))
}

/** A connection over a port whose other end is served. */
export function connectPort(port: MessagePort): Connection {
  const closurePromise = new Promise<void>((resolve) => port.addEventListener('close', () => resolve()))
  const link = new RPCLink({ port, interceptors: [mapClientErrors] })
  port.start()
  return { link, closed: closurePromise }
}

function requestPort(page: Window): Promise<MessagePort> {
  return new Promise((resolve, reject) => {
    const onMessage = (event: MessageEvent) => {
      const port = event.ports[0]
      if (event.source !== page || event.data !== PORT_OFFER || !port) return
      getOutcome()
      resolve(port)
    }
    const timer = setTimeout(() => {
      getOutcome()
      reject(new Error('The desktop window did not offer a port.'))
    }, OFFER_WITHIN_MS)
    const getOutcome = () => {
      clearTimeout(timer)
      page.removeEventListener('message', onMessage)
    }
    page.addEventListener('message', onMessage)
    page.postMessage(PORT_REQUEST, page.location.origin)
  })
}
