import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApp, type App } from '../../../src/main/app'
import { createAgentMemory, type AgentMemory } from '../../../src/main/share/agent-memory'
import { createGraphServer } from '../../../src/main/share/graph-server'
import { taken, written } from '../../core/formats/memories'

/** What the official server answered: `@modelcontextprotocol/server-memory` 2026.8.31, asked by a client of the SDK. */
const recorded = JSON.parse(readFileSync(resolve('test/fixtures/mcp/official-memory.json'), 'utf8')) as {
  readonly tools: readonly { readonly name: string }[]
  readonly steps: readonly {
    readonly call: string
    readonly args: Record<string, unknown>
    readonly answer: unknown
  }[]
  readonly resources: readonly { readonly uri: string }[]
  readonly contents: unknown
  readonly file: string
}

let folder: string
let app: App
let memory: AgentMemory
let client: Client
let other: Client

const connected = async (name: string): Promise<Client> => {
  const [near, far] = InMemoryTransport.createLinkedPair()
  const mcp = new Client({ name, version: '1' })
  await Promise.all([createGraphServer(memory, '1').connect(far), mcp.connect(near)])
  return mcp
}
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loam-graph-'))
  app = await createApp({ dataPath: join(folder, 'data'), host: 'memory' })
  memory = createAgentMemory(await app.memories.open(join(folder, 'memory')), app, { write: true })
  client = await connected('desktop')
  other = await connected('other')
})
afterAll(async () => {
  await Promise.all([client.close(), other.close()])
  await app.dispose()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

const call = (name: string, args: Record<string, unknown>, by = client) =>
  by.callTool({ name, arguments: args })

const ANA = { name: 'Ana', entityType: 'person', observations: ['Speaks Catalan'] }
const CAT = [{ entityName: 'Ana', observations: ['Speaks Catalan'] }]

describe('the calls of the official memory server', () => {
  it('are listed and answered as it answers them, word for word', async () => {
    const { tools } = await client.listTools()
    expect(tools).toMatchObject(
      expect.arrayContaining(recorded.tools.map((tool) => expect.objectContaining(tool))),
    )
    expect(tools.map(({ name }) => name).sort()).toEqual(recorded.tools.map(({ name }) => name).sort())
    // What it says of each argument is told too.
    expect(JSON.stringify(tools.map(({ inputSchema }) => inputSchema)).match(/"description":/g)).toHaveLength(
      17,
    )
    for (const { call: name, args, answer } of recorded.steps) expect(await call(name, args)).toEqual(answer)
    expect((await client.listResources()).resources).toEqual(recorded.resources)
    const uri = recorded.resources[0]?.uri ?? ''
    expect((await client.readResource({ uri })).contents).toEqual(recorded.contents)
  })

  it('find by meaning where nothing holds the words', async () => {
    const { structuredContent } = await call('search_nodes', { query: 'Vela, written in Rust?' })
    expect(structuredContent).toMatchObject({
      entities: expect.arrayContaining([expect.objectContaining({ name: 'Vela' })]) as object[],
    })
  })

  it('take a file of its, and give the same file out again', async () => {
    const again = await app.memories.open(join(folder, 'again'))
    const report = await taken(again, 'auto', recorded.file)
    expect(report).toMatchObject({ format: 'knowledge-graph', left: [] })
    expect(await written(again, 'knowledge-graph')).toBe(recorded.file)
  })

  it('refuse observations of an entity that is not there', async () => {
    const observations = [{ entityName: 'Nobody', contents: ['Is here'] }]
    expect(await call('add_observations', { observations })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('Entity with name Nobody not found') as string }],
    })
  })

  it('keep what was told without a type, and nothing that says nothing', async () => {
    const entities = [{ name: 'Pier', entityType: '', observations: ['', 'Is\nlong'] }]
    await call('create_entities', { entities })
    const pier = { name: 'Pier', entityType: 'unknown' }
    const open = async () => (await call('open_nodes', { names: ['Pier'] })).structuredContent
    expect(await open()).toMatchObject({ entities: [{ ...pier, observations: ['Is long'] }] })
    await call('delete_observations', { deletions: [{ entityName: 'Pier', observations: ['Is\nlong'] }] })
    expect(await open()).toMatchObject({ entities: [{ ...pier, observations: [] }] })
  })

  it('delete what the program told; what others told waits for a person', async () => {
    expect((await call('delete_observations', { deletions: CAT }, other)).structuredContent).toEqual({
      success: false,
      message: 'Observations: 0 facts deleted; 1 that others told wait for a person.',
    })
    expect((await call('open_nodes', { names: ['Ana'] })).structuredContent).toMatchObject({
      entities: [{ name: ANA.name, observations: expect.arrayContaining(ANA.observations) as string[] }],
    })
  })
})
