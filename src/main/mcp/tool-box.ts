import { mkdir } from 'node:fs/promises'
import type { AskPermission, PermissionAnswer } from '../../core/agent/tool-permission'
import { isAllowed } from '../../core/agent/tool-permission'
import type { ToolBox, ToolInfo, ToolResult } from '../../core/ground/tools'
import { abortError } from '../../core/ground/abort'
import { createSerial } from '../../shared/serial'
import { walkFolder } from '../ground/walk-folder'
import { cutText } from './result-text'
import { ServerConnection, type ConnectionOptions, type ServerSpec } from './server-connection'

/** Files of a task's folder that are looked at to see what a call wrote. */
const MOST_FILES = 2000
/** Shorter values would hide half of the text they might occur in. */
const SHORTEST_SECRET = 4

export interface ToolBoxOptions extends ConnectionOptions {
  readonly servers: readonly ServerSpec[]
  /** The task's folder, made when missing; null when the task has none. */
  readonly folder: string | null
  /** Tools that may be used without asking: names, `server.name`, names of servers, or all. */
  readonly allowed: readonly string[] | 'all'
  readonly ask: AskPermission
  /** Values that must not appear in what tools say of themselves or answer. */
  readonly secrets: readonly string[]
  /** Milliseconds a call may take. Default 60 s. */
  readonly timeMs?: number
  /** Whether a tool of a server, by its own name, may change something. Default: as the server's hint says, else it may. */
  readonly changes?: (server: string, tool: string) => boolean | undefined
  /** Most characters of an answer. Default 20,000. */
  readonly mostCharacters?: number
}

/** The tools of one run, until they are closed. */
export interface OpenToolBox extends ToolBox {
  /** Servers that could not be started, with the reason. */
  readonly problems: readonly { readonly server: string; readonly reason: string }[]
  /** Ends every server of this run. */
  close(): Promise<void>
}

interface Known {
  readonly info: ToolInfo
  /** The tool's name as its server knows it. */
  readonly own: string
  readonly connection: ServerConnection
}

const NOT_ALLOWED = 'The person did not allow this tool to be used.'
const notAllowedSince = (read: readonly string[]): string =>
  `This tool changes something, and text that nobody checked was read before (${read.slice(0, 3).join(', ')}). It needs a person's word, which was not given.`

/** Starts the servers side by side and puts their tools together. A server that does not start is a problem, not an error. */
export async function openToolBox(options: ToolBoxOptions): Promise<OpenToolBox> {
  const { folder, timeMs = 60_000, mostCharacters = 20_000 } = options
  if (folder !== null) await mkdir(folder, { recursive: true })
  const clean = secretRemover(options.secrets)
  const connections = options.servers.map((spec) => new ServerConnection(spec, options))
  const settledResults = await Promise.allSettled(connections.map((connection) => connection.open()))
  const problems = settledResults.flatMap((result, at) =>
    result.status === 'fulfilled'
      ? []
      : [{ server: connections[at]?.id ?? '', reason: clean((result.reason as Error).message) }],
  )
  const granted = new Set<string>()
  const inTurn = createSerial()
  // Kept when a server is lost: its tools are still there, behind a restart.
  let records = gather(connections, clean, options.changes)
  const current = (): readonly Known[] => {
    if (connections.every(({ tools }, at) => tools.length > 0 || settledResults[at]?.status === 'rejected'))
      records = gather(connections, clean, options.changes)
    return records
  }

  /** Tools that were agreed to for the whole run after text was read that nobody checked. */
  const grantedSince = new Set<string>()

  const permitted = async (
    tool: Known,
    args: Readonly<Record<string, unknown>>,
    read: readonly string[],
    signal?: AbortSignal,
  ): Promise<boolean> => {
    const key = `${tool.info.server}.${tool.own}`
    // What was agreed to before does not hold for what such text may have asked for.
    const anew = read.length > 0 && tool.info.changes !== false
    const free = (): boolean =>
      anew ? grantedSince.has(key) : granted.has(key) || isAllowed(tool.info, tool.own, options.allowed)
    if (free()) return true
    // One question at a time; the answer to an earlier one may settle the next.
    return inTurn(async () => {
      if (signal?.aborted) throw abortError()
      if (free()) return true
      const answer: PermissionAnswer = await options.ask(
        { tool: tool.info, args, read: anew ? read : [] },
        signal,
      )
      if (answer === 'run') (anew ? grantedSince : granted).add(key)
      return answer !== 'no'
    })
  }

  return {
    problems,
    list: () => current().map(({ info }) => info),
    async call(name, args, { signal, read = [] } = {}) {
      const began = performance.now()
      const getToolResult = (text: string, isFailed: boolean, files: readonly string[] = []): ToolResult => ({
        text: cutText(clean(text), mostCharacters),
        failed: isFailed,
        files,
        wallMs: Math.round(performance.now() - began),
      })
      const tool = current().find(({ info }) => info.name === name)
      if (!tool) return getToolResult(`There is no tool "${name}".`, true)
      if (!(await permitted(tool, args, read, signal)))
        return getToolResult(
          read.length > 0 && tool.info.changes !== false ? notAllowedSince(read) : NOT_ALLOWED,
          true,
        )
      const before = await filesOf(folder)
      const result = await tool.connection.call(tool.own, args, { timeMs, signal })
      return getToolResult(result.text, result.failed, getChanges(before, await filesOf(folder)))
    },
    async close() {
      await Promise.all(connections.map((connection) => connection.close()))
    },
  }
}

/** All tools; a name that two servers use is written `server.name` for both. */
function gather(
  connections: readonly ServerConnection[],
  clean: (text: string) => string,
  changes: ToolBoxOptions['changes'],
): Known[] {
  const names = new Map<string, number>()
  for (const { tools } of connections)
    for (const name of new Set(tools.map((tool) => tool.name))) names.set(name, (names.get(name) ?? 0) + 1)
  const takenSet = new Set<string>()
  return connections.flatMap((connection) =>
    connection.tools.flatMap((tool) => {
      const name = (names.get(tool.name) ?? 0) > 1 ? `${connection.id}.${tool.name}` : tool.name
      if (takenSet.has(name)) return []
      takenSet.add(name)
      const info = {
        name,
        server: connection.id,
        description: clean(tool.description ?? ''),
        inputSchema: tool.inputSchema,
        changes: changes?.(connection.id, tool.name) ?? tool.annotations?.readOnlyHint !== true,
      }
      return [{ info, own: tool.name, connection }]
    }),
  )
}

/** Writes "[secret]" for each secret of at least 4 characters. */
export function secretRemover(secrets: readonly string[]): (text: string) => string {
  const worth = secrets.filter(({ length }) => length >= SHORTEST_SECRET).sort((a, b) => b.length - a.length)
  return (text) => worth.reduce((clean, secret) => clean.replaceAll(secret, '[secret]'), text)
}

async function filesOf(folder: string | null): Promise<ReadonlyMap<string, string>> {
  if (folder === null) return new Map()
  const { files } = await walkFolder(folder, MOST_FILES)
  return new Map(files.map(({ name, bytes, modifiedMs }) => [name, `${bytes}:${modifiedMs}`]))
}

const getChanges = (before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] =>
  [...after].flatMap(([name, mark]) => (before.get(name) === mark ? [] : [name]))
