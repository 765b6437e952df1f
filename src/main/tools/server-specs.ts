import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { OwnServer, ToolSettings } from '../../shared/domain/tool'
import { TOOL_SERVERS, toolServerOf } from '../tool-servers'
import type { ToolOfServer } from '../tool-servers/module'
import { optionArguments } from '../tool-servers/options'
import type { ServerSpec } from '../mcp/server-connection'
import { findPackageRoot } from '../ground/resources'

/** Seconds a built-in server stops its own work before the call runs out, so that its reason arrives. */
const MARGIN_S = 2

/**
 * How a built-in server is started: as its own program, by this Node (or Electron as Node).
 * @throws Error when there is no such server, or nothing is built
 */
export function builtInSpec(
  id: string,
  options: {
    readonly tools: ToolSettings
    readonly network: boolean
    readonly folder: string
    /** Where libraries for Python lie. Default: there are none. */
    readonly libraries?: string
  },
): ServerSpec {
  const { tools, network, folder, libraries = '' } = options
  const server = toolServerOf(id)
  if (!server) throw new Error(`There is no built-in server ${id}.`)
  const program = server.folder === undefined ? 'index.js' : 'module.js'
  const entry = join(findPackageRoot(import.meta.dirname), 'out', 'main', 'mcp', program)
  if (!existsSync(entry)) throw new Error(`${entry} is missing; build the project first.`)
  const seconds = Math.max(1, tools.callSeconds - MARGIN_S)
  const values = server.forRun({ tools, network, folder, libraries, seconds })
  const args = [
    entry,
    ...(server.folder === undefined ? [] : [server.folder]),
    id,
    ...optionArguments(server, values),
  ]
  const env: Record<string, string> =
    process.versions.electron === undefined ? {} : { ELECTRON_RUN_AS_NODE: '1' }
  return { id, at: { kind: 'process', command: process.execPath, args, env } }
}

/** How a server of the person's own is reached, with its secrets. */
export function ownSpec(
  { id, at }: OwnServer,
  options: {
    readonly secrets: Readonly<Record<string, string>>
    readonly network: boolean
    readonly folder: string
  },
): ServerSpec {
  const { secrets, network, folder } = options
  if (at.kind === 'http') return { id, at: { kind: 'http', url: at.url, headers: secrets, network } }
  return { id, at: { kind: 'process', command: at.command, args: at.args, env: secrets, cwd: folder } }
}

/** Ids of the built-in servers that are on. */
export const builtInOn = ({ off }: ToolSettings): string[] =>
  TOOL_SERVERS.flatMap(({ id }) => (off.includes(id) ? [] : [id]))

/** A server's name and one line about it. */
export function serverWords(id: string, at: OwnServer['at'] | null): { title: string; about: string } {
  const server = at === null ? toolServerOf(id) : undefined
  if (server) return { title: server.title, about: server.about }
  const about = at === null ? '' : at.kind === 'http' ? at.url : [at.command, ...at.args].join(' ')
  return { title: id, about }
}

/** What is known of a built-in server's tool beside what the server says itself. */
export const builtInTool = (server: string, tool: string): ToolOfServer | undefined =>
  toolServerOf(server)?.tools.find(({ name }) => name === tool)
