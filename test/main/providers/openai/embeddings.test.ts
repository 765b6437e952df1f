import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { lexicalVector } from '../../../../src/core/retrieval/lexical-embedder'
import { openAiCompatible } from '../../../../src/main/providers/openai'
import type { Embedder } from '../../../../src/core/ground/ports'
import { testWorld, type TestWorld } from '../world'

interface Asked {
  readonly model: string
  readonly input: string[]
}

describe('a server that embeds', () => {
  let world: TestWorld
  let asked: Asked[]
  let failures: number
  let answer: ((asked: Asked) => unknown) | null
  let id: string
  let close: () => void

  beforeEach(async () => {
    world = await testWorld('a-key')
    world.change({ settings: { openai: { timeoutS: 2, retries: 1 } } })
    asked = []
    failures = 0
    answer = null
    const server = createServer((request, response) => {
      let body = ''
      request.on('data', (chunk) => (body += String(chunk)))
      request.on('end', () => {
        if (request.url !== '/v1/embeddings' || request.headers.authorization !== 'Bearer a-key')
          return void response.writeHead(404).end()
        if (failures-- > 0) return void response.writeHead(503, { 'retry-after': '0' }).end('{}')
        const order = JSON.parse(body) as Asked
        asked.push(order)
        const data = order.input.map((text, index) => ({ index, embedding: [...lexicalVector(text)] }))
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify(answer ? answer(order) : { data: data.reverse() }))
      })
    })
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    id = `openai:some/encoder@http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
    close = () => {
      server.closeAllConnections()
      server.close()
    }
  })
  afterEach(async () => {
    close()
    await world.close()
  })
  const open = async (name = id): Promise<Embedder> => {
    const embedder = await openAiCompatible.open(world).embedder?.(name)
    if (!embedder) throw new Error('the provider has no encoders')
    return embedder
  }

  it('is asked in batches, and answers in the order of the texts', async () => {
    const embedder = await open()
    expect(embedder).toMatchObject({ id, dimension: 384 })
    const texts = Array.from({ length: 70 }, (_, n) => `order number ${n}`)
    const vectors = await embedder.embed(texts)
    expect(vectors).toHaveLength(70)
    expect([...(vectors[41] ?? [])]).toEqual([...lexicalVector('order number 41')])
    expect(
      asked
        .slice(1)
        .map(({ input }) => input.length)
        .sort((a, b) => a - b),
    ).toEqual([6, 32, 32])
    expect(asked[0]?.model).toBe('some/encoder')
  })

  it('is asked again when it is overloaded', async () => {
    failures = 1
    expect((await open()).dimension).toBe(384)
  })

  it.each<[string, unknown]>([
    ['of another form', { embeddings: [[1, 2]] }],
    ['with a vector missing', { data: [] }],
    ['with an empty vector', { data: [{ index: 0, embedding: [] }] }],
  ])('has its sentence when it answers %s', async (_, body) => {
    answer = () => body
    await expect(open()).rejects.toMatchObject({ code: 'MODEL_SERVER' })
  })

  it('may not change the length of its vectors', async () => {
    const embedder = await open()
    answer = ({ input }) => ({ data: input.map((_, index) => ({ index, embedding: [1, 0] })) })
    await expect(embedder.embed(['a'])).rejects.toMatchObject({ code: 'VECTOR_DIMENSION' })
  })

  it('elsewhere gets nothing while the network is off', async () => {
    await expect(open('openai:encoder@https://models.example/v1')).rejects.toMatchObject({
      code: 'NETWORK_OFF',
    })
  })
})
