import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createKeyRing } from '../../../src/main/api/program-keys'
import { startMcpHttp } from '../../../src/main/api/mcp-http'
import { mem0Routes } from '../../../src/main/api/mem0-http'
import type { RestServer } from '../../../src/main/api/rest-server'
import { createApp, type App } from '../../../src/main/app'
import { createAgentMemory } from '../../../src/main/share/agent-memory'
import { createMemoryServer } from '../../../src/main/share/mcp-server'

let folder: string
let app: App
let server: RestServer
const keys = createKeyRing(
  'agent',
  () => Promise.resolve([]),
  () => false,
)

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loam-mem0-'))
  app = await createApp({ dataPath: join(folder, 'data'), host: 'memory' })
  const memory = createAgentMemory(await app.memories.open(join(folder, 'memory')), app, { write: true })
  server = await startMcpHttp(
    () => createMemoryServer(memory, '1'),
    keys,
    0,
    mem0Routes(() => memory, keys),
  )
})
afterAll(async () => {
  await server.close()
  await app.dispose()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

/** As mem0's client for its platform asks. */
async function ask(method: string, path: string, body?: object, key = keys.key) {
  const response = await fetch(`http://127.0.0.1:${String(server.port)}${path}`, {
    method,
    headers: { authorization: `Token ${key}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: response.status, data: (await response.json()) as unknown }
}
interface Memory {
  id: string
  memory: string
  score?: number
}

it("answers the calls of mem0's clients", async () => {
  expect((await ask('GET', '/v1/ping/')).data).toMatchObject({ org_id: 'loam' })
  expect((await ask('GET', '/v1/ping/', undefined, 'guessed')).status).toBe(401)
  const added = await ask('POST', '/v1/memories/', {
    messages: [
      { role: 'user', content: 'I am a vegetarian and allergic to nuts.' },
      { role: 'assistant', content: 'Got it! I will keep that in mind.' },
      { role: 'user', content: 'What should I cook?' },
    ],
    user_id: 'alex',
    output_format: 'v1.1',
  })
  const { results } = added.data as { results: (Memory & { event: string })[] }
  expect(results).toMatchObject([{ event: 'ADD', memory: 'I am a vegetarian and allergic to nuts.' }])
  await ask('POST', '/memories', { messages: 'The rye bread is from Tuesday.', user_id: 'maria' })
  const id = results[0]?.id ?? ''
  const found = (
    await ask('POST', '/v2/memories/search/', {
      query: 'what food does alex avoid',
      filters: { AND: [{ user_id: 'alex' }] },
    })
  ).data as { results: Memory[] }
  expect(found.results.map((one) => one.id)).toEqual([id])
  expect(found.results[0]).toMatchObject({
    memory: 'I am a vegetarian and allergic to nuts.',
    user_id: 'alex',
  })
  expect((await ask('GET', '/v1/memories/?user_id=maria')).data).toMatchObject([
    { memory: 'The rye bread is from Tuesday.' },
  ])
  expect((await ask('POST', '/v2/memories/', { filters: { user_id: 'alex' } })).data).toMatchObject({
    count: 1,
  })
  const updated = await ask('PUT', `/v1/memories/${id}/`, { text: 'I am a vegan and allergic to nuts.' })
  const { id: next } = updated.data as Memory
  // mem0's ids outlive an update.
  expect(next).toBe(id)
  expect((await ask('GET', `/v1/memories/${next}/`)).data).toMatchObject({
    memory: 'I am a vegan and allergic to nuts.',
  })
  expect((await ask('GET', `/v1/memories/${next}/history/`)).data).toMatchObject([
    { event: 'ADD', old_memory: null },
    { event: 'UPDATE', new_memory: expect.stringContaining('vegan') as string },
  ])
  expect((await ask('DELETE', `/v1/memories/${next}/`)).data).toMatchObject({
    message: 'Memory deleted successfully!',
  })
  expect((await ask('GET', `/v1/memories/${next}/`)).status).toBe(404)
  expect((await ask('DELETE', '/v1/memories/')).status).toBe(400)
  expect((await ask('DELETE', '/v1/batch/')).status).toBe(400)
  await ask('DELETE', '/v1/memories/?user_id=maria')
  expect((await ask('GET', '/v1/memories/')).data).toEqual([])
  expect(await ask('PUT', '/v1/memories/fact-none/', { text: 'x' })).toMatchObject({ status: 404 })
  expect(await ask('POST', '/v1/memories/search/', {})).toMatchObject({
    status: 400,
    data: { detail: expect.stringContaining('query') as string },
  })
})

/** Adds a text of somebody; its id. */
const addOf = async (user_id: string, messages: string): Promise<string> => {
  const { data } = await ask('POST', '/v3/memories/add/', { messages, user_id })
  return (data as { results: Memory[] }).results[0]?.id ?? ''
}
const listOf = async (filters: object, query = ''): Promise<string[]> => {
  const { data } = await ask('POST', `/v3/memories/${query}`, { filters })
  return (data as { results: Memory[] }).results.map(({ memory }) => memory).sort()
}

it('filters as mem0 does, and says what it cannot filter by', async () => {
  await addOf('ada', 'I play the cello.')
  await addOf('ben', 'I play chess on Fridays.')
  await addOf('cem', 'I play the drums.')
  expect(await listOf({ OR: [{ user_id: 'ada' }, { user_id: 'ben' }] })).toEqual([
    'I play chess on Fridays.',
    'I play the cello.',
  ])
  expect(await listOf({ user_id: { in: ['ada', 'cem'] } })).toHaveLength(2)
  expect(await listOf({ AND: [{ user_id: '*' }, { NOT: [{ user_id: 'ada' }] }] })).toHaveLength(2)
  expect(await listOf({ AND: [{ user_id: 'ada' }, { created_at: { gt: '2999-01-01' } }] })).toEqual([])
  expect(await listOf({ user_id: '*' }, '?page=2&page_size=2')).toHaveLength(1)
  const search = await ask('POST', '/v3/memories/search/', {
    query: 'Which instrument do I play?',
    filters: { AND: [{ user_id: 'cem' }] },
    top_k: 1,
  })
  const [best] = (search.data as { results: Memory[] }).results
  expect(best).toMatchObject({ memory: 'I play the drums.', user_id: 'cem' })
  expect(best?.score).toBeGreaterThan(0)
  expect(best?.score).toBeLessThanOrEqual(1)
  for (const filters of [
    { categories: ['food'] },
    { metadata: 'vegan' },
    { user_id: { near: 'ada' } },
    { created_at: 'soon' },
  ])
    expect(await ask('POST', '/v3/memories/', { filters })).toMatchObject({
      status: 400,
      data: { detail: expect.stringContaining(Object.keys(filters)[0] ?? '') as string },
    })
})

it('lists owners, changes and deletes in batches, and takes feedback', async () => {
  const id = await addOf('dana', 'The spare key is with Ines.')
  const other = await addOf('dana', 'The gate sticks in winter.')
  const users = (await ask('GET', '/v1/entities/')).data as { results: { name: string; type: string }[] }
  expect(users.results).toContainEqual(
    expect.objectContaining({ name: 'dana', type: 'user', total_memories: 2 }),
  )
  const memories = [{ memory_id: id, text: 'The spare key is with Jonas.' }]
  expect((await ask('PUT', '/v1/batch/', { memories })).status).toBe(200)
  expect((await ask('GET', `/v1/memories/${id}/`)).data).toMatchObject({
    id,
    memory: 'The spare key is with Jonas.',
  })
  expect((await ask('GET', `/v1/memories/${id}/history/`)).data).toMatchObject([
    { new_memory: 'The spare key is with Ines.' },
    { old_memory: 'The spare key is with Ines.', new_memory: 'The spare key is with Jonas.' },
  ])
  expect((await ask('POST', '/v1/feedback/', { memory_id: id, feedback: 'POSITIVE' })).status).toBe(200)
  expect((await ask('POST', '/v1/feedback/', { memory_id: id, feedback: 'SO_SO' })).status).toBe(400)
  await ask('DELETE', '/v1/batch/', { memories: [{ memory_id: other }] })
  expect(await listOf({ user_id: 'dana' })).toEqual(['The spare key is with Jonas.'])
  await ask('DELETE', '/v2/entities/user/dana/')
  expect(await listOf({ user_id: 'dana' })).toEqual([])
})

it('keeps metadata and a last day, through updates, and finds by metadata', async () => {
  const metadata = { topic: 'travel', trips: 3, cities: ['Oslo', 'Bergen'] }
  const { data } = await ask('POST', '/v3/memories/add/', {
    messages: 'I am in Norway.',
    user_id: 'fay',
    metadata,
    expiration_date: '2100-05-31',
  })
  const { results } = data as { results: Memory[] }
  const id = results[0]?.id ?? ''
  const read = async () => (await ask('GET', `/v1/memories/${id}/`)).data
  expect(await read()).toMatchObject({ metadata, expiration_date: '2100-05-31' })
  expect(
    await listOf({ AND: [{ user_id: 'fay' }, { metadata: { topic: 'travel', trips: 3 } }] }),
  ).toHaveLength(1)
  expect(await listOf({ AND: [{ user_id: 'fay' }, { metadata: { topic: 'work' } }] })).toEqual([])
  await ask('PUT', `/v1/memories/${id}/`, { text: 'I am in Sweden.' })
  expect(await read()).toMatchObject({ memory: 'I am in Sweden.', metadata, expiration_date: '2100-05-31' })
  await ask('PUT', `/v1/memories/${id}/`, { metadata: { topic: 'work' } })
  expect(await read()).toMatchObject({ memory: 'I am in Sweden.', metadata: { topic: 'work' } })
})

it('says what it has not, and what it does not keep', async () => {
  expect((await ask('POST', '/v1/exports/', { schema: {} })).status).toBe(501)
  expect((await ask('GET', '/api/v1/webhooks/projects/loam/')).status).toBe(501)
  expect((await ask('GET', '/api/v1/webhooks/projects/loam/', undefined, 'guessed')).status).toBe(401)
  for (const [field, value] of [
    ['expiration_date', 'next week'],
    ['metadata', { deep: { deeper: 1 } }],
    ['expiration_date', '2001-01-01'],
  ] as const)
    expect(
      await ask('POST', '/v3/memories/add/', { messages: 'x', user_id: 'eve', [field]: value }),
    ).toMatchObject({
      status: 400,
      data: { detail: expect.stringContaining(value === '2001-01-01' ? value : field) as string },
    })
  const parts = [{ type: 'text', text: 'My bike is blue.' }]
  const messages = [
    { role: 'user', content: parts },
    { role: 'user', content: 'long '.repeat(500) },
  ]
  const { data } = await ask('POST', '/v3/memories/add/', { messages, user_id: 'eve' })
  expect(data).toMatchObject({
    results: [
      { event: 'ADD', memory: 'My bike is blue.' },
      { event: 'NONE', reason: expect.stringContaining('2499 characters') as string },
    ],
  })
})
