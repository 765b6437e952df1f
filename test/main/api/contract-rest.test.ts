import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createKey } from '../../../src/main/api/program-keys'
import type { ProcedureMeta } from '../../../src/shared/contract/procedure'
import { openApiDocument, REST_PROCEDURES, restPath } from '../../../src/main/api/openapi'
import { createRest } from '../../../src/main/api/contract-rest'
import { startUiServer, type UiServer } from '../../../src/main/api/ui-server'
import type { App } from '../../../src/main/app'
import { serveApp } from '../../../src/main/serve-app'
import { contract } from '../../../src/shared/contract'
import { loamErrorShape } from '../../../src/shared/domain/error-shape'

type Json = Record<string, unknown>

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
    tokens['read'] = await createKey(
      app.data.path,
      { name: 'read', scopes: ['read'], memory: null },
      new Date(),
    )
    tokens['write'] = await createKey(app.data.path, { name: 'write', scopes: ['read', 'write'] }, new Date())
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
          ]) => meta.by === 'read',
        )
        .map(([name]) => `/${area}/${name}`),
    )
    expect(Object.keys(paths).sort()).toEqual(named.sort())
    expect(named.length).toBeGreaterThan(50)
    for (const procedure of REST_PROCEDURES) {
      const operation = paths[restPath(procedure)]?.[procedure.method.toLowerCase()]
      expect(operation, restPath(procedure)).toMatchObject({
        summary: procedure.summary,
        tags: [procedure.path[0]],
      })
      expect(procedure.summary).toMatch(/\.$/)
      expect(operation?.['responses']).toHaveProperty('200')
      expect(operation?.['security']).toEqual([{ token: ['read'] }])
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
      expect([path, (await ask(path, 'write', { path: null, what: 'files' }))[0]]).toEqual([path, 404])
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

  it('reads inputs from the address and from the body, and changes nothing', async () => {
    const memoryId = app.memories.resolve('mine')
    const [status, page] = await ask('/items/list', 'write', { memoryId, text: '', limit: 5 })
    expect([status, page]).toMatchObject([200, { total: 0, rows: [] }])
    expect(await ask(`/items/lifetime?memoryId=${memoryId}&limit=5`, 'read')).toMatchObject([200, {}])
    for (const path of [
      '/memories/create',
      '/app/saveSettings',
      '/items/import',
      '/asks/start',
      '/runs/start',
    ])
      expect([path, (await ask(path, 'write', { name: 'x' }))[0]]).toEqual([path, 404])
  })

  it('holds every token to its scope, and lets nobody in without one', async () => {
    for (const path of ['/openapi.json', '/memories/list', '/app/settings']) {
      expect((await ask(path, null))[0]).toBe(401)
      expect((await ask(path, 'wrong'))[0]).toBe(401)
    }
    for (const { method, path } of REST_PROCEDURES.filter(({ endless }) => !endless)) {
      const [status] = await ask(`/${path.join('/')}`, null, method === 'POST' ? {} : undefined)
      expect([path, status]).toEqual([path, 401])
    }
  })

  it('fails in the one error shape', async () => {
    const shapeOf = async (path: string, as: string, body?: unknown) => {
      const [status, given] = await ask(path, as, body)
      return [status, loamErrorShape.parse(given).code]
    }
    expect(await shapeOf('/runs/get?runId=none', 'read')).toEqual([404, 'NOT_FOUND'])
    expect(await shapeOf('/items/list', 'read', { memoryId: 5 })).toEqual([400, 'BAD_INPUT'])
    expect(await shapeOf('/nothing/here', 'read')).toEqual([404, 'NOT_FOUND'])
    // Last, since the server ends the connection of a body that it does not read.
    expect(await shapeOf('/items/list', 'read', { memoryId: 'x'.repeat(1_049_000) })).toEqual([
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
