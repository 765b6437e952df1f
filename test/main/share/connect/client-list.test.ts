import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { makeChange, plannedChange } from '../../../../src/main/share/connect/change-file'
import { createConnectedClients } from '../../../../src/main/share/connect/client-list'
import { CLIENTS } from '../../../../src/main/share/connect/clients'

let home: string
const trial = vi.fn(() => Promise.resolve(8))
const open = () =>
  createConnectedClients({
    ...{ dataPath: join(home, 'data'), now: () => new Date(0), program: () => '/opt/loam/cli.js' },
    trial,
  })
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'loam-clients-'))
  for (const name of ['HOME', 'USERPROFILE']) vi.stubEnv(name, home)
  vi.stubEnv('XDG_CONFIG_HOME', join(home, 'config'))
  vi.stubEnv('APPDATA', join(home, 'config'))
  for (const name of ['CODEX_HOME', 'CLAUDE_CONFIG_DIR']) vi.stubEnv(name, undefined)
  trial.mockClear()
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(home, { recursive: true, force: true })
})

const stateOf = async (id: string) => (await open().list()).clients.find((one) => one.id === id)?.state

it('lists every client of the command, and which of them is there', async () => {
  mkdirSync(join(home, '.cursor'))
  const { clients, byProxy } = await open().list()
  expect(clients.map(({ id }) => id)).toEqual(CLIENTS.map(({ id }) => id))
  expect(clients.filter(({ state }) => state === 'found').map(({ id }) => id)).toEqual(['cursor'])
  for (const { files } of clients) for (const file of files) expect(file.startsWith(home)).toBe(true)
  expect(byProxy.map(({ id }) => id)).toContain('aider')
})

it('shows the change, writes what was shown, and takes it back to the byte', async () => {
  mkdirSync(join(home, '.claude'))
  const config = join(home, '.claude.json')
  const before = '{\n  "theme": "dark",\n  "projects": {}\n}\n'
  writeFileSync(config, before)
  const { diffs, digest } = await open().preview('claude-code')
  expect([diffs.length, diffs[0]]).toEqual([2, expect.stringContaining('+    "loam-memory": {')])
  expect(readFileSync(config, 'utf8')).toBe(before)
  await open().connect('claude-code', digest)
  expect(JSON.parse(readFileSync(config, 'utf8'))).toMatchObject({
    theme: 'dark',
    mcpServers: {
      'loam-memory': { args: expect.arrayContaining(['--data', join(home, 'data')]) as unknown },
    },
  })
  const settings = join(home, '.claude', 'settings.json')
  expect(readFileSync(settings, 'utf8')).toContain('SessionStart')
  expect(await stateOf('claude-code')).toBe('connected')
  await expect(open().preview('claude-code')).rejects.toMatchObject({ code: 'CONFLICT' })
  await open().disconnect('claude-code')
  expect([readFileSync(config, 'utf8'), existsSync(settings)]).toEqual([before, false])
  expect(await stateOf('claude-code')).toBe('found')
})

it('writes nothing that was not shown, nothing where the memory does not answer, and nowhere that a page names', async () => {
  const config = join(home, '.cursor', 'mcp.json')
  mkdirSync(join(home, '.cursor'))
  const { digest } = await open().preview('cursor')
  trial.mockRejectedValueOnce(new Error('no answer'))
  await expect(open().connect('cursor', digest)).rejects.toThrow('no answer')
  // The client writes while the memory is tried.
  trial.mockImplementationOnce(() => {
    writeFileSync(config, '{"mine": 1}')
    return Promise.resolve(8)
  })
  await expect(open().connect('cursor', digest)).rejects.toMatchObject({ code: 'CONFLICT' })
  expect(readFileSync(config, 'utf8')).toBe('{"mine": 1}')
  for (const id of [config, '../cursor', '', 'aider'])
    for (const act of [open().preview(id), open().connect(id, digest), open().disconnect(id)])
      await expect(act).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(open().disconnect('cursor')).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

it('Cursor gets a hook beside its servers, and both files are what they were', async () => {
  const files = ['mcp.json', 'hooks.json'].map((name) => join(home, '.cursor', name))
  const hooks = '{\n  // mine\n  "version": 1,\n  "hooks": { "stop": [{ "command": "./beep.sh" }] }\n}\n'
  for (const before of [null, hooks]) {
    if (before !== null) {
      mkdirSync(join(home, '.cursor'))
      writeFileSync(files[1] ?? '', before)
    }
    const { digest, diffs } = await open().preview('cursor')
    expect(diffs).toHaveLength(2)
    await open().connect('cursor', digest)
    const text = readFileSync(files[1] ?? '', 'utf8')
    expect(text).toMatch(/"version": 1[^]*"sessionStart": \[\s*\{[^]*"command": "[^"]*hook/)
    if (before !== null) expect(text).toContain('"stop": [{ "command": "./beep.sh" }]')
    await open().disconnect('cursor')
    expect(existsSync(join(home, '.cursor'))).toBe(before !== null)
    expect(existsSync(files[0] ?? '')).toBe(false)
    if (before !== null) expect(readFileSync(files[1] ?? '', 'utf8')).toBe(before)
  }
})

it('also lists what the command connected in one folder, and takes that back', async () => {
  const gemini = CLIENTS.find(({ id }) => id === 'gemini-cli')
  const file = gemini?.file(join(home, 'project'), { command: 'loam', args: [] })
  if (!file) throw new Error('no such client')
  const about = { client: 'gemini-cli', dataPath: join(home, 'data'), now: new Date(0) }
  await makeChange(await plannedChange(file), about)
  const { clients } = await open().list()
  const [one] = clients.filter(({ oneFolder }) => oneFolder)
  expect(one).toMatchObject({ title: 'Gemini CLI', state: 'connected', files: [file.path] })
  expect(await stateOf('gemini-cli')).toBe('not-found')
  await open().disconnect(one?.id ?? '')
  expect(existsSync(file.path)).toBe(false)
})
