import type { Served } from '../../shared/domain/sharing'
import type { App } from '../app'
import { createAgentMemory, type AgentMemory } from '../share/agent-memory'
import { createRequestLog } from '../share/request-log'
import { mem0Routes } from './mem0-http'
import type { KeyHolder } from './program-keys'
import { serveOneMemory, type ServeInput, existingMemory } from './serve-one-memory'

/** A memory with what programs wrote into it, as a person looks at it. */
export const writtenInto = async (app: App, memoryId: string): Promise<AgentMemory> =>
  createAgentMemory(await existingMemory(app, memoryId), app, { write: true })

/** What a memory is served with. `hold`: what is written waits for a person's word. */
export interface ServeMemoryInput extends ServeInput {
  readonly hold: boolean
  /** The part of the memory that is served, beside what all projects share; null: all of it. */
  readonly project: string | null
  /** Whose calls are answered: Loam's, or those of the official memory server of MCP. */
  readonly calls: 'loam' | 'graph'
}

/** Serves a memory over MCP for as long as it is iterated. @throws LoamError `NOT_FOUND`, `CONFLICT` when the port is taken */
export const serveMemory = (
  app: App,
  { memoryId, port, client, write, hold, project, calls }: ServeMemoryInput,
  signal: AbortSignal | undefined,
): AsyncGenerator<Served, void, void> =>
  serveOneMemory(
    app,
    memoryId,
    client ?? 'mcp',
    // Who has a key for a project sees no more than that, whatever is served.
    (name) => project === null || name === null || name === project,
    async (memory, keys) => {
      // Loaded with the first memory that is served.
      const [{ createGraphServer }, { createMemoryServer }, { MCP_PATH, startMcpHttp }] = await Promise.all([
        import('../share/graph-server'),
        import('../share/mcp-server'),
        import('./mcp-http'),
      ])
      const log = createRequestLog()
      const accessOf = ({ mayWrite, project: own }: KeyHolder): AgentMemory =>
        createAgentMemory(memory, app, { write: write && mayWrite, hold, project: project ?? own })
      const server = await startMcpHttp(
        (holder) => {
          const { name, isOwn } = holder
          const access = accessOf(holder)
          // Who has the server's own key is called what it calls itself, unless a person said otherwise.
          const label = isOwn && client === null ? undefined : name
          return calls === 'graph'
            ? createGraphServer(access, app.resources.version, label, log)
            : createMemoryServer(access, app.resources.version, label, log)
        },
        keys,
        port,
        mem0Routes(accessOf, keys),
      )
      return {
        about: { what: write ? 'Memory server, writing' : 'Memory server', requests: () => log.list() },
        url: `http://127.0.0.1:${server.port}${MCP_PATH}`,
        close: () => server.close(),
      }
    },
    signal,
  )
