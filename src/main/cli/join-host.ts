import { createORPCClient } from '@orpc/client'
import { RPCLink } from '@orpc/client/websocket'
import { WebSocket } from 'ws'
import { mapClientErrors } from '../../shared/client-errors'
import { RPC_PATH, socketProtocols } from '../../shared/web-host'
import { readHandshake } from '../api/door'
import { MAX_SOCKET_MESSAGE } from '../api/local-server'
import type { LoamClient } from '../api/transports'
import { folderHolder } from '../ground/lock'

/** How long a host may take to open the door, in ms. */
const KNOCK_MS = 5000

/**
 * Connects to the host that has a data folder open; null when there is none, or none that can be joined. The file that says how is only
 * believed while the process that wrote it holds the folder's lock: another program may have got its port since.
 */
export async function joinHost(
  dataPath: string,
): Promise<{ readonly client: LoamClient; readonly gone: Promise<void>; close(): Promise<void> } | null> {
  const handshake = await readHandshake(dataPath)
  const holder = handshake === null ? null : await folderHolder(dataPath)
  if (handshake === null || holder !== handshake.pid) return null
  const socket = new WebSocket(
    `ws://127.0.0.1:${handshake.port}${RPC_PATH}`,
    socketProtocols(handshake.secret),
    { handshakeTimeout: KNOCK_MS, maxPayload: MAX_SOCKET_MESSAGE },
  )
  const open = await new Promise<boolean>((resolve) => {
    socket.once('open', () => resolve(true))
    socket.once('error', () => resolve(false))
  })
  if (!open) return null
  socket.on('error', () => socket.terminate())
  const link = new RPCLink({
    websocket: socket as unknown as globalThis.WebSocket,
    interceptors: [mapClientErrors],
  })
  const removalPromise = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  return {
    client: createORPCClient(link),
    gone: removalPromise,
    close() {
      socket.close()
      setTimeout(() => socket.terminate(), 1000).unref()
      return removalPromise
    },
  }
}
