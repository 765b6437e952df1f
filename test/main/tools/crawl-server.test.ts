import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isLoopback, isPublic } from '../../../src/main/net/address'
import { startServer, type BuiltServer } from './built-server'
import { pdfFile } from './document-files'

const article = `<html><head><title>On loam</title></head><body><nav>Home About Login</nav><article><h1>On loam</h1>
${'<p>Loam is soil of sand, silt and clay in a good measure, and it holds water without drowning roots.</p>'.repeat(8)}
</article><script>document.title = 'x'</script><footer>All rights</footer></body></html>`

let site: Server
let at: string
/** One with the network and private pages, one with the network, one as it comes. */
let open: BuiltServer
let guarded: BuiltServer
let off: BuiltServer
let requests = 0

beforeAll(async () => {
  site = createServer((request, response) => {
    requests += 1
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://x')
    if (pathname === '/article') response.setHeader('content-type', 'text/html').end(article)
    else if (pathname === '/paper')
      response.setHeader('content-type', 'application/pdf').end(pdfFile('Comets'))
    else if (pathname === '/to') response.writeHead(302, { location: searchParams.get('url') ?? '' }).end()
    else if (pathname === '/loop') response.writeHead(302, { location: '/loop' }).end()
    else if (pathname === '/slow') response.writeHead(200, { 'content-type': 'text/plain' }).write('wait')
    else if (pathname === '/endless') {
      const send = (): void =>
        void (response.write('x'.repeat(1_000_000)) ? setImmediate(send) : response.once('drain', send))
      response.on('error', () => undefined)
      send()
    } else if (pathname === '/search') {
      const results = [
        { url: 'https://a.example/', title: 'Gardens of the south', content: 'Roses' },
        { url: 'https://b.example/', title: 'Comet Halley', content: 'The comet returns in 2061.' },
      ]
      response.end(JSON.stringify({ query: searchParams.get('q'), results }))
    } else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  at = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
  ;[open, guarded, off] = await Promise.all([
    startServer('crawl', '--network', '--allow-private', '--time-limit', '5'),
    startServer('crawl', '--network', '--time-limit', '5'),
    startServer('crawl', '--allow-private'),
  ])
})
afterAll(async () => {
  await Promise.all([open.close(), guarded.close(), off.close()])
  site.closeAllConnections()
  site.close()
})

describe('the crawl server', () => {
  it('reads what a person would read', async () => {
    const { text, failed } = await open.call('read_page', { url: `${at}/article` })
    expect(failed).toBe(false)
    expect(text).toMatch(/^# On loam\n/)
    expect(text).toContain('sand, silt and clay')
    expect(text).not.toMatch(/Login|document\.title/)
    expect((await open.call('read_page', { url: `${at}/paper` })).text).toContain('Comets')
    expect((await open.call('read_page', { url: `${at}/to?url=/article` })).text).toContain('# On loam')
  })

  it('opens no connection while the network is off', async () => {
    const before = requests
    expect(await off.call('read_page', { url: `${at}/article` })).toEqual({
      failed: true,
      text: 'Not available: the network is off.',
    })
    expect(requests).toBe(before)
  })

  it.each([
    'http://localhost:1/',
    'http://[::ffff:127.0.0.1]:1/',
    'http://10.0.0.1/',
    'http://169.254.169.254/',
  ])('does not connect to %s without leave', async (url) => {
    expect(await guarded.call('read_page', { url })).toMatchObject({
      failed: true,
      text: expect.stringContaining('private address') as string,
    })
  })

  it('reads only http and https', async () => {
    expect(await open.call('read_page', { url: 'file:///etc/hostname' })).toMatchObject({ failed: true })
    expect((await open.call('read_page', { url: `${at}/to?url=file:///etc/hostname` })).text).toContain(
      'not allowed',
    )
  })

  it('gives up on endless redirects, slow pages and large ones', async () => {
    expect((await open.call('read_page', { url: `${at}/loop` })).text).toContain('More than 5 redirects')
    expect((await open.call('read_page', { url: `${at}/slow` })).text).toContain('within 5 s')
    expect((await open.call('read_page', { url: `${at}/endless` })).failed).toBe(true)
  })
})

describe('web search', () => {
  it('asks SearXNG and puts first what is nearest to the query', async () => {
    const search = await startServer('search', '--network', '--searxng', at)
    const { text } = await search.call('search_web', { query: 'when does the comet return' })
    expect(text.split('\n')[0]).toBe('- Comet Halley')
    await search.close()
  })
})

describe('addresses', () => {
  it('are told apart', () => {
    expect(['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1'].map(isLoopback)).toEqual([
      true,
      true,
      true,
      true,
    ])
    const inner = [
      '0.0.0.0',
      '10.1.2.3',
      '100.64.0.1',
      '172.31.0.1',
      '192.168.1.1',
      '169.254.169.254',
      '224.0.0.1',
    ]
    const inner6 = [
      '::',
      '::1',
      'fe80::1',
      'fd00::1',
      '::ffff:10.0.0.1',
      '::ffff:7f00:1',
      '64:ff9b::7f00:1',
      'no address',
    ]
    expect([...inner, ...inner6].filter(isPublic)).toEqual([])
    expect(['8.8.8.8', '172.32.0.1', '2606:4700::1111'].map(isPublic)).toEqual([true, true, true])
  })
})
