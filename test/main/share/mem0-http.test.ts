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
  await ask('DELETE', '/v1/memories/?user_id=maria')
  expect((await ask('GET', '/v1/memories/')).data).toEqual([])
  expect(await ask('PUT', '/v1/memories/fact-none/', { text: 'x' })).toMatchObject({ status: 404 })
  expect(await ask('POST', '/v1/memories/search/', {})).toMatchObject({
    status: 400,
    data: { detail: expect.stringContaining('query') as string },
  })
})
