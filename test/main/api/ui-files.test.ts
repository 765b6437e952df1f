import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packUiFile, readUiFile, resolveUiPath, uiHeaders } from '../../../src/main/api/ui-files'

describe('readUiFile', () => {
  let base: string
  let root: string

  beforeAll(() => {
    base = mkdtempSync(join(tmpdir(), 'loam-files-'))
    root = join(base, 'ui')
    mkdirSync(join(root, 'assets'), { recursive: true })
    writeFileSync(join(root, 'index.html'), '<p>hello')
    writeFileSync(join(root, 'assets', 'app-1a2b.js'), 'x')
    writeFileSync(join(root, 'notes.txt'), 'not ours to serve')
    writeFileSync(join(base, 'secret.json'), '{}')
    mkdirSync(join(base, 'ui-neighbour'))
    writeFileSync(join(base, 'ui-neighbour', 'page.html'), 'no')
  })
  afterAll(() => rmSync(base, { recursive: true, force: true }))

  it('serves the page at / and hashed files for good', async () => {
    const page = await readUiFile(root, '/')
    expect(Buffer.from(page?.body ?? []).toString()).toBe('<p>hello')
    expect(page?.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
    })
    expect((await readUiFile(root, '/assets/app-1a2b.js'))?.headers['cache-control']).toContain('immutable')
  })

  it.each([
    '/../secret.json',
    '/..%2fsecret.json',
    '/%2e%2e/secret.json',
    '/assets/../../secret.json',
    '/..\\secret.json',
    '/..%5csecret.json',
    '//secret.json/../../secret.json',
    '/../ui-neighbour/page.html',
    '/C:/Windows/win.json',
    '/index.html%00.js',
    '/%E0%A4%A',
    'index.html',
    '',
  ])('does not follow %s', async (path) => {
    expect(resolveUiPath(root, path)).toBeNull()
    expect(await readUiFile(root, path)).toBeNull()
  })

  it.each(['/missing.js', '/assets', '/notes.txt'])('has nothing at %s', async (path) => {
    expect(await readUiFile(root, path)).toBeNull()
  })

  it('does not follow a link out of its folder', async (context) => {
    try {
      symlinkSync(join(base, 'secret.json'), join(root, 'link.json'))
    } catch {
      return context.skip('links cannot be made here')
    }
    expect(await readUiFile(root, '/link.json')).toBeNull()
  })
})

describe('uiHeaders', () => {
  it('allows nothing but what comes from the page’s own origin', () => {
    const policy = uiHeaders(['ws://127.0.0.1:4000'])['content-security-policy'] ?? ''
    const directives = new Map(
      policy.split('; ').map((part) => [part.split(' ')[0], part.split(' ').slice(1)]),
    )
    expect(directives.get('default-src')).toEqual([`'none'`])
    expect(directives.get('connect-src')).toEqual([`'self'`, 'ws://127.0.0.1:4000'])
    expect(policy).not.toContain('unsafe')
    expect(policy).not.toContain('*')
    // Pictures of asks are shown from memory; nothing else is.
    expect(directives.get('img-src')).toEqual([`'self'`, 'blob:'])
    directives.delete('img-src')
    for (const sources of directives.values()) {
      for (const source of sources) expect([`'none'`, `'self'`, 'ws://127.0.0.1:4000']).toContain(source)
    }
  })
})

describe('packUiFile', () => {
  const text = 'the same words again '.repeat(500)
  const file = {
    body: new Uint8Array(Buffer.from(text)),
    headers: { 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'immutable' },
  }
  it.each([
    ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
    ['gzip, deflate', 'gzip', gunzipSync],
    ['br;q=0, gzip;q=0.5', 'gzip', gunzipSync],
  ] as const)('answers %s with %s', async (accepted, coding, unpack) => {
    const packed = await packUiFile(file, `/assets/${coding}-1a.js`, accepted)
    expect(packed.headers).toMatchObject({ 'content-encoding': coding, vary: 'accept-encoding' })
    expect(packed.body.length).toBeLessThan(file.body.length / 10)
    expect(unpack(packed.body).toString()).toBe(text)
    expect(await packUiFile(file, `/assets/${coding}-1a.js`, accepted)).toBe(packed)
  })

  it.each([undefined, '', 'identity', 'zstd', 'br;q=0'])('leaves it as it is for %s', async (accepted) => {
    expect(await packUiFile(file, '/assets/b.js', accepted)).toBe(file)
  })

  it('leaves pictures and small files as they are', async () => {
    const picture = { ...file, headers: { 'content-type': 'image/png' } }
    expect(await packUiFile(picture, '/assets/c.png', 'br')).toBe(picture)
    const small = { ...file, body: file.body.slice(0, 100) }
    expect(await packUiFile(small, '/assets/d.js', 'br')).toBe(small)
  })
})
