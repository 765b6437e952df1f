import { randomUUID } from 'node:crypto'
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { createPlaces, MOST_AT_ONCE, refuse, tooMany } from './rest-guard'
import type { SlowLimits } from './local-server'
import { startRestServer, type RestServer } from './rest-server'
import type { KeyHolder, KeyRing } from './program-keys'

/** Where the server answers, on 127.0.0.1. */
export const MCP_PATH = '/mcp'

/** Clients connected at a time; of those of the program that has most the one that was quiet longest makes room. */
const MOST_SESSIONS = 32
const MAX_BODY = 4 * 1024 * 1024

/**
 * Serves an MCP server over streamable HTTP on 127.0.0.1: one server per session, a key in every request, Host and Origin checked. `open`
 * gets who the key was given to.
 * @throws LoamError `CONFLICT` when the port is taken
 */
export async function startMcpHttp(
  open: (holder: KeyHolder) => McpServer,
  keys: KeyRing,
  port: number,
  /** Other paths beside it. Default none. */
  beside?: Hono,
  limits?: SlowLimits,
): Promise<RestServer> {
  const sessions = new Map<
    string,
    {
      readonly owner: string
      readonly mcp: McpServer
      readonly transport: WebStandardStreamableHTTPServerTransport
    }
  >()
  const places = createPlaces(MOST_AT_ONCE)
  /** Ends the session that makes room for another, once there are too many. */
  const makeRoom = (): void => {
    if (sessions.size < MOST_SESSIONS) return
    const counts = new Map<string, number>()
    for (const { owner } of sessions.values()) counts.set(owner, (counts.get(owner) ?? 0) + 1)
    const most = Math.max(...counts.values())
    const oldest = [...sessions].find(([, { owner }]) => counts.get(owner) === most)
    if (!oldest) return
    sessions.delete(oldest[0])
    void oldest[1].mcp.close()
  }
  const app = new Hono()
  const tooLarge = (): Response =>
    refuse(413, 'BAD_INPUT', `The request is larger than ${MAX_BODY} bytes.`, 'Send less at a time.')
  app.all(MCP_PATH, bodyLimit({ maxSize: MAX_BODY, onError: tooLarge }), async (context) => {
    const holder = await keys.holder(context.req.header('authorization'))
    if (!holder)
      return refuse(
        401,
        'UNAUTHORIZED',
        'The request has no valid key.',
        'Send "Authorization: Bearer KEY" with the key that was printed, or one of "loam keys create".',
      )
    // Each session listens on one connection, which stays open.
    if (context.req.method !== 'GET' && !places.take(holder.name, context)) return tooMany()
    const id = context.req.header('mcp-session-id')
    const record = id === undefined ? undefined : sessions.get(id)
    if (id !== undefined && record?.owner !== holder.name)
      return refuse(404, 'NOT_FOUND', 'There is no such session.', 'Connect again.')
    if (id !== undefined && record) {
      sessions.delete(id)
      sessions.set(id, record)
      return record.transport.handleRequest(context.req.raw)
    }
    const mcp = open(holder)
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (session) => {
        makeRoom()
        sessions.set(session, { owner: holder.name, mcp, transport })
      },
      onsessionclosed: (session) => void sessions.delete(session),
    })
    await mcp.connect(transport)
    const answer = await transport.handleRequest(context.req.raw)
    if (transport.sessionId === undefined) await mcp.close()
    return answer
  })
  if (beside) app.route('/', beside)
  const server = await startRestServer(app, port, limits)
  return {
    port: server.port,
    async close() {
      await Promise.allSettled([...sessions.values()].map(({ mcp }) => mcp.close()))
      await server.close()
    },
  }
}
