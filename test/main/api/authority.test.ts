import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createRest } from '../../../src/main/api/contract-rest'
import { createKey, readKeys, removeKey } from '../../../src/main/api/program-keys'
import { serveKb } from '../../../src/main/api/serve-kb'
import { serveMemory } from '../../../src/main/api/serve-memory'
import { serveProxy } from '../../../src/main/api/serve-proxy'
import { startUiServer, type UiServer } from '../../../src/main/api/ui-server'
import type { App } from '../../../src/main/app'
import { serveApp } from '../../../src/main/serve-app'
import { createAgentMemory, type AgentMemory } from '../../../src/main/share/agent-memory'
import { createGraphServer } from '../../../src/main/share/graph-server'
import { createMemoryServer } from '../../../src/main/share/mcp-server'
import { contract } from '../../../src/shared/contract'
import type { ProcedureMeta } from '../../../src/shared/contract/procedure'
import type { Served } from '../../../src/shared/domain/sharing'
import { experienceOf } from '../../core/memory/experiences/fixtures'

interface Declared {
  readonly '~orpc': {
    readonly meta: ProcedureMeta
    readonly route: { method?: string }
    inputSchema?: z.ZodType
  }
}

const procedures = Object.entries(contract).flatMap(([area, all]) =>
  Object.entries(all as unknown as Record<string, Declared>).map(([name, { '~orpc': declared }]) => ({
    ...declared,
    path: `${area}/${name}`,
  })),
)

/** What no program hands in, whatever its key allows: places, addresses, models, what tools may do, settings, a person's word. */
const PERSONAL =
  /^(paths?|folders?|file|url|uri|address|source|models?|settings|tools|permissions?|answers?|keep|accepted|verdict|teaching|scopes|terms|stream|network|rest|sign|replace|client|out|to)$/i

/** All names of fields in a schema of JSON. */
function fieldNames(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([key, inner]) => [
    ...(key === 'properties' ? Object.keys(inner as object) : []),
    ...fieldNames(inner),
  ])
}
const inputOf = ({ inputSchema }: { inputSchema?: z.ZodType }): string[] =>
  inputSchema ? fieldNames(z.toJSONSchema(inputSchema, { unrepresentable: 'any', io: 'input' })) : []

describe('what a procedure takes', () => {
  it('is the person’s where it names a place, an address, a model, a setting or a decision, or changes anything', () => {
    expect(procedures.length).toBeGreaterThan(150)
    const open = procedures.filter(({ meta }) => meta.by === 'read')
    expect(open.length).toBeGreaterThan(50)
    expect(
      open.flatMap((one) =>
        inputOf(one).flatMap((name) => (PERSONAL.test(name) ? [`${one.path} ${name}`] : [])),
      ),
    ).toEqual([])
    // Nobody marks a change as open by mistake: what is open has the words of a question.
    const verbs =
      /\/(start|save|add|remove|delete|edit|import|export|apply|undo|restore|resume|cancel|decide|create)([A-Z]|$)/
    expect(open.map(({ path }) => path).filter((path) => verbs.test(path))).toEqual([])
  })

  it('is found by the test above where a wrong one is added', () => {
    const wrong = z.object({ memoryId: z.string(), choice: z.object({ path: z.string() }) })
    expect(inputOf({ inputSchema: wrong }).filter((name) => PERSONAL.test(name))).toEqual(['path'])
  })
})

describe('the tools of a memory for agents', () => {
  const toolsOf = async (calls: 'loam' | 'graph', mayWrite: boolean) => {
    const memory = { memory: { name: 'm' }, mayWrite } as unknown as AgentMemory
    const [near, far] = InMemoryTransport.createLinkedPair()
    const client = new Client({ name: 'c', version: '1' })
    const server = calls === 'loam' ? createMemoryServer(memory, '1') : createGraphServer(memory, '1')
    await Promise.all([server.connect(far), client.connect(near)])
    const { tools } = await client.listTools()
    await client.close()
    return tools
  }

  it.each(['loam', 'graph'] as const)('take no place, address, setting or decision (%s)', async (calls) => {
    // Relations of a graph have two ends, called so by the official server.
    const ends = calls === 'graph' ? ['to'] : []
    const tools = await toolsOf(calls, true)
    const names = tools.flatMap(({ inputSchema }) => fieldNames(inputSchema))
    expect(names.length).toBeGreaterThan(10)
    expect([...new Set(names.filter((name) => PERSONAL.test(name)))]).toEqual(ends)
    const reading = await toolsOf(calls, false)
    if (calls === 'loam') expect(reading.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true)
  })
})

