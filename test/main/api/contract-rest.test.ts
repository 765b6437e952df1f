import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createKey } from '../../../src/main/api/program-keys'
import type { ProcedureMeta } from '../../../src/shared/contract/procedure'
import { openApiDocument, REST_PROCEDURES, restPath } from '../../../src/main/api/openapi'
import { createRest } from '../../../src/main/api/contract-rest'
import { startUiServer, type UiServer } from '../../../src/main/api/ui-server'
import type { App } from '../../../src/main/app'
import { serveApp } from '../../../src/main/serve-app'
import { contract } from '../../../src/shared/contract'
import { loamErrorShape } from '../../../src/shared/errors'

type Json = Record<string, unknown>

/** All names of fields in what a procedure takes. */
function inputNames(area: string, name: string): Set<string> {
  const areas = contract as unknown as Record<
    string,
    Record<string, { '~orpc': { inputSchema?: z.ZodType } }>
  >
  const schema = areas[area]?.[name]?.['~orpc'].inputSchema
  const keys = new Set<string>()
  const look = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [key, inner] of Object.entries(value)) {
      if (key === 'properties') for (const field of Object.keys(inner as object)) keys.add(field)
      look(inner)
    }
  }
  if (schema) look(z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' }))
  return keys
}

describe('the contract over REST', () => {
  let folder: string
  let app: App
  let server: UiServer
  const tokens: Record<string, string> = {}

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'loam-contract-rest-'))
    const host = await serveApp({ dataPath: join(folder, 'data'), host: 'memory' })
    app = host.app
    writeFileSync(join(folder, 'index.html'), '')
    for (const scope of ['read', 'write', 'admin'] as const)
      tokens[scope] = await createKey(app.data.path, { name: scope, scopes: [scope] }, new Date())
    const rest = createRest(app, host.router)
    server = await startUiServer({ root: folder, port: 0, serveSocket: host.transports.serveSocket, rest })
  })
  afterAll(async () => {
    await server.close()
    await app.dispose()
    rmSync(folder, { recursive: true, force: true })
  })

  const ask = async (path: string, as: string | null, body?: unknown): Promise<[number, Json]> => {
    const response = await fetch(`${server.url}api${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        ...(as === null ? {} : { authorization: `Bearer ${tokens[as] ?? as}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return [response.status, text === '' ? {} : (JSON.parse(text) as Json)]
  }

  it('has a document of every procedure, with its words, shapes and scope', async () => {
    const [status, document] = await ask('/openapi.json', 'read')
    expect(status).toBe(200)
    expect(document['openapi']).toMatch(/^3\.1/)
    const paths = document['paths'] as Record<string, Record<string, Json>>
    const named = Object.entries(contract).flatMap(([area, all]) =>
      Object.entries(all as Record<string, { '~orpc': { meta: ProcedureMeta } }>)
        .filter(
          ([
            ,
            {
              '~orpc': { meta },
            },
          ]) => !meta.ownOnly,
        )
        .map(([name]) => `/${area}/${name}`),
    )
    expect(Object.keys(paths).sort()).toEqual(named.sort())
    expect(named.length).toBeGreaterThan(100)
    for (const procedure of REST_PROCEDURES) {
      const operation = paths[restPath(procedure)]?.[procedure.method.toLowerCase()]
      expect(operation, restPath(procedure)).toMatchObject({
        summary: procedure.summary,
        tags: [procedure.path[0]],
      })
      expect(procedure.summary).toMatch(/\.$/)
      expect(operation?.['responses']).toHaveProperty('200')
      expect(operation?.['security']).toEqual([{ token: [procedure.scope] }])
    }
    // Every reference leads somewhere.
    const references = JSON.stringify(document).match(/"#\/[^"]+"/g) ?? []
    for (const reference of new Set(references)) {
      const found = JSON.parse(reference)
        .slice(2)
        .split('/')
        .reduce((at: unknown, key: string) => (at as Json | undefined)?.[key.replaceAll('~1', '/')], document)
      expect(found, reference).toBeDefined()
    }
  })

  it('does not look into the folders of the machine, whatever a token allows', async () => {
    for (const path of ['/models/browse', '/models/choose'])
      expect([path, (await ask(path, 'admin', { path: null, what: 'files' }))[0]]).toEqual([path, 404])
  })

  it('describes the same without a host', async () => {
    expect(Object.keys((await openApiDocument('1', 'http://x'))['paths'] as Json).length).toBe(
      REST_PROCEDURES.length,
    )
  })

  it('answers every question that needs no input', async () => {
    const plain = Object.entries(contract).flatMap(([area, all]) =>
      Object.entries(
        all as Record<string, { '~orpc': { inputSchema?: unknown; route: { method?: string } } }>,
      )
        .filter(
          ([
            ,
            {
              '~orpc': { inputSchema, route },
            },
          ]) => !inputSchema && route.method === 'GET',
        )
        .map(([name]) => `/${area}/${name}`),
    )
    expect(plain.length).toBeGreaterThan(10)
    for (const path of plain) expect([path, (await ask(path, 'read'))[0]]).toEqual([path, 200])
  })

  it('reads inputs from the address and from the body, and changes things', async () => {
    const [, made] = await ask('/memories/create', 'write', { name: 'By REST' })
    expect(made).toMatchObject({ name: 'By REST', cases: 0 })
    const memoryId = String(made['id'])
    const [status, page] = await ask('/items/list', 'read', { memoryId, text: '', limit: 5 })
    expect([status, page]).toMatchObject([200, { total: 0, rows: [] }])
    const text = JSON.stringify({ question: 'how many bookings', plan: 'count', reward: 1 })
    const source = { from: 'text', text }
    expect((await ask('/items/previewImport', 'admin', { memoryId, source }))[1]).toMatchObject({
      imported: 1,
    })
    expect((await ask('/app/saveSettings', 'admin', { threads: 2 }))[1]).toMatchObject({ threads: 2 })
  })

  it('holds every token to its scope, and lets nobody in without one', async () => {
    for (const path of ['/openapi.json', '/memories/list', '/app/settings']) {
      expect((await ask(path, null))[0]).toBe(401)
      expect((await ask(path, 'wrong'))[0]).toBe(401)
    }
    for (const [path, as] of [
      ['/memories/create', 'read'],
      ['/app/saveSettings', 'write'],
      ['/tools/try', 'write'],
      ['/streams/inspect', 'write'],
      ['/items/import', 'write'],
      ['/items/export', 'write'],
    ] as const) {
      const [status, body] = await ask(path, as, {})
      expect([path, status]).toEqual([path, 403])
      expect(loamErrorShape.parse(body).code).toBe('UNAUTHORIZED')
    }
    for (const { method, path } of REST_PROCEDURES.filter(({ endless }) => !endless)) {
      const [status] = await ask(`/${path.join('/')}`, null, method === 'POST' ? {} : undefined)
      expect([path, status]).toEqual([path, 401])
    }
  })

  // What a program's key may never hand in, whatever else it may: places on this machine, addresses, what tools may do, a person's word.
  it('lets a key that may write name no place, address or permission, and decide nothing', () => {
    const hot = /^(path|folder|url|address|settings|tools|permissions?|keep|accepted|verdict|scopes|terms)$/
    // Both are names within Loam: where an ask is filed, and a place inside an answer that is JSON.
    const names = ['asks.putIn folder', 'asks.check path']
    // Tools of an ask ask the person before they change anything.
    const held = ['asks.start tools', 'asks.keepDraft tools']
    const open = REST_PROCEDURES.filter(({ scope, method }) => scope === 'write' && method === 'POST')
    const handedIn = open.flatMap(({ path: [area, name] }) =>
      [...inputNames(area, name)].filter((key) => hot.test(key)).map((key) => `${area}.${name} ${key}`),
    )
    expect(open.length).toBeGreaterThan(30)
    expect(handedIn.sort()).toEqual([...names, ...held].sort())
    const reachable = REST_PROCEDURES.map(({ path }) => path.join('.'))
    const words = [
      'sharing.decide',
      'sharing.undo',
      'sharing.createKey',
      'memories.take',
      'memories.decideMine',
      'guides.decide',
      'softPrompts.accept',
      'modules.allow',
    ]
    const all = Object.entries(contract).flatMap(([area, names]) =>
      Object.keys(names).map((name) => `${area}.${name}`),
    )
    expect(all).toEqual(expect.arrayContaining(words))
    expect(reachable.filter((path) => words.includes(path))).toEqual([])
  })

  it('sends nothing to an address that a key without more names as a model', async () => {
    const model = 'openai:any@http://127.0.0.1:9/v1'
    const [status, body] = await ask('/asks/start', 'write', { text: 'hello', model })
    expect([status, loamErrorShape.parse(body).code]).toEqual([403, 'UNAUTHORIZED'])
    expect((await ask('/runs/start', 'write', { stream: 'house-rules-a', method: 'none' }))[0]).toBe(403)
  })

  it('fails in the one error shape', async () => {
    const shapeOf = async (path: string, as: string, body?: unknown) => {
      const [status, given] = await ask(path, as, body)
      return [status, loamErrorShape.parse(given).code]
    }
    expect(await shapeOf('/runs/get?runId=none', 'read')).toEqual([404, 'NOT_FOUND'])
    expect(await shapeOf('/memories/create', 'write', { name: '' })).toEqual([400, 'BAD_INPUT'])
    expect(await shapeOf('/nothing/here', 'read')).toEqual([404, 'NOT_FOUND'])
    // What changes something is never a GET.
    expect(await shapeOf('/memories/create?name=x', 'write')).toEqual([404, 'NOT_FOUND'])
    // Last, since the server ends the connection of a body that it does not read.
    expect(await shapeOf('/memories/create', 'write', { name: 'x'.repeat(1_049_000) })).toEqual([
      413,
      'BAD_INPUT',
    ])
  })

  it('follows a feed as server-sent events', async () => {
    const over = new AbortController()
    const response = await fetch(`${server.url}api/engine/watch`, {
      headers: { authorization: `Bearer ${tokens['read'] ?? ''}` },
      signal: over.signal,
    })
    expect(response.headers.get('content-type')).toContain('text/event-stream')
    const reader = response.body?.getReader()
    let said = ''
    while (!said.includes('snapshot')) said += new TextDecoder().decode((await reader?.read())?.value)
    expect(said).toContain('"kind":"snapshot"')
    over.abort()
  })
})
