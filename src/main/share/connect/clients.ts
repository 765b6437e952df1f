import { homedir } from 'node:os'
import { basename, join } from 'node:path'
import { stringify } from 'yaml'
import { existsSync } from 'node:fs'
import { folderOr } from '../../ground/data-path'

/** What a client starts as its memory. */
export interface ServerCommand {
  readonly command: string
  readonly args: readonly string[]
}

/** A value at the end of a list; `mark` tells that it is there. */
export interface ListItem {
  readonly path: readonly string[]
  readonly value: unknown
  readonly mark: string
}

/** Where Loam puts itself into a client's own configuration. */
export interface ClientFile {
  readonly path: string
  /** `json`: a member at a path of names, and perhaps values at the ends of lists. `lists`: a value at the end of each list; `mark` tells that it is there. `toml`: a table of that name at the end. `variables`: lines at the end of a file of variables. `own`: a file of Loam's own. */
  readonly form:
    | {
        readonly kind: 'json'
        readonly path: readonly string[]
        readonly value: unknown
        readonly empty: string
        readonly items?: readonly ListItem[]
      }
    | {
        readonly kind: 'lists'
        readonly items: readonly ListItem[]
        readonly empty: string
      }
    | {
        readonly kind: 'toml'
        readonly table: readonly string[]
        readonly value: Readonly<Record<string, unknown>>
      }
    | { readonly kind: 'variables'; readonly values: Readonly<Record<string, string>> }
    | { readonly kind: 'own'; readonly text: string }
}

/** A program that Loam's memory can be connected to. */
export interface Client {
  readonly id: string
  readonly title: string
  /** `project`: its configuration lies in the current folder, and so the server is bound to a project of that name. `user`: it holds everywhere. */
  readonly scope: 'project' | 'user'
  readonly file: (folder: string, server: ServerCommand) => ClientFile
  /** Where the client runs commands of others at moments of its own: `command` tells it what the memory knows then. Default: nowhere. */
  readonly hooks?: (folder: string, command: string) => ClientFile
  /** The same, of a client that keeps its hooks in the file that names its servers. */
  readonly hooksWithin?: (command: string) => readonly ListItem[]
  /** Whether its hooks take nothing when a tool failed. Default: they do. */
  readonly deafToFailures?: true
  /** Where it is connected for all folders of a person. Default `file` and `hooks`: those above, in `folder`. */
  readonly everywhere: {
    /** A folder that is there where the client is used. */
    readonly installed: () => string
    /** Default: the home folder. */
    readonly folder?: () => string
    readonly file?: (server: ServerCommand) => ClientFile
    readonly hooks?: (command: string) => ClientFile
    /** What the person does next. Default: `next` of the client. */
    readonly next?: string
  }
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

/** Seconds that a client waits for a hook: one that asks the memory, and one before a call, which reads a note. */
const HOOK_SECONDS = 30
const BEFORE_SECONDS = 5
const hookAt = (event: string, matcher: string, command: string, seconds = HOOK_SECONDS) => ({
  path: ['hooks', event],
  value: { matcher, hooks: [{ type: 'command', command, timeout: seconds }] },
  mark: command,
})

/** Where VS Code keeps what its extensions know. */
function vscodeFolder(): string {
  const { env, platform } = process
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'Code', 'User')
  if (platform === 'win32') return join(env.APPDATA ?? join(homedir(), 'AppData', 'Roaming'), 'Code', 'User')
  return join(folderOr(env.XDG_CONFIG_HOME, join(homedir(), '.config')), 'Code', 'User')
}

const codexHome = (): string => process.env['CODEX_HOME'] ?? join(homedir(), '.codex')
const claudeHome = (): string => process.env['CLAUDE_CONFIG_DIR'] ?? join(homedir(), '.claude')
const opencodeFolder = (): string =>
  join(folderOr(process.env['XDG_CONFIG_HOME'], join(homedir(), '.config')), 'opencode')
