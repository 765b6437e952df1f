import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { AskPermission } from '../../core/agent/tool-permission'
import type { ToolResult } from '../../core/ground/tools'
import type { Settings } from '../../shared/domain/memory-info'
import {
  ownServerSchema,
  type OwnServer,
  type ServerStatus,
  type ToolServerInfo,
} from '../../shared/domain/tool'
import { LoamError } from '../../shared/errors'
import type { HouseServices } from '../mcp/house-requests'
import type { ServerSpec } from '../mcp/server-connection'
import type { OpenToolBox } from '../mcp/tool-box'
import type { Logger } from '../ground/logger'
import type { Credentials } from '../ground/credentials'
import { openPermissionRequests, type PermissionRequests } from './permission-requests'
import { TOOL_SERVERS, toolServerOf } from '../tool-servers'
import { builtInOn, builtInSpec, builtInTool, ownSpec, serverWords } from './server-specs'

/** What a run needs of its tools. */
export interface BoxRequest {
  /** What asks, as the person reads it when a permission is wanted. */
  readonly from: string
  /** The task's folder, made when missing. The code server works in it. */
  readonly folder: string
  /** Servers to use. Default: every one that is on. */
  readonly servers?: readonly string[]
  /** Tools that need no asking: names, `server.name`, servers, or all. Default none. */
  readonly allowed?: readonly string[] | 'all'
  /** Who is asked. Default: whoever watches the requests, such as the window. */
  readonly ask?: AskPermission
}

/** Tool servers: which there are, whether they work, and boxes of their tools for runs. */
export interface ToolServers {
  readonly permissions: PermissionRequests
  servers(): Promise<ToolServerInfo[]>
  /** Adds a server of the person's own or changes one. Values left out stay as they were. @throws LoamError `BAD_INPUT`, `CONFLICT` */
  save(
    server: OwnServer,
    secrets: Readonly<Record<string, string>>,
    isNew: boolean,
  ): Promise<ToolServerInfo[]>
  /** @throws LoamError `NOT_FOUND` */
  remove(id: string): Promise<ToolServerInfo[]>
  /** @throws LoamError `NOT_FOUND` */
  enable(id: string, enabled: boolean): Promise<ToolServerInfo[]>
  /** Starts a server, asks for its tools and ends it. @throws LoamError `NOT_FOUND` */
  test(id: string): Promise<ToolServerInfo>
  /** One call that the person makes themselves, so nobody is asked. @throws LoamError `NOT_FOUND` */
  tryTool(
    id: string,
    tool: string,
    args: Readonly<Record<string, unknown>>,
    signal?: AbortSignal,
  ): Promise<ToolResult>
  /** Starts servers for a run. The run closes the box when it ends. */
  openBox(request: BoxRequest): Promise<OpenToolBox>
  close(): Promise<void>
}

export interface ToolServersOptions {
  readonly dataPath: string
  readonly version: string
  readonly settings: () => Settings
  readonly saveSettings: (change: Partial<Settings>) => Promise<Settings>
  readonly logger: Logger
  /** Where secrets of servers lie. */
  readonly credentials: Credentials
  /** What Loam does for its own servers. Default: nothing. */
  readonly house?: HouseServices
}

/** The client of tool servers, loaded with the first that is spoken to. */
const loadToolBox = () => import('../mcp/tool-box')

