import { homedir } from 'node:os'
import { basename, join } from 'node:path'
import { stringify } from 'yaml'
import { existsSync } from 'node:fs'

/** What a client starts as its memory. */
export interface ServerCommand {
  readonly command: string
  readonly args: readonly string[]
}

/** Where Loam puts itself into a client's own configuration. */
export interface ClientFile {
  readonly path: string
  /** `json`: a member at a path of names. `toml`: a table of that name at the end. `own`: a file of Loam's own. */
  readonly form:
    | {
        readonly kind: 'json'
        readonly path: readonly string[]
        readonly value: unknown
        readonly empty: string
      }
    | {
        readonly kind: 'toml'
        readonly table: readonly string[]
        readonly value: Readonly<Record<string, unknown>>
      }
    | { readonly kind: 'own'; readonly text: string }
}

/** A program that Loam's memory can be connected to. */
export interface Client {
  readonly id: string
  readonly title: string
  /** `project`: its configuration lies in the current folder, and so the server is bound to a project of that name. `user`: it holds everywhere. */
  readonly scope: 'project' | 'user'
  readonly file: (folder: string, server: ServerCommand) => ClientFile
  /** What the person does next. */
  readonly next: string
}

/** What the memory is called in the configurations of clients. */
export const SERVER_NAME = 'loam-memory'

const inJson =
  (path: readonly string[], valueOf: (server: ServerCommand) => unknown, empty = '{}\n') =>
  (file: string, server: ServerCommand): ClientFile => ({
    path: file,
    form: { kind: 'json', path: [...path, SERVER_NAME], value: valueOf(server), empty },
  })
const mcpServers = inJson(['mcpServers'], ({ command, args }) => ({ command, args }))

/** Where VS Code keeps what its extensions know. */
function vscodeFolder(): string {
  const { env, platform } = process
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'Code', 'User')
  if (platform === 'win32') return join(env.APPDATA ?? join(homedir(), 'AppData', 'Roaming'), 'Code', 'User')
  return join(env.XDG_CONFIG_HOME ?? join(homedir(), '.config'), 'Code', 'User')
}

const RESTART = 'Start it anew in this folder.'

export const CLIENTS: readonly Client[] = [
  {
    ...{ id: 'claude-code', title: 'Claude Code', scope: 'project' },
    file: (folder, server) => mcpServers(join(folder, '.mcp.json'), server),
    next: `${RESTART} It asks once whether the server of .mcp.json may be used.`,
  },
  {
    ...{ id: 'codex', title: 'Codex', scope: 'user' },
    file: (_, { command, args }) => ({
      path: join(process.env['CODEX_HOME'] ?? join(homedir(), '.codex'), 'config.toml'),
      form: { kind: 'toml', table: ['mcp_servers', SERVER_NAME], value: { command, args: [...args] } },
    }),
    next: 'Start it anew.',
  },
  {
    ...{ id: 'opencode', title: 'opencode', scope: 'project' },
    file: (folder, server) => {
      const commented = join(folder, 'opencode.jsonc')
      const path = existsSync(commented) ? commented : join(folder, 'opencode.json')
      const empty = '{\n  "$schema": "https://opencode.ai/config.json"\n}\n'
      const own = inJson(
        ['mcp'],
        ({ command, args }) => ({ type: 'local', command: [command, ...args], enabled: true }),
        empty,
      )
      return own(path, server)
    },
    next: RESTART,
  },
  {
    ...{ id: 'gemini-cli', title: 'Gemini CLI', scope: 'project' },
    file: (folder, server) => mcpServers(join(folder, '.gemini', 'settings.json'), server),
    next: RESTART,
  },
  {
    ...{ id: 'cline', title: 'Cline', scope: 'user' },
    file: (_, server) =>
      inJson(['mcpServers'], ({ command, args }) => ({ command, args, disabled: false }))(
        join(
          vscodeFolder(),
          ...['globalStorage', 'saoudrizwan.claude-dev', 'settings', 'cline_mcp_settings.json'],
        ),
        server,
      ),
    next: 'It reads the file by itself.',
  },
  {
    ...{ id: 'cursor', title: 'Cursor', scope: 'project' },
    file: (folder, server) => mcpServers(join(folder, '.cursor', 'mcp.json'), server),
    next: 'Switch the server on under Settings, MCP.',
  },
  {
    ...{ id: 'continue', title: 'Continue', scope: 'project' },
    file: (folder, { command, args }) => ({
      path: join(folder, '.continue', 'mcpServers', `${SERVER_NAME}.yaml`),
      form: {
        kind: 'own',
        text: stringify({
          ...{ name: 'Loam memory', version: '0.0.1', schema: 'v1' },
          mcpServers: [{ name: SERVER_NAME, command, args: [...args] }],
        }),
      },
    }),
    next: 'It reads the file by itself; tools are used in agent mode.',
  },
]

/** Programs that know no memory servers: they gain memory by the proxy, whose address and key are theirs to set. */
export const BY_PROXY: Readonly<Record<string, string>> = {
  aider: 'aider --openai-api-base URL --openai-api-key KEY --model openai/loam',
  'open-webui': 'Admin settings, Connections, OpenAI: add URL with KEY; the model is called loam.',
  env: 'OPENAI_BASE_URL=URL OPENAI_API_KEY=KEY, for any program that reads them; the model is called loam.',
}

/** The project of a folder: its name. */
export const projectOfFolder = (folder: string): string => basename(folder).trim().slice(0, 100)
