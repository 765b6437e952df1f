import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import ts from 'typescript'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type * as LoamClient from '../../packages/loam-client/src/client'
import { clientPackage, typeOf } from '../../scripts/client-package'
import { createRest } from '../../src/main/api/contract-rest'
import { startMcpHttp } from '../../src/main/api/mcp-http'
import { createKey, createKeyRing } from '../../src/main/api/program-keys'
import { startRestServer, type RestServer } from '../../src/main/api/rest-server'
import type { App } from '../../src/main/app'
import { serveApp } from '../../src/main/serve-app'
import { createAgentMemory } from '../../src/main/share/agent-memory'
import { createMemoryServer } from '../../src/main/share/mcp-server'

type Calls = Readonly<Record<string, (input?: object) => Promise<unknown>>>
interface Package extends Pick<typeof LoamClient, 'LoamFailure'> {
  readLoam(options: LoamClient.ClientOptions): Readonly<Record<string, Calls>>
  openMemory(
    options: LoamClient.ClientOptions,
  ): Readonly<Record<string, (input?: object) => Promise<LoamClient.ToolAnswer>>>
}

let folder: string
let app: App
let client: Package
let readKey: string
const servers: RestServer[] = []
const addressOf = (index: number): string => `http://127.0.0.1:${String(servers[index]?.port)}`
const ring = createKeyRing(
  'agent',
  () => Promise.resolve([]),
  () => false,
)

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'loam-client-'))
  const source = await readFile('packages/loam-client/src/client.ts', 'utf8')
  mkdirSync(join(folder, 'dist'))
  writeFileSync(join(folder, 'dist', 'package.json'), '{"type": "module"}')
  for (const [name, text] of Object.entries(await clientPackage(source)))
    writeFileSync(join(folder, 'dist', name), text)
  client = (await import(pathToFileURL(join(folder, 'dist', 'index.js')).href)) as Package
  const host = await serveApp({ dataPath: join(folder, 'data'), host: 'memory' })
  app = host.app
  readKey = await createKey(app.data.path, { name: 'r', scopes: ['read'], memory: null }, new Date())
  const memory = createAgentMemory(await app.memories.open('mine'), app, { write: true })
  servers.push(
    await startRestServer(createRest(app, host.router), 0),
    await startMcpHttp(() => createMemoryServer(memory, '1'), ring, 0),
  )
})
afterAll(async () => {
  for (const server of servers) await server.close()
  await app.dispose()
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

it('writes a memory and reads it back over REST, by GET and by POST', async () => {
  const memory = client.openMemory({ url: addressOf(1), key: ring.key })
  const told = await memory['remember']?.({ fact: 'The lift is closed.', until: '2100-01-31' })
  expect(told?.text).toContain('It is kept.')
  const id = String(told?.data['factId'])
  expect((await memory['list']?.())?.data).toMatchObject({ total: 1, facts: [{ id, until: '2100-01-31' }] })
  const loam = client.readLoam({ url: `${addressOf(0)}/`, key: readKey })
  expect(await loam['items']?.['list']?.({ memoryId: 'mine', kinds: ['fact'], text: 'lift' })).toMatchObject({
    rows: [{ id, title: 'The lift is closed.' }],
  })
  expect(await loam['items']?.['show']?.({ memoryId: 'mine', kind: 'fact', id })).toMatchObject({
    values: { until: '2100-01-31' },
  })
  // Lists in an address.
  expect(await loam['curves']?.['series']?.({ experimentIds: ['nobody'], runIds: ['nobody'] })).toEqual([])
})

it('begins a new session where the server let the old one go', async () => {
  const memory = client.openMemory({ url: addressOf(1), key: ring.key })
  await memory['list']?.()
  // As many as the server holds at a time.
  for (let i = 0; i < 32; i++) await client.openMemory({ url: addressOf(1), key: ring.key })['list']?.()
  expect((await memory['list']?.())?.data).toMatchObject({ total: 1 })
})

it('rejects in the words of Loam', async () => {
  const refusal = async (call: Promise<unknown> | undefined) => {
    const error: unknown = await call?.then(
      () => null,
      (one: unknown) => one,
    )
    expect(error).toBeInstanceOf(client.LoamFailure)
    const { code, status, message } = error as LoamClient.LoamFailure
    return { code, status, message }
  }
  const stranger = client.readLoam({ url: addressOf(0), key: 'guessed' })
  expect(await refusal(stranger['memories']?.['list']?.())).toMatchObject({
    code: 'UNAUTHORIZED',
    status: 401,
  })
  const loam = client.readLoam({ url: addressOf(0), key: readKey })
  const gone = loam['items']?.['show']?.({ memoryId: 'mine', kind: 'fact', id: 'nobody' })
  expect(await refusal(gone)).toMatchObject({
    code: 'NOT_FOUND',
    message: expect.stringContaining('nobody') as string,
  })
  const memory = client.openMemory({ url: addressOf(1), key: ring.key })
  expect(await refusal(memory['remember']?.({ fact: 'It snows.', until: '2001-01-01' }))).toMatchObject({
    code: 'REFUSED',
    message: expect.stringContaining('over already') as string,
  })
})

it('has types that take right calls and no wrong ones', () => {
  const sample = join(folder, 'sample.ts')
  const lines = [
    "import { openMemory, readLoam } from './dist/index.js'",
    "const loam = readLoam({ url: 'http://127.0.0.1:1', key: 'k' })",
    "const memory = openMemory({ url: 'http://127.0.0.1:1', key: 'k' })",
    "const { rows } = await loam.items.list({ memoryId: 'mine' })",
    'export const titles: string[] = rows.map((row) => row.title)',
    "await memory.remember({ fact: 'It rains.', about: 'me' }, { signal: AbortSignal.timeout(1) })",
    "await loam.items.list({ text: 'no memory named' })",
    'await memory.remember({ statement: 1 })',
    'await loam.items.forget({})',
  ]
  writeFileSync(sample, lines.join('\n'))
  const program = ts.createProgram([sample], {
    ...{ strict: true, noEmit: true, skipLibCheck: false, types: [] },
    ...{ module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler },
    ...{ target: ts.ScriptTarget.ES2022, lib: ['lib.es2023.d.ts', 'lib.dom.d.ts'] },
  })
  const problems = ts
    .getPreEmitDiagnostics(program)
    .map(({ file, start }) => [
      file?.fileName.split('/').at(-1),
      file ? file.getLineAndCharacterOfPosition(start ?? 0).line + 1 : 0,
    ])
  expect(problems).toEqual([
    ['sample.ts', 7],
    ['sample.ts', 8],
    ['sample.ts', 9],
  ])
})

it('writes what a schema allows as a type', () => {
  const schema = {
    type: 'object',
    properties: {
      'a-b': { enum: ['x', null] },
      n: { type: 'array', items: { anyOf: [{ type: 'integer' }, {}] } },
    },
    required: ['n'],
  }
  expect(typeOf(schema)).toBe('{ "a-b"?: "x" | null; n: Array<number | unknown> }')
})
