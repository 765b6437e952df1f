import { once } from 'node:events'
import { timingSafeEqual } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import type { WebSocket } from 'ws'
import { z } from 'zod'
import { readSocketProtocols, RPC_PATH } from '../../shared/web-host'
import { replaceJson } from '../ground/atomic-file'
import { closeServer, listen, openSockets, isLocalHost, socketServer, type SlowLimits } from './local-server'
import { digest, newSecret } from './secrets'

/** How the host of a data folder is reached by the command line, as `<data>/host.json` says it. */
const handshakeSchema = z.object({
  format: z.literal(1),
  /** Whose it is: the process that holds the folder's lock. */
  pid: z.number().int(),
  port: z.number().int().min(1).max(65_535),
  /** 32 random bytes, base64url; made anew with every start. */
  secret: z.string().length(43),
})
export type Handshake = z.infer<typeof handshakeSchema>

const handshakeFile = (dataPath: string): string => join(dataPath, 'host.json')

/** Reads how the host is reached; null when there is no file, or none that can be used. */
export async function readHandshake(dataPath: string): Promise<Handshake | null> {
  try {
    return handshakeSchema.parse(JSON.parse(await readFile(handshakeFile(dataPath), 'utf8')))
  } catch {
    return null
  }
}

/** A door that is open. */
export type Door = Awaited<ReturnType<typeof openDoor>>

const MAX_SOCKETS = 64

/**
 * Lets command lines of this person reach the host that has the data folder open: a socket on 127.0.0.1, whose address and secret lie
 * in a file that only its owner reads. Pages are refused, whatever they know: a browser always names an origin.
 */
export async function openDoor(
  dataPath: string,
  serveSocket: (socket: WebSocket) => void,
  limits?: SlowLimits,
) {
  const secret = newSecret()
  const bytes = digest(secret)
  const server = socketServer(limits)
  let port = 0
  const problem = ({ url, headers }: IncomingMessage): string | null => {
    if (headers.origin !== undefined || !isLocalHost(headers.host, port)) return '403 Forbidden'
    if (url !== RPC_PATH) return '404 Not Found'
    const inputText = readSocketProtocols(headers['sec-websocket-protocol']).secret ?? ''
    if (!timingSafeEqual(digest(inputText), bytes)) return '401 Unauthorized'
    return sockets.clients.size >= MAX_SOCKETS ? '429 Too Many Requests' : null
  }
  const sockets = openSockets(server, problem, serveSocket)
  port = await listen(server, 0)
  const file = handshakeFile(dataPath)
  const handshake: Handshake = { format: 1, pid: process.pid, port, secret }
  await replaceJson(file, handshake, 0o600)
  return {
    /** How many are connected. */
    guests: (): number => sockets.clients.size,
    /** Resolves when nobody is connected, or `signal` aborts. */
    async empty(signal: AbortSignal) {
      for (const socket of sockets.clients)
        if (!signal.aborted) await once(socket, 'close', { signal }).catch(() => undefined)
    },
    /** Ends every connection and takes the file away. */
    async close() {
      if ((await readHandshake(dataPath))?.secret === secret) await rm(file, { force: true })
      await closeServer(server, sockets)
    },
  }
}
