import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { connect } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import type { UiServer } from '../../../src/main/api/ui-server'
import { startUiServer } from '../../../src/main/api/ui-server'
import { loamErrorShape } from '../../../src/shared/domain/error-shape'
import { socketProtocols } from '../../../src/shared/web-host'
import { tokenOf } from '../../contract/hosts'

interface Answer {
  readonly status: number
  readonly headers: Record<string, string | string[] | undefined>
  readonly body: string
}

describe('the host of the browser interface', () => {
  let root: string
  let server: UiServer
  let served = 0

  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'loam-ui-'))
    writeFileSync(join(root, 'index.html'), '<!doctype html><title>Loam</title>')
    server = await startUiServer({
      root,
      port: 0,
      serveSocket: (socket) => {
        served += 1
        socket.on('message', (data: Buffer) => socket.send(String(data.length)))
      },
    })
  })
  afterAll(async () => {
    await server.close()
    rmSync(root, { recursive: true, force: true })
  })

  /** A raw request: fetch would correct the path and refuse to set Host. */
  const ask = (
    path: string,
    options: { method?: string; headers?: Record<string, string>; body?: string } = {},
  ) =>
    new Promise<Answer>((resolve, reject) => {
      const call = request(
        {
          host: '127.0.0.1',
          port: server.port,
          path,
          method: options.method ?? 'GET',
          headers: { host: `127.0.0.1:${server.port}`, ...options.headers },
        },
        (response) => {
          let body = ''
          response.on('data', (chunk) => (body += String(chunk)))
          response.on('end', () =>
            resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
          )
        },
      )
      call.on('error', reject)
      call.end(options.body)
    })

  const exchange = (token: string, headers: Record<string, string> = {}) =>
    ask('/session', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ token }),
    })

  async function signIn(): Promise<string> {
    const answer = await exchange(tokenOf(server.mintUrl()))
    return (JSON.parse(answer.body) as { session: string }).session
  }

  /** Opens a socket as a page does; answers which protocol was agreed on, or why not. */
  const openSocket = (secret: string | null, headers: Record<string, string>, path = '/rpc') =>
    new Promise<string>((resolve) => {
      const protocols = secret === null ? ['loam'] : socketProtocols(secret)
      const socket = new WebSocket(`ws://127.0.0.1:${server.port}${path}`, protocols, { headers })
      socket.on('open', () => {
        socket.close()
        resolve(socket.protocol)
      })
      socket.on('error', (error) => resolve(error.message))
    })

  it('serves the page with the content security policy and the other headers', async () => {
    const answer = await ask('/')
    expect(answer.status).toBe(200)
    expect(answer.body).toContain('<title>Loam</title>')
    expect(answer.headers['content-security-policy']).toContain(`default-src 'none'`)
    expect(answer.headers['content-security-policy']).toContain(`ws://127.0.0.1:${server.port}`)
    expect(answer.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
    })
    expect(answer.headers['access-control-allow-origin']).toBeUndefined()
  })

  it.each([
    ['a foreign host name', { host: 'evil.example' }],
    ['another port', { host: '127.0.0.1:1' }],
    ['a foreign page', { origin: 'http://evil.example' }],
    ['a page without an origin', { origin: 'null' }],
  ])('refuses %s with 403 in the one error shape', async (_name, headers) => {
    const answer = await ask('/', { headers })
    expect(answer.status).toBe(403)
    expect(loamErrorShape.parse(JSON.parse(answer.body)).code).toBe('UNAUTHORIZED')
    expect((await exchange(tokenOf(server.mintUrl()), headers)).status).toBe(403)
  })

  it('answers what is not there, and what is not allowed, in the one error shape', async () => {
    const asked = [
      ['/missing.js', 'GET', 404],
      ['/../package.json', 'GET', 404],
      ['/%2e%2e/package.json', 'GET', 404],
      ['/', 'POST', 405],
      ['/', 'DELETE', 405],
    ] as const
    for (const [path, method, status] of asked) {
      const answer = await ask(path, { method })
      expect([path, method, answer.status]).toEqual([path, method, status])
      loamErrorShape.parse(JSON.parse(answer.body))
    }
  })

  it('trades the one-time token for a secret that no browser sends by itself', async () => {
    expect((await ask('/session')).status).toBe(401)
    const url = server.mintUrl()
    expect(new URL(url).search).toBe('')
    const answer = await exchange(tokenOf(url))
    expect(answer.status).toBe(200)
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store' })
    expect(answer.headers['set-cookie']).toBeUndefined()
    const { session } = JSON.parse(answer.body) as { session: string }
    expect(session).not.toBe(tokenOf(url))
    expect((await ask('/session', { headers: { authorization: `Bearer ${session}` } })).status).toBe(204)
    expect((await ask('/session', { headers: { authorization: `Bearer ${session}x` } })).status).toBe(401)
    expect((await exchange(tokenOf(url))).status).toBe(401)
  })

  it('limits the size of a body', async () => {
    expect((await exchange('x'.repeat(10_000))).status).toBe(413)
    expect((await exchange('x'.repeat(300))).status).toBe(400)
    expect((await ask('/session', { method: 'POST', body: 'not json' })).status).toBe(400)
  })

  it('opens a socket only with a session, for its own page, on its path', async () => {
    const secret = await signIn()
    const origin = `http://127.0.0.1:${server.port}`
    // The secret itself is never echoed.
    expect(await openSocket(secret, { origin })).toBe('loam')
    expect(served).toBe(1)
    expect(await openSocket(null, { origin })).toContain('401')
    expect(await openSocket(`${secret}x`, { origin })).toContain('401')
    expect(await openSocket(secret, { origin: 'http://evil.example' })).toContain('403')
    expect(await openSocket(secret, { origin, host: 'evil.example' })).toContain('403')
    expect(await openSocket(secret, { origin }, '/rpc?token=x')).toContain('404')
    expect(await openSocket(secret, { origin }, '/other')).toContain('404')
    expect(served).toBe(1)
  })

  it('takes a message as large as the text of a file that may be handed in', async () => {
    const secret = await signIn()
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}/rpc`, socketProtocols(secret))
    const heard = new Promise<string>((resolve) => {
      socket.on('open', () => socket.send('x'.repeat(50_000_000)))
      socket.on('message', (data: Buffer) => resolve(data.toString()))
      socket.on('close', (code) => resolve(`closed with ${code}`))
    })
    expect(await heard).toBe('50000000')
    served -= 1
    socket.terminate()
  })

  it('lets nobody in for a cookie, whatever it is called and whatever it says', async () => {
    const secret = await signIn()
    const origin = `http://127.0.0.1:${server.port}`
    const cookie = [`loam-session-${server.port}`, 'loam.session', 'session', 'loam', 'authorization']
      .map((name) => `${name}=${secret}`)
      .join('; ')
    expect(await openSocket(null, { origin, cookie })).toContain('401')
    expect((await ask('/session', { headers: { cookie, origin } })).status).toBe(401)
    expect((await ask('/performance', { headers: { cookie, origin } })).status).not.toBe(200)
  })

  it.runIf(process.platform === 'linux')('listens on 127.0.0.1 and no other address', async () => {
    const others = Object.values(networkInterfaces()).flatMap((all) => all ?? [])
    const addresses = others.filter(({ family, internal }) => family === 'IPv4' && !internal)
    for (const host of ['127.0.0.2', ...addresses.map(({ address }) => address)]) {
      const refused = new Promise((resolve, reject) => {
        connect(server.port, host)
          .on('connect', () => reject(new Error(`${host} answers`)))
          .on('error', (error: NodeJS.ErrnoException) => resolve(error.code))
      })
      expect(await refused).toBe('ECONNREFUSED')
    }
  })

  it('opens only so many sockets at a time', async () => {
    const secret = await signIn()
    const open: WebSocket[] = []
    let last = ''
    for (let i = 0; i < 65; i++) {
      const socket = new WebSocket(`ws://127.0.0.1:${server.port}/rpc`, socketProtocols(secret))
      open.push(socket)
      last = await new Promise((resolve) => {
        socket.on('open', () => resolve('open'))
        socket.on('error', (error) => resolve(error.message))
      })
    }
    for (const socket of open) socket.terminate()
    expect(last).toContain('429')
  })

  it('says so when the port is taken', async () => {
    await expect(
      startUiServer({ root, port: server.port, serveSocket: () => undefined }),
    ).rejects.toMatchObject({
      code: 'CONFLICT',
    })
  })

  it('stops looking at tokens after too many wrong ones', async () => {
    const statuses = []
    for (let guess = 0; guess < 25; guess += 1) statuses.push((await exchange(`wrong-${guess}`)).status)
    expect(statuses.slice(0, 15).every((status) => status === 401)).toBe(true)
    expect(statuses.at(-1)).toBe(429)
    expect((await exchange(tokenOf(server.mintUrl()))).status).toBe(429)
  })
})
