import type { Served } from '../../shared/domain/sharing'
import type { Space } from '../memory-store/space'
import type { App } from '../app'
import { readTokens } from './api-tokens'
import { existingSpace } from './existing-space'
import { createKeyRing, type KeyRing } from './key-ring'

/** What a space is served with. `client` overrides the name that a program gives itself; port 0 takes any. */
export interface ServeInput {
  readonly spaceId: string
  readonly port: number
  readonly client: string | null
  readonly write: boolean
}

/** A server that listens for a space. */
interface SpaceServer {
  readonly about: Parameters<App['serving']['hold']>[0]
  readonly url: string
  close(): Promise<void>
}

/**
 * Serves a space with what `listen` starts, for as long as it is iterated. Who has the server's own key goes by `name`.
 * @throws LoamError `NOT_FOUND`, `CONFLICT` when the port is taken
 */
export async function* serveSpace(
  app: App,
  spaceId: string,
  name: string,
  listen: (space: Space, keys: KeyRing) => Promise<SpaceServer>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Served, void, void> {
  const space = await existingSpace(app, spaceId)
  const keys = createKeyRing(name, () => readTokens(app.data.path))
  const { about, url, close } = await listen(space, keys)
  const said = { url, key: keys.key, space: { id: space.id, path: space.path } }
  yield* app.serving.hold(about, said, close, signal)
}
