import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readUiFile, resolveUiPath, uiHeaders } from '../../../src/main/api/ui-files'

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