const SECRET = `ghp_${'a1B2'.repeat(9)}`

describe('keys of programs', () => {
  let folder: string
  let app: App
  let server: UiServer
  const ids = { a: '', b: '' }
  const keys: Record<string, string> = {}
  const serving: AsyncGenerator<Served, void, void>[] = []

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'loam-authority-'))
    const host = await serveApp({ dataPath: join(folder, 'data'), host: 'memory' })
    app = host.app
    for (const name of ['a', 'b'] as const) {
      ids[name] = (await app.memories.create(name)).id
      const memory = await app.memories.open(ids[name])
      await memory.commit([
        {
          kind: 'experience-added',
          experience: experienceOf(`e-${name}`, `harbor bookings of ${name}`, {
            agentExperience: [`marker-${name}`, `Log in with ${SECRET}.`],
          }),
        },
      ])
      const access = createAgentMemory(memory, app, { write: true })
      await access.remember({ about: 'me', statement: `My word is marker-${name}.` }, 'setup')
      const part = createAgentMemory(memory, app, { write: true, project: 'north' })
      await part.remember({ about: 'ship', statement: `The ship of ${name} is northmark-${name}.` }, 'setup')
      const other = createAgentMemory(memory, app, { write: true, project: 'south' })
      await other.remember({ about: 'quay', statement: `The quay of ${name} is southmark-${name}.` }, 'setup')
    }
    const make = (name: string, scopes: ('read' | 'write')[], memory: string | null, project?: string) =>
      createKey(app.data.path, { name, scopes, memory, ...(project && { project }) }, new Date())
    keys['aRead'] = await make('aRead', ['read'], ids.a)
    keys['aWrite'] = await make('aWrite', ['read', 'write'], ids.a)
    keys['aNorth'] = await make('aNorth', ['read', 'write'], ids.a, 'north')
    keys['bWrite'] = await make('bWrite', ['read', 'write'], ids.b)
    keys['all'] = await make('all', ['read'], null)
    writeFileSync(join(folder, 'index.html'), '')
    const rest = createRest(app, host.router)
    server = await startUiServer({ root: folder, port: 0, serveSocket: host.transports.serveSocket, rest })
  })
  afterAll(async () => {
    for (const feed of serving) await feed.return()
    await server.close()
    await app.dispose()
    rmSync(folder, { recursive: true, force: true })
  })

  const ask = async (
    base: string,
    path: string,
    key: string | null,
    body?: unknown,
  ): Promise<[number, string]> => {
    const response = await fetch(`${base}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    // A feed goes on; that it answers is what is asked.
    if (response.headers.get('content-type')?.includes('event-stream') === true) {
      await response.body?.cancel()
      return [response.status, '']
    }
    return [response.status, await response.text()]
  }
  const serve = async (feed: AsyncGenerator<Served, void, void>): Promise<Served> => {
    serving.push(feed)
    const first = await feed.next()
    if (first.done === true) throw new Error('nothing was served')
    return first.value
  }

  it('open each procedure as the table of procedures and keys says', async () => {
    const table: Record<string, string> = {}
    const expected: Record<string, string> = {}
    for (const { path, meta, route, ...one } of procedures) {
      const method = route.method === 'GET' ? 'GET' : 'POST'
      const ofMemory = inputOf(one).includes('memoryId')
      const verdicts: string[] = []
      for (const key of [null, 'aRead', 'aWrite', 'aNorth', 'bWrite', 'all']) {
        const query = ofMemory && method === 'GET' ? `?memoryId=${ids.a}` : ''
        const body = method === 'GET' ? undefined : ofMemory ? { memoryId: ids.a } : {}
        const [status] = await ask(
          server.url,
          `api/${path}${query}`,
          key === null ? null : (keys[key] ?? ''),
          body,
        )
        verdicts.push(
          status === 401
            ? 'who'
            : status === 403
              ? 'no'
              : status === 404 && meta.by === 'person'
                ? 'none'
                : 'yes',
        )
      }
      table[path] = verdicts.join(' ')
      expected[path] =
        meta.by === 'person'
          ? 'none none none none none none'
          : meta.general === true
            ? 'who yes yes yes yes yes'
            : ofMemory
              ? 'who yes yes no no yes'
              : 'who no no no no yes'
    }
    expect(table).toEqual(expected)
  })

  it('of one memory read no other over REST, by whatever name it goes', async () => {
    const list = (key: string, memoryId: string) =>
      ask(server.url, 'api/items/list', keys[key] ?? '', { memoryId, text: 'harbor' })
    const download = (key: string, memoryId: string) =>
      ask(server.url, 'api/items/download', keys[key] ?? '', { memoryId })
    expect((await list('aRead', ids.a))[1]).toContain('harbor bookings of a')
    const [status, text] = await download('aRead', ids.a)
    expect([status, text.includes('marker-a'), text.includes('"path":null')]).toEqual([200, true, true])
    expect([text.includes('Log in with'), text.includes(SECRET)]).toEqual([true, false])
    const place = app.memories.folder(ids.b)
    for (const name of [ids.b, 'mine', place, `../${ids.b}`, `../spaces/${ids.b}`, `${ids.b}/`])
      for (const call of [list, download]) {
        const [refused, said] = await call('aWrite', name)
        expect([name, refused >= 400, said.includes('marker-b')]).toEqual([name, true, false])
      }
    // A key for every memory reads by ids alone.
    expect((await list('all', ids.b))[0]).toBe(200)
    expect((await list('all', place))[0]).toBe(400)
    // The address names it twice: what the procedure gets is what is looked at.
    const twice = await ask(
      server.url,
      `api/items/imports?memoryId=${ids.a}&memoryId=${ids.b}`,
      keys['aRead'] ?? '',
    )
    expect(twice[0]).toBeGreaterThanOrEqual(400)
  })

  it('of one memory read and write no other in Agent KB’s protocol', async () => {
    const content = { question: 'how', agent_plan: 'look', search_agent_plan: 'ask' }
    for (const memory of [ids.b, 'mine']) {
      expect(
        (await ask(server.url, 'search/text', keys['aWrite'] ?? '', { query: 'harbor', memory }))[0],
      ).toBe(403)
      expect((await ask(server.url, 'submit', keys['aWrite'] ?? '', { content, memory }))[0]).toBe(403)
      const report = { workflow_id: 'e-b', reward: 0, attempt: '1', memory }
      expect((await ask(server.url, 'feedback', keys['aWrite'] ?? '', report))[0]).toBe(403)
    }
    const [status, hits] = await ask(server.url, 'search/text', keys['aRead'] ?? '', {
      query: 'harbor bookings',
    })
    expect([status, hits.includes('marker-a'), hits.includes('marker-b')]).toEqual([200, true, false])
    expect((await ask(server.url, 'submit', keys['aRead'] ?? '', { content }))[0]).toBe(403)
    expect((await ask(server.url, 'search/text', keys['aNorth'] ?? '', { query: 'harbor' }))[0]).toBe(403)
    const common = { memoryId: ids.b, port: 0, client: null, write: true }
    const { url } = await serve(serveKb(app, { ...common, tokenless: false }, undefined))
    expect((await ask(url, '/search/text', keys['aWrite'] ?? '', { query: 'harbor' }))[0]).toBe(401)
    expect((await ask(url, '/search/text', keys['bWrite'] ?? '', { query: 'harbor' }))[0]).toBe(200)
  })

  it('of one memory open no other memory server, and of a project no more than the project', async () => {
    const common = { port: 0, client: null, write: true, hold: false, project: null, calls: 'loam' as const }
    const ofA = await serve(serveMemory(app, { ...common, memoryId: ids.a }, undefined))
    const ofB = await serve(serveMemory(app, { ...common, memoryId: ids.b }, undefined))
    const south = await serve(serveMemory(app, { ...common, memoryId: ids.a, project: 'south' }, undefined))
    const connect = async (url: string, key: string) => {
      const client = new Client({ name: 'c', version: '1' })
      const headers = { authorization: `Bearer ${keys[key] ?? ''}` }
      await client.connect(
        new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }) as never,
      )
      return client
    }
    const toldTo = async (url: string, key: string): Promise<string> => {
      const client = await connect(url, key)
      const answer = JSON.stringify(await client.callTool({ name: 'memory_list', arguments: {} }))
      await client.close()
      return answer
    }
    const whole = await toldTo(ofA.url, 'aWrite')
    expect(['marker-a', 'northmark-a', 'southmark-a'].map((mark) => whole.includes(mark))).toEqual([
      true,
      true,
      true,
    ])
    const part = await toldTo(ofA.url, 'aNorth')
    expect(['marker-a', 'northmark-a', 'southmark-a'].map((mark) => part.includes(mark))).toEqual([
      true,
      true,
      false,
    ])
    await expect(connect(ofB.url, 'aWrite')).rejects.toThrow()
    await expect(connect(ofB.url, 'aNorth')).rejects.toThrow()
    await expect(connect(south.url, 'aNorth')).rejects.toThrow()
    const client = await connect(ofA.url, 'aRead')
    expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain('memory_remember')
    await client.close()
    const every = await connect(ofB.url, 'all')
    expect((await every.listTools()).tools.map(({ name }) => name)).not.toContain('memory_remember')
    await every.close()
  })

  it('of one memory open no proxy of another', async () => {
    const upstream = { upstream: 'http://127.0.0.1:9', upstreamDialect: null }
    const input = { port: 0, client: null, model: null, contextSize: null, ...upstream }
    const { url } = await serve(
      serveProxy(
        app,
        { ...input, memoryId: ids.b, terms: {}, clients: { aRead: { memory: app.memories.folder(ids.a) } } },
        undefined,
      ),
    )
    const models = async (key: string) => (await ask(url, '/models', keys[key] ?? ''))[0]
    expect(await models('bWrite')).not.toBe(401)
    expect(await models('aWrite')).toBe(401)
    expect(await models('aNorth')).toBe(401)
    // This client is served with its own memory there.
    expect(await models('aRead')).not.toBe(401)
  })

  it('are listed with what they open, and stop working once taken back', async () => {
    const key = await createKey(app.data.path, { name: 'short', scopes: ['read'], memory: ids.a }, new Date())
    expect((await readKeys(app.data.path)).find(({ name }) => name === 'short')).toMatchObject({
      memory: ids.a,
      project: null,
    })
    expect((await ask(server.url, `api/items/imports?memoryId=${ids.a}`, key))[0]).toBe(200)
    await removeKey(app.data.path, 'short')
    expect((await ask(server.url, `api/items/imports?memoryId=${ids.a}`, key))[0]).toBe(401)
    const wide = { name: 'wide', scopes: ['read', 'write'] as const, memory: null }
    await expect(createKey(app.data.path, wide, new Date())).rejects.toThrow(/only read/)
  })

  it('of an earlier Loam only read, and none of them is the person’s any more', async () => {
    const [first] = await readKeys(app.data.path)
    if (!first) throw new Error('no key')
    const path = join(folder, 'old')
    const { memory: _, project: __, ...former } = first
    rmSync(path, { recursive: true, force: true })
    const { mkdirSync } = await import('node:fs')
    mkdirSync(path)
    writeFileSync(
      join(path, 'tokens.json'),
      JSON.stringify({ format: 1, tokens: [{ ...former, scopes: ['read', 'write', 'admin'] }] }),
    )
    expect(await readKeys(path)).toMatchObject([{ scopes: ['read', 'write'], memory: null, project: null }])
  })
})
