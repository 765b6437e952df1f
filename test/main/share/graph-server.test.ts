import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApp, type App } from '../../../src/main/app'
import { createAgentMemory, type AgentMemory } from '../../../src/main/share/agent-memory'
import { createGraphServer } from '../../../src/main/share/graph-server'

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

const call = async (name: string, args: Record<string, unknown>, by = client): Promise<unknown> => {
  const { content, isError } = await by.callTool({ name, arguments: args })
  const [first] = content as { text: string }[]
  if (isError === true) throw new Error(first?.text)
  const text = first?.text ?? ''
  return /^[[{]/.test(text) ? (JSON.parse(text) as unknown) : text
}

const ANA = { name: 'Ana', entityType: 'person', observations: ['Speaks Catalan', 'Has two cats'] }
const VELA = { name: 'Vela', entityType: 'project', observations: ['Is written in Go'] }
const WORKS = { from: 'Ana', to: 'Vela', relationType: 'works on' }

describe('the calls of the official memory server', () => {
  it('make entities, observations and relations, each once, and read them back', async () => {
    expect((await client.listTools()).tools).toHaveLength(9)
    expect(await call('create_entities', { entities: [ANA, VELA] })).toEqual([ANA, VELA])
    expect(await call('create_entities', { entities: [ANA] })).toEqual([])
    expect(await call('create_relations', { relations: [WORKS] })).toEqual([WORKS])
    expect(await call('create_relations', { relations: [WORKS] })).toEqual([])
    const observations = [{ entityName: 'Ana', contents: ['Speaks Catalan', 'Lives in Girona'] }]
    expect(await call('add_observations', { observations })).toEqual([
      { entityName: 'Ana', addedObservations: ['Lives in Girona'] },
    ])
    const more = { ...ANA, observations: [...ANA.observations, 'Lives in Girona'] }
    expect(await call('read_graph', {})).toEqual({ entities: [more, VELA], relations: [WORKS] })
    expect(await call('open_nodes', { names: ['Vela'] })).toEqual({ entities: [VELA], relations: [WORKS] })
    expect(JSON.stringify(await call('search_nodes', { query: 'two cats' }))).toContain('Has two cats')
  })

  it('refuse observations of an entity that is not there', async () => {
    const observations = [{ entityName: 'Nobody', contents: ['Is here'] }]
    await expect(call('add_observations', { observations })).rejects.toThrow(
      'Entity with name Nobody not found',
    )
  })

  it('delete what the program told; what others told waits for a person', async () => {
    const deletions = [{ entityName: 'Ana', observations: ['Has two cats'] }]
    expect(await call('delete_observations', { deletions }, other)).toMatch(/1 that others told wait/)
    expect(await call('delete_observations', { deletions })).toBe('Observations deleted successfully')
    expect(JSON.stringify(await call('read_graph', {}))).not.toContain('cats')
    await call('delete_relations', { relations: [WORKS] })
    expect(await call('read_graph', {})).toMatchObject({ relations: [] })
    await call('delete_entities', { entityNames: ['Ana'] })
    expect(await call('read_graph', {})).toEqual({ entities: [VELA], relations: [] })
  })
})
