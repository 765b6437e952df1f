import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MessageChannel } from 'node:worker_threads'
import { createORPCClient } from '@orpc/client'
import type { AnyContractRouter, ContractRouterClient } from '@orpc/contract'
import { WebSocket as NodeWebSocket } from 'ws'
import type { Transports } from '../../src/main/api/transports'
import { startUiServer } from '../../src/main/api/ui-server'
import { connectPort } from '../../src/renderer/connection/dial-port'
import { type SocketEnvironment, dialSocket, exchangeKey } from '../../src/renderer/connection/dial-socket'
import { ReconnectingLink, createConnectionStore } from '../../src/renderer/connection/reconnecting-link'

/** A client at one end of a transport. */
export interface Peer<C extends AnyContractRouter> {
  readonly client: ContractRouterClient<C>
  /** Breaks the connection the hard way; null where there is none to break. */
  readonly sever: (() => void) | null
  close(): Promise<void>
}

type Connect = <C extends AnyContractRouter>(transports: Transports<C>) => Promise<Peer<C>>

const connectMemory: Connect = async (transports) => ({
  client: transports.client,
  sever: null,
  close: async () => undefined,
})

const connectMessagePort: Connect = async <C extends AnyContractRouter>(transports: Transports<C>) => {
  const { port1, port2 } = new MessageChannel()
  transports.servePort(port1 as unknown as MessagePort)
  port1.start()
  const { link } = connectPort(port2 as unknown as MessagePort)
  return {
    client: createORPCClient(link) as unknown as ContractRouterClient<C>,
    sever: () => port1.close(),
    close: async () => port2.close(),
  }
}

const connectWebSocket: Connect = async <C extends AnyContractRouter>(transports: Transports<C>) => {
  const root = await mkdtemp(join(tmpdir(), 'loam-ui-'))
  await writeFile(join(root, 'index.html'), '<!doctype html>')
  const server = await startUiServer({ root, port: 0, serveSocket: transports.serveSocket })
  const browser = createBrowser(server.url)
  await exchangeKey(tokenOf(server.mintUrl()), browser)
  const link = new ReconnectingLink(() => dialSocket(browser), createConnectionStore(), {
    backoff: () => 20,
  })
  await link.start()
  return {
    client: createORPCClient(link) as unknown as ContractRouterClient<C>,
    sever: () => browser.sockets.at(-1)?.terminate(),
    close: async () => {
      link.stop()
      await server.close()
      await rm(root, { recursive: true })
    },
  }
}

/** Every way the contract is reached. */
export const HOSTS: readonly (readonly [name: string, connect: Connect])[] = [
  ['in memory', connectMemory],
  ['over a MessagePort', connectMessagePort],
  ['over a WebSocket', connectWebSocket],
]

/** The one-time token of an address. */
export function tokenOf(url: string): string {
  return new URLSearchParams(new URL(url).hash.slice(1)).get('token') ?? ''
}

/** As much of a browser as the socket client needs: it has a storage and sends its origin. */
export function createBrowser(url: string): SocketEnvironment & { readonly sockets: NodeWebSocket[] } {
  const origin = new URL(url).origin
  const sockets: NodeWebSocket[] = []
  const kept = new Map<string, string>()
  return {
    origin,
    sockets,
    storage: {
      getItem: (key) => kept.get(key) ?? null,
      setItem: (key, value) => void kept.set(key, value),
      removeItem: (key) => void kept.delete(key),
    },
    fetch: (input, init) =>
      fetch(input, { ...init, headers: { ...(init?.headers as Record<string, string>), origin } }),
    openSocket: (address, protocols) => {
      const socket = new NodeWebSocket(address, protocols, { headers: { origin } })
      socket.on('error', () => undefined)
      sockets.push(socket)
      return socket as unknown as WebSocket
    },
  }
}
