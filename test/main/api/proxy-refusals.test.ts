import { request as overHttp } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createKeyRing } from '../../../src/main/api/program-keys'
import { startProxyHttp } from '../../../src/main/api/proxy-http'
import type { ProxyHttpDeps } from '../../../src/main/api/local-routes'
import type { RestServer } from '../../../src/main/api/rest-server'

const keys = createKeyRing(
  'agent',
  () => Promise.resolve([]),
  () => false,
)
let server: RestServer
beforeAll(async () => {
  // What is refused reaches neither a model nor a memory.
  server = await startProxyHttp({ keys } as unknown as ProxyHttpDeps, 0)
})
afterAll(() => server.close())

const addressOf = (path: string): string => `http://127.0.0.1:${server.port}${path}`
async function refused(path: string, key: string, body: string) {
  const headers = { 'x-loam-key': key, 'content-type': 'application/json' }
  const answer = await fetch(addressOf(path), { method: 'POST', headers, body })
  return { status: answer.status, body: (await answer.json()) as unknown }
}
const words = (text: string): unknown => expect.stringContaining(text) as unknown

it('says to whom has no key what to send, in the words of each protocol', async () => {
  const message = words('x-loam-key')
  expect(await refused('/v1/chat/completions', 'guess', '{}')).toMatchObject({
    ...{ status: 401, body: { error: { message, code: 'invalid_api_key' } } },
  })
  expect(await refused('/v1/messages', 'guess', '{}')).toMatchObject({
    ...{ status: 401, body: { type: 'error', error: { type: 'authentication_error', message } } },
  })
  expect(await refused('/v1beta/models/m:generateContent', 'guess', '{}')).toMatchObject({
    ...{ status: 401, body: { error: { status: 'UNAUTHENTICATED', message } } },
  })
  expect(await refused('/api/chat', 'guess', '{}')).toMatchObject({ status: 401, body: { error: message } })
})

it('says that a request is no JSON', async () => {
  const { status, body } = await refused('/v1/chat/completions', keys.key, '{"model":')
  expect({ status, body }).toMatchObject({ status: 400, body: { error: { message: words('is no JSON') } } })
})

it('answers a request that is too large once its client has written it', async () => {
  const piece = Buffer.alloc(1024 * 1024, ' ')
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const headers = { 'x-loam-key': keys.key, 'content-length': 48 * piece.length }
    const request = overHttp(addressOf('/v1/messages'), { method: 'POST', headers }, (answer) => {
      answer.resume()
      resolve(answer.statusCode)
    })
    request.on('error', reject)
    for (let i = 0; i < 48; i++) request.write(piece)
    request.end()
  })
  expect(status).toBe(413)
})

it('asks a stranger for the key before it reads what they send', async () => {
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const request = overHttp(addressOf('/v1/messages'), { method: 'POST' }, (answer) => {
      resolve(answer.statusCode)
      request.destroy()
    })
    request.on('error', reject)
    // In pieces, of which the last one never comes.
    request.write('{"model":')
  })
  expect(status).toBe(401)
})
