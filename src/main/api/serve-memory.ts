import type { Served } from '../../shared/domain/sharing'
import type { App } from '../app'
import { createAgentMemory, type AgentMemory } from '../share/agent-memory'
import { createMemoryServer } from '../share/mcp-server'
import { createRequestLog } from '../share/request-log'
import { MCP_PATH, startMcpHttp } from './mcp-http'
import { serveOneMemory, type ServeInput, existingMemory } from './serve-one-memory'

/** A memory with what programs wrote into it, as a person looks at it. */
export const writtenInto = async (app: App, memoryId: string): Promise<AgentMemory> =>
  createAgentMemory(await existingMemory(app, memoryId), app, { write: true })

/** What a memory is served with. `hold`: what is written waits for a person's word. */
export interface ServeMemoryInput extends ServeInput {
  readonly hold: boolean
}

/** Serves a memory over MCP for as long as it is iterated. @throws LoamError `NOT_FOUND`, `CONFLICT` when the port is taken */
export const serveMemory = (
  app: App,
  { memoryId, port, client, write, hold }: ServeMemoryInput,
  signal: AbortSignal | undefined,
): AsyncGenerator<Served, void, void> =>
  serveOneMemory(
    app,
    memoryId,
    client ?? 'mcp',
    async (memory, keys) => {
      const writing = createAgentMemory(memory, app, { write, hold })
      const reading = createAgentMemory(memory, app)
      const log = createRequestLog()
      const server = await startMcpHttp(
        ({ name, mayWrite, isOwn }) =>
          createMemoryServer(
            mayWrite ? writing : reading,
            app.resources.version,
            // Who has the server's own key is called what it calls itself, unless a person said otherwise.
            isOwn && client === null ? undefined : name,
            log,
          ),
        keys,
        port,
      )
      return {
        about: { what: write ? 'Memory server, writing' : 'Memory server', requests: () => log.list() },
        url: `http://127.0.0.1:${server.port}${MCP_PATH}`,
        close: () => server.close(),
      }
    },
    signal,
  )
