import { statesOf } from '../../../src/shared/feed'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openLogger } from '../../../src/main/ground/logger'
import { openPermissionRequests } from '../../../src/main/tools/permission-requests'
import { openCredentials } from '../../../src/main/ground/credentials'
import { openToolServers, type ToolServers } from '../../../src/main/tools/tool-servers'
import { settingsSchema, type Settings } from '../../../src/shared/domain/memory-info'
import type { OwnServer } from '../../../src/shared/domain/tool'

const ODD = resolve(import.meta.dirname, '../../fixtures/mcp/odd-server.mjs')
const KEY = 'sk-very-secret-value'

const own = (args = [ODD]): OwnServer => ({
  id: 'odd',
  enabled: true,
  at: { kind: 'process', command: process.execPath, args, secrets: ['ODD_KEY'] },
})

describe('tool servers', () => {
  let folder: string
  let settings: Settings
  let servers: ToolServers

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'loam-tools-'))
    settings = settingsSchema.parse({})
    servers = openToolServers({
      credentials: openCredentials(join(folder, 'credentials.json')),
      dataPath: folder,
      version: '1',
      settings: () => settings,
      saveSettings: (change) =>
        Promise.resolve((settings = settingsSchema.parse({ ...settings, ...change }))),
      logger: openLogger(join(folder, 'logs')),
    })
  })
  afterEach(async () => {
    await servers.close()
    await rm(folder, { recursive: true, force: true })
  })

  it('keeps values of secrets out of everything but a file for the owner', async () => {
    const listed = await servers.save(own(), { ODD_KEY: KEY }, true)
    expect(listed.at(-1)).toMatchObject({ id: 'odd', enabled: true, secretsSet: ['ODD_KEY'] })
    expect(JSON.stringify([listed, settings])).not.toContain(KEY)
    const file = join(folder, 'credentials.json')
    expect(await readFile(file, 'utf8')).toContain(KEY)
    if (process.platform !== 'win32') expect((await stat(file)).mode & 0o777).toBe(0o600)

    const tested = await servers.test('odd')
    expect(tested.status).toMatchObject({ kind: 'ready' })
    expect(JSON.stringify(tested)).toContain('The key is [secret].')
    expect((await servers.tryTool('odd', 'secret', {})).text).toBe('key=[secret] header=')

    // A change that names the secret without a value leaves it; a removal takes it away.
    await servers.save(own([ODD, '--verbose']), {}, false)
    expect((await servers.tryTool('odd', 'secret', {})).text).toBe('key=[secret] header=')
    await servers.remove('odd')
    expect(await readFile(file, 'utf8')).not.toContain(KEY)
  })

  it('refuses what cannot be a server and says why one does not start', async () => {
    await expect(servers.save({ ...own(), id: 'code' }, {}, true)).rejects.toMatchObject({
      code: 'BAD_INPUT',
    })
    await servers.save(own(['--eval', 'console.error("no such plan"); process.exit(2)']), {}, true)
    await expect(servers.save(own(), {}, true)).rejects.toMatchObject({ code: 'CONFLICT' })
    expect((await servers.test('odd')).status).toEqual({
      kind: 'failed',
      reason: 'its process ended with code 2; it said: no such plan',
    })
    await expect(servers.test('nobody')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('opens boxes with the servers that are on', async () => {
    await servers.enable('code', false)
    await servers.enable('search', false)
    await servers.enable('crawl', false)
    await servers.enable('captions', false)
    const box = await servers.openBox({ from: 'a run', folder: join(folder, 'task'), allowed: ['math'] })
    expect([...new Set(box.list().map(({ server }) => server))]).toEqual(['math', 'documents'])
    expect((await box.call('calculate', { expression: '6 * 7' })).text).toBe('42')
    const refused = box.call('list_documents', { containing: 'a\nb: c' })
    for await (const [request] of statesOf(servers.permissions.watch({}))) {
      if (!request) continue
      expect(request).toMatchObject({ from: 'a run', server: 'documents', tool: 'list_documents' })
      expect(request.args).toBe('containing:\n  a\n  b: c')
      servers.permissions.answer(request.id, 'no')
      break
    }
    expect(await refused).toMatchObject({ failed: true })
    await box.close()
  })
})

describe('permission requests', () => {
  const request = { tool: { name: 't', server: 's', description: '', inputSchema: {} }, args: {}, read: [] }

  it('drops a question whose run ends, and refuses what still waits when it closes', async () => {
    const requests = openPermissionRequests()
    const controller = new AbortController()
    const dropped = requests.askerFor('a')(request, controller.signal)
    controller.abort()
    await expect(dropped).rejects.toMatchObject({ name: 'AbortError' })
    const waiting = requests.askerFor('b')(request)
    requests.close()
    expect(await waiting).toBe('no')
    expect(() => requests.answer('gone', 'once')).toThrow('Nothing waits')
  })
})
