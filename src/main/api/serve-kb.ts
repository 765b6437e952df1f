import type { Served } from '../../shared/domain/sharing'
import type { App } from '../app'
import { readTokens } from './api-tokens'
import { createKeyRing } from './key-ring'
import { kbRest } from './kb-rest'
import { createRestGuard, type Caller } from './rest-guard'
import { startRestServer } from './rest-server'
import { existingSpace } from './serve-memory'

/** Where the released client of Agent KB looks when nobody tells it otherwise. */
export const KB_PORT = 8000

/** What experiences are served with. `tokenless`: requests without a key are answered too, as `client`. */
export interface ServeKbInput {
  readonly spaceId: string
  readonly port: number
  readonly client: string | null
  readonly write: boolean
  readonly tokenless: boolean
}

/**
 * Serves the experiences of one space in Agent KB's own protocol for as long as it is iterated, on 127.0.0.1, to requests that mean this machine
 * and come from no page. No other space can be named in them.
 * @throws LoamError `NOT_FOUND`, `CONFLICT` when the port is taken
 */
export async function* serveKb(
  app: App,
  { spaceId, port, client, write, tokenless }: ServeKbInput,
  signal: AbortSignal | undefined,
): AsyncGenerator<Served, void, void> {
  const { id, path } = await existingSpace(app, spaceId)
  const name = client ?? 'kb-client'
  const keys = createKeyRing(name, () => readTokens(app.data.path))
  const scopesOf = (mayWrite: boolean): Caller['scopes'] => (write && mayWrite ? ['read', 'write'] : ['read'])
  const guard = createRestGuard({
    async caller(header) {
      if (header === undefined && tokenless) return { name, scopes: scopesOf(true) }
      const holder = await keys.holder(header)
      return holder && { name: holder.name, scopes: scopesOf(holder.mayWrite) }
    },
  })
  const rest = kbRest({ kb: app.kb, guard, only: path, defaultSpace: () => Promise.resolve(path) })
  const server = await startRestServer(rest, port)
  const said = { url: `http://127.0.0.1:${server.port}`, key: keys.key, space: { id, path } }
  yield* app.serving.hold(
    { what: tokenless ? 'Agent KB, without a key' : 'Agent KB' },
    said,
    () => server.close(),
    signal,
  )
}
