import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parse as parseToml } from 'smol-toml'
import { parse as parseYaml } from 'yaml'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  makeChange,
  plannedChange,
  recordOf,
  undoChange,
} from '../../../../src/main/share/connect/change-file'
import { CLIENTS, variablesFile, withHooks, type Client } from '../../../../src/main/share/connect/clients'
import { insertMember } from '../../../../src/main/share/connect/jsonc'

const SERVER = { command: '/opt/loam', args: ['mcp', 'memory', '--project', 'a "b" \\ c'] }
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'loam-connect-'))
  vi.stubEnv('CODEX_HOME', join(folder, 'codex-home'))
  vi.stubEnv('XDG_CONFIG_HOME', join(folder, 'config'))
  vi.stubEnv('APPDATA', join(folder, 'config'))
  vi.stubEnv('HOME', folder)
  for (const name of ['CLINE_DIR', 'CLINE_DATA_DIR']) vi.stubEnv(name, undefined)
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true })
})

const dataPath = (): string => join(folder, 'data')
const project = (): string => join(folder, 'project')
const fileOf = (client: Client) => client.file(project(), SERVER)
async function connect(client: Client): Promise<string> {
  await makeChange(await plannedChange(fileOf(client)), {
    client: client.id,
    dataPath: dataPath(),
    now: new Date(0),
  })
  return readFileSync(fileOf(client).path, 'utf8')
}
const put = (path: string, text: string): void => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
/** JSON with comments as a value, for comparing only. */
const valueOf = (text: string): unknown =>
  JSON.parse(
    text
      .replace('\uFEFF', '')
      .replace(/^\s*\/\/.*$/gm, '')
      .replace(/ \/\/ .*$/gm, '')
      .replace(/\/\*[\s\S]*?\*\//g, '')
      .replace(/,(\s*[}\]])/g, '$1'),
  )

const JSON_FILES: readonly (readonly [string, string])[] = [
  ['empty', '{}'],
  ['blank', ''],
  ['in one line', '{"theme": "dark", "mcpServers": {"x": {"command": "y"}}, "mcp": {"x": {}}}'],
  ['without a last line end', '{\n  "theme": "dark"\n}'],
  [
    'with comments and commas at the end',
    '// mine\n{\n\t"theme": "dark", // as I like it\n\t/* servers */\n\t"mcpServers": {\n\t\t"x": { "command": "y" }, // old\n\t},\n\t"mcp": {\n\t\t// none\n\t},\n}\n',
  ],
  ['with Windows line ends', '{\r\n    "theme": "dark",\r\n    "mcpServers": {\r\n    }\r\n}\r\n'],
  ['with a mark of its encoding', '\uFEFF{\n  "theme": "dark"\n}\n'],
  ['with braces in texts', '{"a": "}{ //x \\" ,", "b": [1, {"c": "]"}]}\n'],
]
const TOML_FILES: readonly (readonly [string, string])[] = [
  ['with comments', '# mine\nmodel = "gpt-5" # as I like it\n\n[mcp_servers.x]\ncommand = "y"\n'],
  ['without a last line end', 'model = "gpt-5"'],
  ['with Windows line ends', 'model = "gpt-5"\r\n[a]\r\nb = 1\r\n'],
  ['empty', ''],
]

