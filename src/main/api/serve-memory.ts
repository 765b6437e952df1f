import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { LoamError } from '../../shared/errors'
import type { Served } from '../../shared/domain/sharing'
import type { App } from '../app'
import { createAgentMemory, type AgentMemory } from '../share/agent-memory'
import { createMemoryServer } from '../share/mcp-server'
import { createRequestLog } from '../share/request-log'
import type { Space } from '../adapters/lancedb/space'
import { readTokens } from './api-tokens'
import { createKeyRing } from './key-ring'
import { MCP_PATH, startMcpHttp } from './mcp-http'

/** A space that is there already: serving must not make one of any folder. @throws LoamError `NOT_FOUND` */
export async function existingSpace({ spaces }: Pick<App, 'spaces'>, named: string): Promise<Space> {
  const folder = spaces.folder(named)
  await stat(join(folder, 'space.json')).catch(() => {
    throw new LoamError('NOT_FOUND', `There is no space in ${folder}.`, {
      suggestion: 'Name the folder of a space.',
    })
  })
  return spaces.open(named)
}

/** A space with what programs wrote into it, as a person looks at it. */
export const writtenInto = async (app: App, spaceId: string): Promise<AgentMemory> =>
  createAgentMemory(await existingSpace(app, spaceId), app, { write: true })

/** What a memory is served with. `client` overrides the name that a program gives itself; port 0 takes any. */
export interface ServeMemoryInput {
  readonly spaceId: string
  readonly port: number
  readonly client: string | null
  readonly write: boolean
  readonly hold: boolean
}

/** Serves a space over MCP for as long as it is iterated. @throws LoamError `NOT_FOUND`, `CONFLICT` when the port is taken */
export async function* serveMemory(
  app: App,
  { spaceId, port, client, write, hold }: ServeMemoryInput,
  signal: AbortSignal | undefined,
): AsyncGenerator<Served, void, void> {
  const space = await existingSpace(app, spaceId)
  const memory = createAgentMemory(space, app, { write, hold })
  const reading = createAgentMemory(space, app)
  const log = createRequestLog()
  const keys = createKeyRing(client ?? 'mcp', () => readTokens(app.data.path))
  const server = await startMcpHttp(
    ({ name, mayWrite, isOwn }) =>
      createMemoryServer(
        mayWrite ? memory : reading,
        app.resources.version,
        // Who has the server's own key is called what it calls itself, unless a person said otherwise.
        isOwn && client === null ? undefined : name,
        log,
      ),
    keys,
    port,
  )
  const url = `http://127.0.0.1:${server.port}${MCP_PATH}`
  const said = { url, key: keys.key, space: { id: space.id, path: space.path } }
  yield* app.serving.hold(
    { what: write ? 'Memory server, writing' : 'Memory server', requests: () => log.list() },
    said,
    () => server.close(),
    signal,
  )
}
