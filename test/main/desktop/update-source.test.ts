import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openDesktopUpdates, type DesktopUpdates } from '../../../src/main/desktop/update-source'
import { openUpdates, type Updates } from '../../../src/main/host/updates'

const NEXT = `#!/bin/sh\n# Loam 0.2.0\n${'#'.repeat(100_000)}\n`
const sumOf = (text: string): string => createHash('sha512').update(text).digest('base64')

/** A server of versions on this machine, and what it was asked. */
async function openFeed(files: Readonly<Record<string, string>>) {
  const asked: { path: string; headers: IncomingHttpHeaders }[] = []
  const server: Server = createServer(({ url = '', headers }, response) => {
    const path = new URL(url, 'http://feed').pathname
    asked.push({ path, headers })
    const text = files[path]
    response.writeHead(text === undefined ? 404 : 200).end(text ?? '')
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return { asked, url: `http://127.0.0.1:${port}/loam`, close: () => server.close() }
}

const list = (version: string, sha512 = sumOf(NEXT)): string =>
  [
    `version: ${version}`,
    'files:',
    '  - url: Loam-0.2.0.AppImage',
    `    sha512: ${sha512}`,
    `    size: ${NEXT.length}`,
    'path: Loam-0.2.0.AppImage',
    `sha512: ${sha512}`,
    "releaseDate: '2026-11-29T00:00:00.000Z'",
    'releaseNotes: Recalls more.',
    '',
  ].join('\n')

describe.skipIf(process.platform !== 'linux')('newer versions of an installed Loam', () => {
  let folder: string
  let appImage: string
  let feed: Awaited<ReturnType<typeof openFeed>>
  let desktop: DesktopUpdates
  let updates: Updates
  let settings = { network: true, look: false }
  let hear: () => void
  let saving = Promise.resolve()

  /** An installed Loam 0.1.0 whose feed has these files. */
  async function install(files: Readonly<Record<string, string>>): Promise<void> {
    feed = await openFeed(files)
    await writeFile(
      join(folder, 'resources/app-update.yml'),
      `provider: generic\nurl: '${feed.url}'\nupdaterCacheDirName: loam-updater\n`,
    )
    open()
  }
  function open(): void {
    vi.stubEnv('APPIMAGE', appImage)
    desktop = openDesktopUpdates({
      ...{ isPackaged: true, version: '0.1.0', resources: join(folder, 'resources') },
      ...{ folder: join(folder, 'updates'), log: () => undefined },
    })
    updates = openUpdates({
      source: desktop.source,
      settings: () => ({
        network: settings.network,
        desktop: { tray: false, quickAsk: null, spelling: false, lookForUpdates: settings.look },
      }),
      savedSettings: () => saving,
      onSettings: (listener) => (hear = listener),
    })
  }
  const fetched = () => vi.waitFor(() => expect(updates.state().status).not.toBe('fetching'))
  const usual = (text = list('0.2.0')) => ({
    '/loam/latest-linux.yml': text,
    '/loam/Loam-0.2.0.AppImage': NEXT,
  })

  beforeEach(async () => {
    settings = { network: true, look: false }
    folder = await mkdtemp(join(tmpdir(), 'loam-updates-'))
    await mkdir(join(folder, 'resources'))
    appImage = join(folder, 'Loam.AppImage')
    await writeFile(appImage, '#!/bin/sh\n# Loam 0.1.0\n')
    await chmod(appImage, 0o755)
  })
  afterEach(async () => {
    vi.unstubAllEnvs()
    updates.close()
    feed.close()
    await rm(folder, { recursive: true, force: true })
  })

  it('are not looked for before a person asks, and not while the network is off', async () => {
    settings.network = false
    await install(usual())
    expect(updates.state()).toMatchObject({ unavailable: null, status: 'unasked' })
    expect((await updates.look()).problem?.code).toBe('NETWORK_OFF')
    // Turned on and looked for at once: the setting is still being saved.
    saving = Promise.resolve().then(() => void (settings.network = true))
    expect((await updates.look()).status).toBe('offered')
    expect(feed.asked).toHaveLength(1)
    open()
    hear()
    expect(feed.asked).toHaveLength(1)
    // Once it is chosen, it is asked once a start, and nothing is fetched.
    settings.look = true
    hear()
    hear()
    await vi.waitFor(() => expect(updates.state().status).toBe('offered'))
    expect(feed.asked.map(({ path }) => path)).toEqual(['/loam/latest-linux.yml', '/loam/latest-linux.yml'])
  })

  it('are looked for, fetched, checked and installed, each when a person says so', async () => {
    await install(usual())
    expect(await updates.look()).toMatchObject({
      status: 'offered',
      source: new URL(feed.url).host,
      newer: { version: '0.2.0', sizeBytes: NEXT.length, notes: 'Recalls more.' },
    })
    expect(feed.asked).toHaveLength(1)
    updates.fetch()
    await fetched()
    expect(updates.state()).toMatchObject({ status: 'ready', doneBytes: NEXT.length, problem: null })
    // It is here, and nobody wanted it installed.
    desktop.atExit(0)
    expect(await readFile(appImage, 'utf8')).toContain('0.1.0')
    expect((await updates.installOnQuit(true)).status).toBe('on-quit')
    expect((await updates.installOnQuit(false)).status).toBe('ready')
    desktop.atExit(0)
    expect(await readFile(appImage, 'utf8')).toContain('0.1.0')
    await updates.installOnQuit(true)
    desktop.atExit(0)
    expect(await readFile(appImage, 'utf8')).toBe(NEXT)
    expect((await stat(appImage)).mode & 0o111).toBe(0o111)
    // No name of this installation went out.
    for (const { headers } of feed.asked) {
      expect(Object.keys(headers).filter((name) => name.startsWith('x-'))).toEqual([])
    }
    expect(feed.asked.map(({ path }) => path)).toEqual([
      '/loam/latest-linux.yml',
      '/loam/Loam-0.2.0.AppImage',
    ])
  })

  it('whose file is another than the list names are thrown away', async () => {
    await install(usual(list('0.2.0', sumOf('another'))))
    await updates.look()
    updates.fetch()
    await fetched()
    expect(updates.state()).toMatchObject({ status: 'offered', problem: { code: 'CHECKSUM' } })
    expect((await updates.installOnQuit(true)).status).toBe('offered')
    desktop.atExit(0)
    expect(await readFile(appImage, 'utf8')).toContain('0.1.0')
    expect(existsSync(join(folder, 'updates/loam-updater/pending/Loam-0.2.0.AppImage'))).toBe(false)
  })

  it.each([
    ['the same version', list('0.1.0'), { status: 'newest', newer: null }],
    ['an older one', list('0.0.9'), { status: 'newest', newer: null }],
    ['no version', 'version: nothing\n', { status: 'unasked', problem: { code: 'DOWNLOAD' } }],
    ['no list', '\u0000{', { status: 'unasked', problem: { code: 'DOWNLOAD' } }],
    [
      'a list without end',
      `version: ${'9'.repeat(70_000)}`,
      { status: 'unasked', problem: { code: 'DOWNLOAD' } },
    ],
  ])('are none where the server has %s', async (_name, text, state) => {
    await install(usual(text))
    expect(await updates.look()).toMatchObject(state)
  })

  it('are said to be out of reach in words, for a server that is not there and for what cannot renew itself', async () => {
    await install({})
    expect((await updates.look()).problem?.cause).toMatch(/404/)
    await rm(join(folder, 'resources/app-update.yml'))
    open()
    expect(updates.state().unavailable).toContain('does not say where newer versions are')
    const checkout = openDesktopUpdates({
      ...{ isPackaged: false, version: '0.1.0', resources: folder, folder, log: () => undefined },
    })
    expect(checkout.source).toMatchObject({ unavailable: expect.stringContaining('git pull') as unknown })
  })
})
