import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocket } from 'ws'
import { expect, test } from './fixtures'

test.use({ shared: true })

/** Another program on this machine that serves pages, and writes down every header and address it is sent. */
async function listenBeside(): Promise<{ url: string; heard: string[]; close: () => void }> {
  const heard: string[] = []
  const server = createServer((request, response) => {
    heard.push(JSON.stringify({ url: request.url, headers: request.headers }))
    response.end('<!doctype html><title>Another program</title>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    heard,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () => server.close(),
  }
}

/** What becomes of a socket that asks for the contract with these headers. */
const knock = (url: string, headers: Record<string, string>): Promise<string> =>
  new Promise((resolve) => {
    const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/rpc`, ['loam'], { headers })
    socket.on('open', () => {
      socket.terminate()
      resolve('open')
    })
    socket.on('error', (error) => resolve(error.message))
  })

test('what the browser tells other programs on this machine opens nothing', async ({
  app,
  host,
  browser,
}) => {
  const origin = new URL(host.url).origin
  const other = await listenBeside()
  try {
    const beside = await app.page.context().newPage()
    await beside.goto(other.url)
    const cookies = (await app.page.context().cookies(other.url)).map(({ name, value }) => `${name}=${value}`)
    const headers = JSON.parse(other.heard[0] ?? '{}') as { headers: Record<string, string> }
    const cookie = headers.headers['cookie'] ?? cookies.join('; ')
    const tries: Record<string, string>[] = [{ cookie }, { cookie, origin }]
    for (const given of tries) {
      expect(await knock(origin, given)).toContain('401')
      expect((await fetch(`${origin}/session`, { headers: given })).status).toBe(401)
    }
    // A whole browser that has the cookies, and nothing else, is not let in either.
    const thief = await browser.newContext({
      storageState: { cookies: await app.page.context().cookies(), origins: [] },
    })
    const page = await thief.newPage()
    await page.goto(origin)
    await expect(page.getByText('Not allowed')).toBeVisible()
    await thief.close()
    expect(other.heard.join()).not.toContain('session')
  } finally {
    other.close()
  }
  await app.page.reload()
  await app.page.getByRole('navigation', { name: 'Screens' }).waitFor()
})

test('a second tab of the same browser is let in, the used address on its own is not', async ({
  app,
  host,
  browser,
}) => {
  const second = await app.page.context().newPage()
  await second.goto(new URL(host.url).origin)
  await second.getByRole('navigation', { name: 'Screens' }).waitFor()
  const stranger = await browser.newContext()
  const page = await stranger.newPage()
  await page.goto(host.url)
  await expect(page.getByText('Not allowed')).toBeVisible()
  await stranger.close()
})
