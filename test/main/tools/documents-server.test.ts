import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { strToU8, zipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type BuiltServer } from './built-server'
import { pdfFile, sheetFile, slidesFile, wordFile } from './document-files'

let base: string
let documents: BuiltServer
let search: BuiltServer

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'loam-documents-'))
  const root = join(base, 'allowed')
  await mkdir(join(root, 'sub'), { recursive: true })
  const files: Record<string, string | Uint8Array> = {
    'plan.docx': wordFile(),
    'talk.pptx': slidesFile(),
    'harvest.xlsx': sheetFile(),
    'paper.pdf': pdfFile('The comet returns in 2061', 'Second page'),
    'rows.csv': 'name;size\n"a;b";3\n',
    'data.json': '{"a":[1,{"b":true}]}',
    'note.xml': '<note id="7"><to>Ada</to><to>Bob</to></note>',
    'page.html':
      '<title>Tides</title><h1>Tides</h1><script>bad()</script><p>High at <b>noon</b>.</p><table><tr><th>h</th></tr><tr><td>4</td></tr></table>',
    'sub/code.py': 'print("moss")\n',
    'latin.txt': new Uint8Array([0x63, 0x61, 0x66, 0xe9]),
    'photo.png': new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0, 0]),
    'box.zip': zipSync({ 'in/rows.csv': strToU8('x,y\n1,2\n'), 'plan.docx': wordFile() }),
    'bomb.zip': zipSync({ 'zeros.txt': new Uint8Array(48 * 1024 * 1024) }, { level: 9 }),
    'bomb.xlsx': zipSync({ 'xl/workbook.xml': new Uint8Array(48 * 1024 * 1024) }, { level: 9 }),
    'long.txt': Array.from({ length: 4000 }, (_, at) => `line ${at}\n`).join(''),
  }
  await Promise.all(Object.entries(files).map(([name, content]) => writeFile(join(root, name), content)))
  await writeFile(join(base, 'private.txt'), 'do not read')
  await symlink(join(base, 'private.txt'), join(root, 'way-out.txt'))
  ;[documents, search] = await Promise.all([
    startServer('documents', '--root', root),
    startServer('search', '--root', root),
  ])
})
afterAll(async () => {
  await Promise.all([documents.close(), search.close()])
  await rm(base, { recursive: true, force: true })
})

const read = (path: string, more: Record<string, unknown> = {}) =>
  documents.call('read_document', { path, ...more })

describe('the documents server', () => {
  it('reads and finds as much as it may where more is asked for', async () => {
    expect((await read('long.txt', { limit: 1_000_000, offset: -3 })).text).toContain('line 3999')
    expect((await search.call('search_files', { query: 'tides', limit: 1000 })).failed).toBe(false)
  })

  it.each([
    ['plan.docx', ['# Garden plan', 'Beans follow barley.', '| North | Barley |']],
    ['talk.pptx', ['## Slide 1', 'Clay & loam', '[image: A rising curve]', 'Notes: Mention the drought']],
    ['harvest.xlsx', ['## Sheet: Harvest', '| barley | 12.5 |', '| beans \\| peas | 7 |']],
    ['paper.pdf', ['## Page 1', 'The comet returns in 2061', '## Page 2']],
    ['rows.csv', ['| name | size |', '| a;b | 3 |']],
    ['data.json', ['```json', '"b": true']],
    ['note.xml', ['"@id": "7"', '"Ada"']],
    ['page.html', ['# Tides', 'High at **noon**.', '| 4 |']],
    ['sub/code.py', ['print("moss")']],
    ['latin.txt', ['café']],
    ['box.zip', ['in/rows.csv (8 bytes)']],
  ])('reads %s', async (path, expected) => {
    const { text, failed } = await read(path)
    expect({ path, failed, text }).toMatchObject({ failed: false })
    for (const part of expected) expect(text).toContain(part)
  })

  it('reads a file inside an archive as what it is', async () => {
    expect((await read('box.zip', { inner: 'in/rows.csv' })).text).toContain('| 1 | 2 |')
    expect((await read('box.zip', { inner: 'plan.docx' })).text).toContain('Beans follow barley.')
    expect(await read('box.zip', { inner: '../x' })).toMatchObject({ failed: true })
  })

  it('gives a long text page by page without losing a character', async () => {
    let text = ''
    for (let offset = 0; ;) {
      const part = (await read('long.txt', { offset, limit: 15_000 })).text
      text += part.slice(0, part.lastIndexOf('\n\n[characters'))
      const next = /go on with offset (\d+)/.exec(part)?.[1]
      if (next === undefined) break
      offset = Number(next)
    }
    expect(text).toMatch(/^line 0\nline 1\n/)
    expect(text).toMatch(/line 3999\n$/)
    expect(text.split('\n')).toHaveLength(4001)
  })

  it.each(['../private.txt', 'way-out.txt', '/etc/passwd', 'missing.txt'])(
    'says the same of %s, wherever it is',
    async (path) => {
      const { text, failed } = await read(path)
      expect(failed).toBe(true)
      expect(text).toBe(`There is no file ${path} in the folders this tool may read.`)
    },
  )

  it('unpacks no bomb', async () => {
    expect(await read('bomb.zip', { inner: 'zeros.txt' })).toMatchObject({
      failed: true,
      text: expect.stringContaining('packed more than 400 to 1') as string,
    })
    expect(await read('bomb.xlsx')).toMatchObject({ failed: true })
  })

  it('sends images to the tool for them, which says that it has no model', async () => {
    expect((await read('photo.png')).text).toContain('describe_image')
    const captions = await startServer('captions', '--root', join(base, 'allowed'))
    expect(await captions.call('describe_image', { path: 'photo.png' })).toMatchObject({
      failed: true,
      text: expect.stringContaining('Not available') as string,
    })
    await captions.close()
  })
})

describe('the search server', () => {
  it('finds words in files of every kind, and what changes between two searches', async () => {
    expect((await search.call('search_files', { query: 'comet' })).text).toContain('### paper.pdf')
    expect((await search.call('search_files', { query: 'drought' })).text).toContain('### talk.pptx')
    const path = join(base, 'allowed', 'fresh.md')
    await writeFile(path, 'A word about lichen.')
    expect((await search.call('search_files', { query: 'lichen' })).text).toContain('### fresh.md')
    await rm(path)
    expect((await search.call('search_files', { query: 'lichen' })).text).toMatch(
      /^Nothing about that in \d+ files/,
    )
    expect((await search.call('search_files', { query: 'do not read private' })).text).not.toContain(
      'private.txt',
    )
  })

  it('searches the web only when it is on', async () => {
    expect(await search.call('search_web', { query: 'comet' })).toEqual({
      failed: true,
      text: 'Not available: the network is off.',
    })
  })
})