/** Where Cline keeps its settings: as an extension of VS Code or, where that is not there, as a program for terminals. */
function clineFolder(): string {
  const { env } = process
  const extension = join(vscodeFolder(), 'globalStorage', 'saoudrizwan.claude-dev')
  const program = folderOr(
    env['CLINE_DATA_DIR'],
    join(folderOr(env['CLINE_DIR'], join(homedir(), '.cline')), 'data'),
  )
  return !existsSync(extension) && existsSync(program) ? program : extension
}
const inHome = (name: string) => ({ installed: () => join(homedir(), name) })

/** Claude Code's hooks, in one of its files of settings. */
const claudeHooks = (path: string, command: string): ClientFile => ({
  path,
  form: {
    kind: 'lists',
    items: [
      hookAt('SessionStart', 'startup|clear|compact', command),
      hookAt('PreToolUse', '*', command, BEFORE_SECONDS),
      hookAt('PostToolUseFailure', '*', command),
    ],
    empty: '{}\n',
  },
})

/** Codex's hooks, beside its configuration. That after a call also runs where the call went well. */
const codexHooks = (command: string): ClientFile => ({
  path: join(codexHome(), 'hooks.json'),
  form: {
    kind: 'lists',
    items: [
      hookAt('SessionStart', 'startup|clear', command),
      hookAt('PreToolUse', '*', command, BEFORE_SECONDS),
      hookAt('PostToolUse', '*', command),
    ],
    empty: '{}\n',
  },
})

/** Gemini CLI's hooks, whose time is in milliseconds. */
const geminiHooks = (command: string): readonly ListItem[] =>
  Object.entries({ SessionStart: HOOK_SECONDS, BeforeTool: BEFORE_SECONDS, AfterTool: HOOK_SECONDS }).map(
    ([event, seconds]) => ({
      path: ['hooks', event],
      value: { hooks: [{ type: 'command', command, timeout: seconds * 1000 }] },
      mark: command,
    }),
  )

/** Cursor's hooks, beside its servers. After a tool failed, it takes nothing from one that its documentation names. */
const cursorHooks = (folder: string, command: string): ClientFile => ({
  path: join(folder, '.cursor', 'hooks.json'),
  form: {
    kind: 'lists',
    items: Object.entries({ sessionStart: HOOK_SECONDS, preToolUse: BEFORE_SECONDS }).map(
      ([event, timeout]) => ({ path: ['hooks', event], value: { command, timeout }, mark: command }),
    ),
    empty: '{\n  "version": 1\n}\n',
  },
})

const ANEW = 'Start it anew.'
const RESTART = 'Start it anew in this folder.'

export const CLIENTS: readonly Client[] = [
  {
    ...{ id: 'claude-code', title: 'Claude Code', scope: 'project' },
    file: (folder, server) => mcpServers(join(folder, '.mcp.json'), server),
    // What holds on this machine alone is nobody else's who works on the project.
    hooks: (folder, command) => claudeHooks(join(folder, '.claude', 'settings.local.json'), command),
    everywhere: {
      ...{ installed: claudeHome, next: ANEW },
      file: (server) =>
        mcpServers(join(process.env['CLAUDE_CONFIG_DIR'] ?? homedir(), '.claude.json'), server),
      hooks: (command) => claudeHooks(join(claudeHome(), 'settings.json'), command),
    },
    next: `${RESTART} It asks once whether the server of .mcp.json may be used.`,
  },
  {
    ...{ id: 'codex', title: 'Codex', scope: 'user' },
    file: (_, { command, args }) => ({
      path: join(codexHome(), 'config.toml'),
      form: { kind: 'toml', table: ['mcp_servers', SERVER_NAME], value: { command, args: [...args] } },
    }),
    hooks: (_, command) => codexHooks(command),
    everywhere: { installed: codexHome, hooks: codexHooks },
    next: `${ANEW} It runs the hook once you trust it there: /hooks.`,
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
    everywhere: { installed: opencodeFolder, folder: opencodeFolder, next: ANEW },
    next: RESTART,
  },
  {
    ...{ id: 'gemini-cli', title: 'Gemini CLI', scope: 'project' },
    file: (folder, server) => mcpServers(join(folder, '.gemini', 'settings.json'), server),
    hooksWithin: geminiHooks,
    everywhere: { ...inHome('.gemini'), next: ANEW },
    next: RESTART,
  },
  {
    ...{ id: 'cline', title: 'Cline', scope: 'user' },
    file: (_, server) =>
      inJson(['mcpServers'], ({ command, args }) => ({ command, args, disabled: false }))(
        join(clineFolder(), 'settings', 'cline_mcp_settings.json'),
        server,
      ),
    everywhere: { installed: clineFolder },
    next: 'It reads the file by itself.',
  },
  {
    ...{ id: 'cursor', title: 'Cursor', scope: 'project' },
    file: (folder, server) => mcpServers(join(folder, '.cursor', 'mcp.json'), server),
    hooks: cursorHooks,
    deafToFailures: true,
    everywhere: { ...inHome('.cursor'), hooks: (command) => cursorHooks(homedir(), command) },
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
    everywhere: inHome('.continue'),
    next: 'It reads the file by itself; tools are used in agent mode.',
  },
]