describe.each(CLIENTS.map((client) => [client.id, client] as const))('connecting %s', (_, client) => {
  const { form } = client.file('/p', SERVER)

  it('makes its file and takes it away with the folders it made', async () => {
    const text = await connect(client)
    expect(text).toContain('/opt/loam')
    if (form.kind === 'own') expect(parseYaml(text)).toMatchObject({ mcpServers: [SERVER] })
    expect(await undoChange(fileOf(client).path, dataPath())).toBe('restored')
    expect(existsSync(fileOf(client).path)).toBe(false)
    expect(existsSync(project())).toBe(false)
    expect(await recordOf(dataPath(), fileOf(client).path)).toBeNull()
    await expect(undoChange(fileOf(client).path, dataPath())).rejects.toThrow(/wrote nothing/)
  })

  it.each(form.kind === 'json' ? JSON_FILES : form.kind === 'toml' ? TOML_FILES : [])(
    'keeps a file %s, and gives it back to the byte',
    async (__, before) => {
      const { path } = fileOf(client)
      put(path, before)
      chmodSync(path, 0o600)
      const text = await connect(client)
      expect(statSync(path).mode & 0o777).toBe(0o600)
      const comments = before.match(/\/\/ .*|\/\*.*\*\/|# .*/g) ?? []
      for (const comment of comments) expect(text).toContain(comment.trim())
      if (form.kind === 'toml')
        expect(parseToml(text)).toMatchObject({
          ...parseToml(before),
          mcp_servers: { 'loam-memory': SERVER },
        })
      if (form.kind === 'json') {
        const [at = ''] = form.path
        if (before.trim() !== '') expect(valueOf(text)).toMatchObject(valueOf(before) as object)
        expect(valueOf(text)).toMatchObject({ [at]: { 'loam-memory': form.value } })
      }
      await expect(plannedChange(fileOf(client))).rejects.toThrow(/already/)
      await undoChange(path, dataPath())
      expect(readFileSync(path, 'utf8')).toBe(before)
    },
  )
})

describe('variables of a folder', () => {
  const file = () =>
    variablesFile(project(), { OPENAI_BASE_URL: 'http://127.0.0.1:7334/v1', OPENAI_API_KEY: 'k' })
  const about = () => ({ client: 'env', dataPath: dataPath(), now: new Date(0) })

  it.each([
    ['with Windows line ends', '# mine\r\nOPENAI_API_KEY=own\r\n'],
    ['without a last line end', 'export X="1"'],
    ['empty', ''],
  ])('stand behind those that are there (%s), and go to the byte', async (_, before) => {
    put(file().path, before)
    await makeChange(await plannedChange(file()), about())
    const text = readFileSync(file().path, 'utf8')
    expect(text.startsWith(before)).toBe(true)
    expect(
      text
        .split(/\r?\n/)
        .filter((line) => line.startsWith('OPENAI'))
        .slice(-2),
    ).toEqual(['OPENAI_BASE_URL=http://127.0.0.1:7334/v1', 'OPENAI_API_KEY=k'])
    await expect(plannedChange(file())).rejects.toThrow(/already/)
    expect(await undoChange(file().path, dataPath())).toBe('restored')
    expect(readFileSync(file().path, 'utf8')).toBe(before)
  })

  it('are for their person alone where there was no file, which goes again', async () => {
    await makeChange(await plannedChange(file()), about())
    if (process.platform !== 'win32') expect(statSync(file().path).mode & 0o777).toBe(0o600)
    await undoChange(file().path, dataPath())
    expect(existsSync(file().path)).toBe(false)
  })
})

it('Cline is connected as a program for terminals where it is no extension', () => {
  const cline = CLIENTS.find(({ id }) => id === 'cline') as Client
  const extension = fileOf(cline).path
  mkdirSync(join(folder, '.cline', 'data'), { recursive: true })
  expect(fileOf(cline).path).toBe(join(folder, '.cline', 'data', 'settings', 'cline_mcp_settings.json'))
  mkdirSync(dirname(dirname(extension)), { recursive: true })
  expect(fileOf(cline).path).toBe(extension)
})

describe('hooks of a client', () => {
  const claude = CLIENTS[0] as Client
  const file = () => claude.hooks?.(project(), "/opt/loam hook --project 'it is'") ?? fileOf(claude)
  const hook = (matcher: string, timeout = 30) => ({
    matcher,
    hooks: [{ type: 'command', command: "/opt/loam hook --project 'it is'", timeout }],
  })
  const own = { matcher: 'x', hooks: [] }
  const FILES: readonly (readonly [string, string | null, readonly object[]])[] = [
    ['no file', null, []],
    ['none', '{\n  "env": {}\n}\n', []],
    ['some', '{\n\t// mine\n\t"hooks": { "SessionStart": [{ "matcher": "x", "hooks": [] },] }\n}', [own]],
    ['lists by line', '{"hooks": {"SessionStart": [\r\n  {"matcher": "x", "hooks": []}\r\n]}}', [own]],
    ['an empty list', '{"hooks": {"SessionStart": [], "PostToolUseFailure": []}}', []],
  ]
  it.each(FILES)('stand behind those that are there (%s), and go to the byte', async (_, before, there) => {
    const { path } = file()
    if (before !== null) put(path, before)
    const about = { client: claude.id, dataPath: dataPath(), now: new Date(0) }
    await makeChange(await plannedChange(file()), about)
    const text = readFileSync(path, 'utf8')
    expect(valueOf(text)).toMatchObject({
      hooks: {
        SessionStart: [...there, hook('startup|clear|compact')],
        PreToolUse: [hook('*', 5)],
        PostToolUseFailure: [hook('*')],
      },
    })
    await expect(plannedChange(file())).rejects.toThrow(/already/)
    if (before !== null) {
      // What the person wrote since stays; what Loam wrote goes.
      writeFileSync(path, `${text}\n`)
      expect(await undoChange(path, dataPath())).toBe('cut-out')
      expect(readFileSync(path, 'utf8')).toBe(`${before}\n`)
      put(path, before)
      await makeChange(await plannedChange(file()), about)
    }
    expect(await undoChange(path, dataPath())).toBe('restored')
    expect(existsSync(path) ? readFileSync(path, 'utf8') : null).toBe(before)
  })
  it('are refused where something else stands in their place', async () => {
    put(file().path, '{"hooks": {"SessionStart": "x"}}')
    await expect(plannedChange(file())).rejects.toMatchObject({ code: 'BAD_INPUT' })
  })
})

describe('hooks of Codex and Gemini CLI', () => {
  const COMMAND = '/opt/loam hook'
  const clientOf = (id: string): Client =>
    CLIENTS.find((client) => client.id === id) ?? (CLIENTS[0] as Client)
  const about = (client: Client) => ({ client: client.id, dataPath: dataPath(), now: new Date(0) })

  it('Codex: in its own file of hooks, which goes again', async () => {
    const codex = clientOf('codex')
    const file = codex.hooks?.(project(), COMMAND) ?? fileOf(codex)
    await makeChange(await plannedChange(file), about(codex))
    expect(JSON.parse(readFileSync(file.path, 'utf8'))).toEqual({
      hooks: {
        SessionStart: [
          { matcher: 'startup|clear', hooks: [{ type: 'command', command: COMMAND, timeout: 30 }] },
        ],
        PreToolUse: [{ matcher: '*', hooks: [{ type: 'command', command: COMMAND, timeout: 5 }] }],
        PostToolUse: [{ matcher: '*', hooks: [{ type: 'command', command: COMMAND, timeout: 30 }] }],
      },
    })
    expect(file.path).toBe(join(folder, 'codex-home', 'hooks.json'))
    expect(await undoChange(file.path, dataPath())).toBe('restored')
    expect(existsSync(file.path)).toBe(false)
  })

  it.each([
    ['no file', null],
    ['none', '{\n  // mine\n  "theme": "dark"\n}\n'],
    ['some', '{"hooks": {"SessionStart": [{"hooks": []}]}, "mcpServers": {"x": {}}}'],
  ])('Gemini CLI: beside the server in its settings (%s), and go with it to the byte', async (_, before) => {
    const gemini = clientOf('gemini-cli')
    const file = withHooks(gemini, fileOf(gemini), COMMAND)
    if (before !== null) put(file.path, before)
    await makeChange(await plannedChange(file), about(gemini))
    const text = readFileSync(file.path, 'utf8')
    const there = before?.includes('SessionStart') === true ? [{ hooks: [] }] : []
    expect(valueOf(text)).toMatchObject({
      mcpServers: { 'loam-memory': SERVER },
      hooks: {
        SessionStart: [...there, { hooks: [{ type: 'command', command: COMMAND, timeout: 30_000 }] }],
        BeforeTool: [{ hooks: [{ type: 'command', command: COMMAND, timeout: 5000 }] }],
        AfterTool: [{ hooks: [{ type: 'command', command: COMMAND, timeout: 30_000 }] }],
      },
    })
    await expect(plannedChange(file)).rejects.toThrow(/already/)
    if (before !== null) {
      writeFileSync(file.path, `${text}\n`)
      expect(await undoChange(file.path, dataPath())).toBe('cut-out')
      expect(readFileSync(file.path, 'utf8')).toBe(`${before}\n`)
      put(file.path, before)
      await makeChange(await plannedChange(file), about(gemini))
    }
    expect(await undoChange(file.path, dataPath())).toBe('restored')
    expect(existsSync(file.path) ? readFileSync(file.path, 'utf8') : null).toBe(before)
  })
})

describe('a file that was changed since', () => {
  const claude = CLIENTS[0] as Client

  it('keeps what was changed and loses what Loam wrote', async () => {
    const { path } = fileOf(claude)
    put(path, '{\n  "mcpServers": {\n    "x": {}\n  }\n}\n')
    const text = await connect(claude)
    writeFileSync(path, text.replace('"x": {}', '"x": { "command": "new" }'))
    expect(await undoChange(path, dataPath())).toBe('cut-out')
    expect(readFileSync(path, 'utf8')).toBe('{\n  "mcpServers": {\n    "x": { "command": "new" }\n  }\n}\n')
  })

  it('is left alone where Loam had written', async () => {
    const { path } = fileOf(claude)
    put(path, '{}\n')
    const text = await connect(claude)
    writeFileSync(path, text.replace('/opt/loam', '/usr/bin/loam'))
    await expect(undoChange(path, dataPath())).rejects.toThrow(/changed since/)
  })

  it('is written behind a link', async () => {
    const { path } = fileOf(claude)
    put(join(folder, 'dotfiles', 'mcp.json'), '{}\n')
    mkdirSync(dirname(path), { recursive: true })
    symlinkSync(join(folder, 'dotfiles', 'mcp.json'), path)
    await connect(claude)
    expect(readFileSync(join(folder, 'dotfiles', 'mcp.json'), 'utf8')).toContain('loam-memory')
    await undoChange(path, dataPath())
    expect(readFileSync(join(folder, 'dotfiles', 'mcp.json'), 'utf8')).toBe('{}\n')
  })

  it('is refused where it is a link to what is not there, which stays', async () => {
    const { path } = fileOf(claude)
    mkdirSync(dirname(path), { recursive: true })
    symlinkSync(join(folder, 'dotfiles', 'mcp.json'), path)
    await expect(plannedChange(fileOf(claude))).rejects.toThrow(/a link to what is not there/)
    expect(lstatSync(path).isSymbolicLink()).toBe(true)
  })

  it('is given back with its mode where nobody may write it', async () => {
    const { path } = fileOf(claude)
    put(path, '{}\n')
    chmodSync(path, 0o444)
    await connect(claude)
    await undoChange(path, dataPath())
    expect(readFileSync(path, 'utf8')).toBe('{}\n')
    expect(statSync(path).mode & 0o777).toBe(0o444)
  })

  it('counts as no change where it could not be written', async () => {
    put(join(folder, 'file'), '')
    const path = join(folder, 'file', 'mcp.json')
    const change = { path, before: null, text: '{}', piece: '{}', more: [], diff: '' }
    const about = { client: claude.id, dataPath: dataPath(), now: new Date(0) }
    await expect(makeChange(change, about)).rejects.toThrow()
    expect(await recordOf(dataPath(), path)).toBeNull()
  })

  it.each(['{', '[1]', 'x = 1', '{"mcpServers": 3}', '{"a" 1}', '"a'])(
    'is refused where it is no configuration: %s',
    async (text) => {
      put(fileOf(claude).path, text)
      await expect(plannedChange(fileOf(claude))).rejects.toMatchObject({ code: 'BAD_INPUT' })
      expect(readFileSync(fileOf(claude).path, 'utf8')).toBe(text)
    },
  )
})

it('puts a member where others stand, in their form', () => {
  expect(insertMember('{"a": 1}', ['b'], 2).text).toBe('{"a": 1, "b": 2}')
  expect(insertMember('{\n    "a": 1\n}', ['b'], { c: 1 }).text).toBe(
    '{\n    "a": 1,\n    "b": {\n        "c": 1\n    }\n}',
  )
})