export function openToolServers(options: ToolServersOptions): ToolServers {
  const { credentials } = options
  const permissions = openPermissionRequests()
  const statuses = new Map<string, ServerStatus>()
  const open = new Set<OpenToolBox>()
  const client = { name: 'loam', version: options.version }
  const scratch = join(options.dataPath, 'scratch')
  const libraries = join(options.dataPath, 'python-libraries')
  const tools = () => options.settings().tools

  const specOf = async (id: string, folder: string): Promise<ServerSpec> => {
    const { network } = options.settings()
    if (toolServerOf(id))
      return {
        ...builtInSpec(id, { tools: tools(), network, folder, libraries }),
        ...(options.house && { house: options.house }),
      }
    const own = tools().servers.find((server) => server.id === id)
    if (!own) throw noServer(id)
    return ownSpec(own, { secrets: await credentials.of(id), network, folder })
  }

  const infoOf = async (id: string): Promise<ToolServerInfo> => {
    const own = tools().servers.find((server) => server.id === id)
    return {
      id,
      ...serverWords(id, own?.at ?? null),
      enabled: own ? own.enabled : builtInOn(tools()).includes(id),
      own: own?.at ?? null,
      secretsSet: Object.keys(await credentials.of(id)),
      status: statuses.get(id) ?? { kind: 'untested' },
    }
  }

  const servers = (): Promise<ToolServerInfo[]> =>
    Promise.all([...TOOL_SERVERS, ...tools().servers].map(({ id }) => infoOf(id)))

  const openBox = async (request: BoxRequest): Promise<OpenToolBox> => {
    const on = [
      ...builtInOn(tools()),
      ...tools()
        .servers.filter(({ enabled }) => enabled)
        .map(({ id }) => id),
    ]
    const targets = request.servers ?? on
    await mkdir(request.folder, { recursive: true })
    const { openToolBox } = await loadToolBox()
    const box = await openToolBox({
      client,
      servers: await Promise.all(targets.map((id) => specOf(id, request.folder))),
      folder: request.folder,
      allowed: request.allowed ?? [],
      ask: request.ask ?? permissions.askerFor(request.from),
      secrets: await credentials.all(),
      timeMs: tools().callSeconds * 1000,
      // A tool of Loam's own says so itself; of others their servers do.
      changes: (server, tool) => {
        const own = builtInTool(server, tool)
        return own && (own.changes ?? false)
      },
    })
    for (const { server, reason } of box.problems)
      options.logger.warn('A tool server did not start', { server, reason, from: request.from })
    const closing: OpenToolBox = {
      ...box,
      close: async () => {
        open.delete(closing)
        await box.close()
      },
    }
    open.add(closing)
    return closing
  }

  return {
    permissions,
    servers,
    openBox,
    ...serverChanges(options, { servers, forget: (id) => void statuses.delete(id) }),
    async test(id) {
      await mkdir(scratch, { recursive: true })
      const [{ secretRemover }, { ServerConnection }] = await Promise.all([
        loadToolBox(),
        import('../mcp/server-connection'),
      ])
      const clean = secretRemover(await credentials.all())
      const began = performance.now()
      const connection = new ServerConnection(await specOf(id, scratch), { client })
      try {
        const matches = await connection.open()
        statuses.set(id, {
          kind: 'ready',
          startMs: Math.round(performance.now() - began),
          tools: matches.map(({ name, description, inputSchema }) => {
            const server = builtInTool(id, name)
            return {
              name,
              description: clean(description ?? ''),
              inputSchema: { ...inputSchema },
              ...(server && { needs: server.needs, example: { ...server.example.args } }),
            }
          }),
        })
      } catch (error) {
        statuses.set(id, { kind: 'failed', reason: clean((error as Error).message) })
      } finally {
        await connection.close()
      }
      return infoOf(id)
    },
    async tryTool(id, tool, args, signal) {
      const box = await openBox({ from: 'you', folder: scratch, servers: [id], allowed: 'all' })
      try {
        const [problem] = box.problems
        if (problem) return { text: problem.reason, failed: true, files: [], wallMs: 0 }
        return await box.call(tool, args, { signal })
      } finally {
        await box.close()
      }
    },
    async close() {
      permissions.close()
      await Promise.all([...open].map((box) => box.close()))
    },
  }
}

/** What a person changes about servers: each answers how all of them are afterwards. */
function serverChanges(
  options: Pick<ToolServersOptions, 'settings' | 'saveSettings' | 'credentials'>,
  { servers, forget }: Pick<ToolServers, 'servers'> & { readonly forget: (id: string) => void },
): Pick<ToolServers, 'save' | 'remove' | 'enable'> {
  const { credentials } = options
  const tools = () => options.settings().tools
  return {
    async save(input, secrets, isNew) {
      const parsed = ownServerSchema.safeParse(input)
      if (!parsed.success) {
        const issue = parsed.error.issues[0]
        throw new LoamError('BAD_INPUT', `${issue?.path.join('.') ?? 'server'}: ${issue?.message ?? ''}.`, {
          suggestion: 'Correct the field and save again.',
        })
      }
      const server = parsed.data
      if (toolServerOf(server.id)) {
        throw new LoamError('BAD_INPUT', `id: "${server.id}" is the name of a built-in server.`, {
          suggestion: 'Choose another name.',
        })
      }
      const others = tools().servers.filter(({ id }) => id !== server.id)
      if (isNew && others.length < tools().servers.length) {
        throw new LoamError('CONFLICT', `There is a server called "${server.id}" already.`, {
          suggestion: 'Choose another name.',
        })
      }
      await credentials.set(server.id, server.at.secrets, secrets)
      await options.saveSettings({
        tools: {
          ...tools(),
          servers: isNew
            ? [...others, server]
            : tools().servers.map((record) => (record.id === server.id ? server : record)),
        },
      })
      forget(server.id)
      return servers()
    },
    async remove(id) {
      const rest = tools().servers.filter((server) => server.id !== id)
      if (rest.length === tools().servers.length) throw noServer(id)
      await options.saveSettings({ tools: { ...tools(), servers: rest } })
      await credentials.remove(id)
      forget(id)
      return servers()
    },
    async enable(id, enabled) {
      const isBuiltIn = toolServerOf(id) !== undefined
      if (!isBuiltIn && !tools().servers.some((server) => server.id === id)) throw noServer(id)
      const off = tools().off.filter((name) => name !== id)
      await options.saveSettings({
        tools: {
          ...tools(),
          off: isBuiltIn && !enabled ? [...off, id] : off,
          servers: tools().servers.map((server) => (server.id === id ? { ...server, enabled } : server)),
        },
      })
      return servers()
    },
  }
}

const noServer = (id: string): LoamError =>
  new LoamError('NOT_FOUND', `There is no tool server "${id}".`, {
    suggestion: 'Settings lists the servers there are.',
  })
