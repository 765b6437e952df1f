import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createKey } from '../../../src/main/api/program-keys'
import { serveApp, type ServedApp } from '../../../src/main/serve-app'

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })

describe('REST in the desktop app', () => {
  let folder: string
  let host: ServedApp
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'loam-rest-server-'))
    // As the desktop's entry opens it; its windows play no part here.
    host = await serveApp({ dataPath: join(folder, 'data'), host: 'electron' })
  })
  afterEach(async () => {
    await host.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const ask = async (port: number, headers: Record<string, string>): Promise<number | string> =>
    fetch(`http://127.0.0.1:${port}/api/memories/list`, { headers }).then(
      ({ status }) => status,
      () => 'closed',
    )

  it('is off until the setting says otherwise, and follows it', async () => {
    const port = await freePort()
    const token = await createKey(
      host.app.data.path,
      { name: 'one', scopes: ['read'], memory: null },
      new Date(),
    )
    const allowed = { authorization: `Bearer ${token}` }
    expect(host.app.settings().rest.on).toBe(false)
    expect(await ask(port, allowed)).toBe('closed')
    await host.app.saveSettings({ rest: { on: true, port } })
    await expect.poll(() => ask(port, allowed)).toBe(200)
    expect(await ask(port, {})).toBe(401)
    expect(await ask(port, { ...allowed, origin: 'http://evil.example' })).toBe(403)
    expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(404)
    await host.app.saveSettings({ rest: { on: false, port } })
    await expect.poll(() => ask(port, allowed)).toBe('closed')
  })

  it('stays off where another program has the port, and Loam goes on', async () => {
    const other = createServer((_, response) => response.end('other'))
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const { port } = other.address() as AddressInfo
    await host.app.saveSettings({ rest: { on: true, port } })
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('other')
    const next = await freePort()
    await host.app.saveSettings({ rest: { on: true, port: next } })
    await expect.poll(() => ask(next, {})).toBe(401)
    other.close()
  })
})
