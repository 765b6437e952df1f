import { Hono } from 'hono'
import { expect, it } from 'vitest'
import { limitBody } from '../../../src/main/api/rest-guard'
import { startRestServer } from '../../../src/main/api/rest-server'

it('a refusal of a long request arrives, and so does the answer to what is asked next', async () => {
  const app = new Hono()
  app.post('/limited', limitBody(1000), async (context) => context.text(await context.req.text()))
  app.post('/closed', () => new Response('no', { status: 401 }))
  const server = await startRestServer(app, 0)
  const send = async (path: string, body: string): Promise<number> => {
    const response = await fetch(`http://127.0.0.1:${server.port}${path}`, { method: 'POST', body })
    await response.text()
    return response.status
  }
  const statuses: number[] = []
  for (const path of ['/limited', '/closed'])
    for (const size of [400_000, 10, 5_000_000, 10]) statuses.push(await send(path, 'a'.repeat(size)))
  expect(statuses).toEqual([413, 200, 413, 200, 401, 401, 401, 401])
  await server.close()
})