/** A program that knows no memory servers: it gains memory by the proxy, which has to run while it is used. */
export interface ProxiedClient {
  readonly title: string
  /** What the person sets by hand. */
  readonly how: string
  /** The variables it reads the same from. */
  readonly values: (url: string, key: string) => Readonly<Record<string, string>>
  /** What the person does next. */
  readonly next: string
}

export const BY_PROXY: Readonly<Record<string, ProxiedClient>> = {
  aider: {
    title: 'aider',
    how: 'aider --openai-api-base URL --openai-api-key KEY --model openai/loam',
    values: (url, key) => ({
      ...{ AIDER_OPENAI_API_BASE: url, AIDER_OPENAI_API_KEY: key },
      AIDER_MODEL: 'openai/loam',
    }),
    next: 'Start it in this folder.',
  },
  'open-webui': {
    title: 'Open WebUI',
    how: 'Admin settings, Connections, OpenAI: add URL with KEY; the model is called loam.',
    values: (url, key) => ({ OPENAI_API_BASE_URL: url, OPENAI_API_KEY: key }),
    next: 'It reads them at its first start: set -a; . ./.env; open-webui serve. Later they stand in its admin settings.',
  },
  env: {
    title: 'Any other program',
    how: 'OPENAI_BASE_URL=URL OPENAI_API_KEY=KEY, for any program that reads them; the model is called loam.',
    values: (url, key) => ({ OPENAI_BASE_URL: url, OPENAI_API_KEY: key }),
    next: 'Start the program in this folder; where it does not read .env itself: set -a; . ./.env',
  },
}

/** The file of variables in a folder that a program by the proxy reads. */
export const variablesFile = (folder: string, values: Readonly<Record<string, string>>): ClientFile => ({
  path: join(folder, '.env'),
  form: { kind: 'variables', values },
})

/** The files of a client that connect it for all folders of a person. `command`: what a hook runs. */
export function filesEverywhere(client: Client, server: ServerCommand, command: string): ClientFile[] {
  const { folder = homedir, file, hooks } = client.everywhere
  const own = file?.(server) ?? client.file(folder(), server)
  return [withHooks(client, own, command), ...(hooks ? [hooks(command)] : [])]
}

/** The file of a client's servers with its hooks, where it keeps them there. */
export const withHooks = (
  { hooksWithin }: Pick<Client, 'hooksWithin'>,
  file: ClientFile,
  command: string,
): ClientFile =>
  hooksWithin && file.form.kind === 'json'
    ? { ...file, form: { ...file.form, items: hooksWithin(command) } }
    : file

/** The project of a folder: its name. */
export const projectOfFolder = (folder: string): string => basename(folder).trim().slice(0, 100)
