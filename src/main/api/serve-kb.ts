import type { Served } from '../../shared/domain/sharing'
import type { StoredMemory } from '../memory-store/memory'
import type { App } from '../app'
import type { KeyRing } from './program-keys'
import { kbRest } from './kb-rest'
import { createRestGuard, type Caller } from './rest-guard'
import { startRestServer } from './rest-server'
import { serveOneMemory, type ServeInput } from './serve-one-memory'

/** Where the released client of Agent KB looks when nobody tells it otherwise. */
export const KB_PORT = 8000

/** Only one memory is served here, and its key ring has looked whom it opens to. */
const WHOLE = { memory: null, project: null } as const

/** What experiences are served with. `tokenless`: requests without a key are answered too, as `client`. */
export interface ServeKbInput extends ServeInput {
  readonly tokenless: boolean
}

/**
 * Serves the experiences of one memory in Agent KB's own protocol for as long as it is iterated, on 127.0.0.1, to requests that mean this machine
 * and come from no page. No other memory can be named in them.
 * @throws LoamError `NOT_FOUND`, `CONFLICT` when the port is taken
 */
export function serveKb(
  app: App,
  { memoryId, port, client, write, tokenless }: ServeKbInput,
  signal: AbortSignal | undefined,
): AsyncGenerator<Served, void, void> {
  const name = client ?? 'kb-client'
  const scopesOf = (mayWrite: boolean): Caller['scopes'] => (write && mayWrite ? ['read', 'write'] : ['read'])
  const listen = async ({ path }: StoredMemory, keys: KeyRing) => {
    const guard = createRestGuard({
      async caller(header) {
        if (header === undefined && tokenless) return { name, scopes: scopesOf(true), ...WHOLE }
        const holder = await keys.holder(header)
        return holder && { name: holder.name, scopes: scopesOf(holder.mayWrite), ...WHOLE }
      },
    })
    const rest = kbRest({ kb: app.kb, guard, only: path, defaultMemory: () => path, opens: () => true })
    const server = await startRestServer(rest, port)
    return {
      about: { what: tokenless ? 'Agent KB, without a key' : 'Agent KB' },
      url: `http://127.0.0.1:${server.port}`,
      close: () => server.close(),
    }
  }
  return serveOneMemory(app, memoryId, name, (project) => project === null, listen, signal)
}
