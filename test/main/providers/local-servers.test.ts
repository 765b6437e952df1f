import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { openProviders } from '../../../src/main/providers'
import { lookForServers } from '../../../src/main/providers/local-servers'
import { LoamError } from '../../../src/shared/errors'
import { testWorld } from './world'

const servers: Server[] = []
afterEach(() => servers.splice(0).forEach((server) => (server.closeAllConnections(), server.close())))

/** A program that listens: what it answers by path, from the body it got; null never answers. Resolves to its address. */
async function listen(answers: Record<string, (body: string) => unknown> | null): Promise<string> {
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      if (answers === null) return
      const answer = answers[request.url ?? '']?.(body)
      response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(answer ?? { error: 'Unexpected endpoint or method.' }))
    })
  })
  servers.push(server)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
}

const list =
  (owner: string, ...ids: string[]) =>
  () => ({
    object: 'list',
    data: ids.map((id) => ({ id, object: 'model', owned_by: owner })),
  })

test('offers and lists models that write, leaves out who is not there, and says why one does not tell', async () => {
  // As the documentation of Ollama (api/show) and LM Studio (api/v0/models) shows their answers.
  const ollama = await listen({
    '/v1/models': list('library', 'llama3.2:3b', 'nomic-embed-text:latest'),
    '/api/show': (body) =>
      body.includes('nomic')
        ? { details: { family: 'nomic-bert' }, capabilities: ['embedding'] }
        : { details: { family: 'llama' }, capabilities: ['completion', 'tools'] },
  })
  const studio = await listen({
    '/v1/models': list('organization_owner', 'text-embedding-nomic-embed-text-v1.5', 'qwen2-vl-7b-instruct'),
    '/api/v0/models': () => ({
      object: 'list',
      data: [
        { id: 'text-embedding-nomic-embed-text-v1.5', object: 'model', type: 'embeddings' },
        { id: 'qwen2-vl-7b-instruct', object: 'model', type: 'vlm' },
      ],
    }),
  })
  const other = await listen({ '/v1/models': () => ({ hello: 'there' }) })
  const silent = await listen(null)
  const nobody = await listen({})
  await new Promise((done) => servers.at(-1)?.close(done))

  const world = await testWorld()
  try {
    const providers = openProviders(world)
    const look = (withinMs: number, ...urls: string[]) =>
      lookForServers({
        check: (server, signal) => providers.check(server, undefined, signal),
        provider: 'openai',
        places: urls.map((url, i) => ({ title: `Program ${i}`, name: `program-${i}`, url })),
        withinMs,
      })
    expect(
      (await look(20_000, ollama, studio, other, nobody)).map(({ title, models, problem }) => [
        ...[title, models.join()],
        problem?.cause.replace(/.*(lists no models).*/, '$1') ?? null,
      ]),
    ).toEqual([
      ['Program 0', 'llama3.2:3b', null],
      ['Program 1', 'qwen2-vl-7b-instruct', null],
      ['Program 2', '', 'lists no models'],
    ])
    await world.servers.save({ name: 'ollama', provider: 'openai', url: ollama })
    await world.servers.save({ name: 'studio', provider: 'openai', url: studio })
    const served = (await providers.list()).filter(({ path }) => path.startsWith('openai:'))
    expect(served.map(({ path }) => path).sort()).toEqual([
      'openai:llama3.2:3b@ollama',
      'openai:qwen2-vl-7b-instruct@studio',
    ])
    const [slow] = await look(50, silent)
    expect(slow?.problem).toMatchObject({ code: 'MODEL_SERVER', retryable: true })
    expect(slow?.problem?.cause).toContain('within 0.05 seconds')
  } finally {
    await world.close()
  }
})

test('what is no answer of a server is not swallowed', async () => {
  const bug = new Error('a bug')
  const failing = { check: () => Promise.reject(bug), provider: 'openai' }
  await expect(lookForServers(failing)).rejects.toBe(bug)
  const refusal = new LoamError('UNAUTHORIZED', 'It wants a key.', { suggestion: '' })
  const [first] = await lookForServers({ ...failing, check: () => Promise.reject(refusal) })
  expect(first).toMatchObject({ title: 'Ollama', models: [], problem: { code: 'UNAUTHORIZED' } })
})
