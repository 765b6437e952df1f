import { createORPCClient } from '@orpc/client'
import type { ContractRouterClient } from '@orpc/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createTransports } from '../../src/main/api/transports'
import { type UiServer, startUiServer } from '../../src/main/api/ui-server'
import { dialSocket, exchangeKey } from '../../src/renderer/connection/dial-socket'
import {
  ReconnectingLink,
  type ConnectionState,
  createConnectionStore,
} from '../../src/renderer/connection/reconnecting-link'
import { followFeed } from '../../src/renderer/stores/feed'
import { createBrowser, tokenOf } from './hosts'
import { type tinyContract, type TinyWorld, createTinyWorld } from './tiny-contract'

const eventually = (check: () => void) => expect.poll(() => (check(), true)).toBe(true)

describe('reconnecting over a WebSocket', () => {
  let world: TinyWorld
  let server: UiServer
  let link: ReconnectingLink
  let client: ContractRouterClient<typeof tinyContract>
  let browser: ReturnType<typeof createBrowser>
  let states: ConnectionState['status'][]
  const serve = (port: number) =>
    startUiServer({
      root: '.',
      port,
      serveSocket: createTransports<typeof tinyContract>(world.router).serveSocket,
    })

  beforeEach(async () => {
    world = createTinyWorld()
    server = await serve(0)
    browser = createBrowser(server.url)
    await exchangeKey(tokenOf(server.mintUrl()), browser)
    const store = createConnectionStore()
    states = []
    store.subscribe((state) => states.push(state.status))
    link = new ReconnectingLink(() => dialSocket(browser), store, { backoff: () => 20, patienceMs: 2000 })
    await link.start()
    states.length = 0
    client = createORPCClient(link)
  })

  afterEach(async () => {
    link.stop()
    await server.close()
    world.feed.close()
    await world.jobs.close(10)
  })

  it('gives a feed that is followed across breaks the state it would have without them', async () => {
    let state = 0
    let snapshots = 0
    const stop = followFeed<number>({
      async open(since, signal) {
        snapshots += since === null ? 1 : 0
        return client.watch({ since }, { signal })
      },
      onState: (value) => (state = value),
      backoff: () => 10,
    })
    for (let round = 0; round < 4; round += 1) {
      for (let step = 0; step < 20; step += 1) world.add(round * step + 1)
      await eventually(() => expect(state).toBe(world.total()))
      browser.sockets.at(-1)?.terminate()
      for (let step = 0; step < 20; step += 1) world.add(step)
      await eventually(() => expect(state).toBe(world.total()))
    }
    expect(snapshots).toBe(1)
    expect(browser.sockets.length).toBe(5)
    stop()
    await eventually(() => expect(world.feed.watchers).toBe(0))
  })

  it('lets calls made during a short break wait for the new connection', async () => {
    browser.sockets.at(-1)?.terminate()
    await eventually(() => expect(states).toContain('connecting'))
    expect(await client.echo({ text: 'hello' })).toEqual({ text: 'hello' })
    expect(states.at(-1)).toBe('connected')
  })

  it('keeps trying while the host is away, and stops when the new host does not know its session', async () => {
    const { port } = server
    await server.close()
    await eventually(() => expect(states).toContain('waiting'))
    server = await serve(port)
    await eventually(() => expect(states.at(-1)).toBe('refused'))
    await expect(client.echo({ text: 'hello' })).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  })
})
