import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { strToU8, zipSync, type Zippable } from 'fflate'
import { expect, it, vi } from 'vitest'
import { readableFormat, readableFormats, recogniseFormat } from '../../../src/core/formats'
import type { Found } from '../../../src/core/memory/experiences/import/log'
import { archivedFiles } from '../../../src/main/adapters/isolate/work/formats/zip'

const context = {
  memoryId: 'm',
  now: '2026-03-01T00:00:00.000Z',
  hash: (text: string) => createHash('sha256').update(text).digest('hex'),
  unpack: archivedFiles,
}
const log = (name: string): Uint8Array => readFileSync(resolve('test/fixtures/kb/logs', name))
const head = (bytes: Uint8Array): string => new TextDecoder().decode(bytes.subarray(0, 65_536))
const idOf = (bytes: Uint8Array, name: string): string =>
  recogniseFormat(head(bytes), name, readableFormats()).format.id

async function readArchive(bytes: Uint8Array): Promise<Found[]> {
  const all: Found[] = []
  for await (const one of readableFormat('zip').readBytes?.(bytes, context) ?? []) all.push(one)
  return all
}
const leftIn = (all: readonly Found[]): string[] =>
  all.flatMap((one) => (one.kind === 'left' ? [`${one.place.file}: ${one.why}`] : []))
/** Attempts and chats, by the file that each stands in. */
const tallied = (all: readonly Found[]): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const { kind, place } of all)
    if (kind !== 'left') counts[`${place.file}`] = (counts[`${place.file}`] ?? 0) + 1
  return counts
}

it("reads ChatGPT's export as it is sent, and names what it does not read", async () => {
  const alone: Found[] = []
  async function* text() {
    yield await Promise.resolve(head(log('chatgpt.json')))
  }
  for await (const one of readableFormat('chatgpt').read?.(text(), context) ?? []) alone.push(one)
  const bytes = zipSync({
    'conversations.json': log('chatgpt.json'),
    'user.json': strToU8('{"id":"user-1"}'),
    'chat.html': strToU8('<html>'),
    'file-abc.png': new Uint8Array(9),
    '__MACOSX/._user.json': new Uint8Array(4),
  })
  expect(idOf(bytes, 'export.zip')).toBe('zip')
  const all = await readArchive(bytes)
  const read = alone.filter(({ kind }) => kind !== 'left').length
  expect(read).toBeGreaterThan(0)
  expect(tallied(all)).toEqual({ 'conversations.json': read })
  expect(leftIn(all).slice(-3)).toEqual([
    'user.json: The file does not look like any format that Loam reads: it is JSON with the names id.',
    'chat.html: it is a picture, a recording or a page, which are not read',
    'file-abc.png: it is a picture, a recording or a page, which are not read',
  ])
})

it('reads files of several formats in folders, but no archive within', async () => {
  const inner = zipSync({ 'a.json': log('chatgpt.json') })
  const all = await readArchive(
    zipSync({ 'logs/codex.jsonl': log('codex.jsonl'), 'logs/cline.json': log('cline.json'), 'b.zip': inner }),
  )
  expect(Object.keys(tallied(all)).sort()).toEqual(['logs/cline.json', 'logs/codex.jsonl'])
  expect(leftIn(all).some((why) => why.startsWith('b.zip: '))).toBe(true)
})

it('takes no workbook and no bundle for one, and Inspect keeps its own', () => {
  const zipOf = (files: Zippable) => zipSync(files, { level: 0 })
  expect(() => idOf(zipOf({ '[Content_Types].xml': strToU8('<Types/>') }), 'a.xlsx')).toThrow(/no text/)
  const sample = zipOf({ 'samples/a_epoch_1.json': strToU8('{}') })
  expect(idOf(sample, 'a.eval')).toBe('inspect-eval')
})

it('says of a damaged or hostile archive what is wrong with it', async () => {
  const whole = zipSync({ 'conversations.json': log('chatgpt.json') })
  expect(leftIn(await readArchive(whole.subarray(0, whole.length - 30)))).toHaveLength(1)
  const bomb = zipSync({ 'conversations.json': new Uint8Array(8 * 1024 * 1024) })
  expect(leftIn(await readArchive(bomb))).toEqual([
    'conversations.json: conversations.json is packed more than 400 to 1, as archives meant to fill a disk are.',
  ])
})

it("reads Jan's threads with what is said of them beside", async () => {
  const said = { id: 'a', thread_id: 't', object: 'thread.message', role: 'user', created_at: 1710264131 }
  const messages = [
    { ...said, content: [{ type: 'text', text: { value: 'Where is the key?' } }] },
    { ...said, id: 'b', role: 'assistant', content: [{ type: 'text', text: { value: 'Under the mat.' } }] },
  ]
  const all = await readArchive(
    zipSync({
      'threads/t/thread.json': strToU8(JSON.stringify({ id: 't', title: 'Keys' })),
      'threads/t/messages.jsonl': strToU8(messages.map((one) => JSON.stringify(one)).join('\n')),
    }),
  )
  expect(all.flatMap((one) => (one.kind === 'chat' ? [one.chat.title] : []))).toEqual(['Keys'])
  expect(leftIn(all)).toEqual(['threads/t/thread.json: it is read with the file beside it'])
})

it('unpacks each file once, however many there are, and of files that lie beside others small ones alone', async () => {
  const message = (id: number) =>
    strToU8(
      `${JSON.stringify({ id: `m${id}`, object: 'thread.message', thread_id: 't', role: 'user', content: [] })}\n`,
    )
  const files = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`t/m${i}.jsonl`, message(i)]))
  const reads: string[] = []
  const readWith = async (thread: string): Promise<void> => {
    const bytes = zipSync({ ...files, 't/thread.json': [strToU8(thread), { level: 0 }] })
    const unpack = (all: Uint8Array) =>
      archivedFiles(all).map((file) => ({
        ...file,
        read: () => {
          reads.push(file.name)
          return file.read()
        },
      }))
    for await (const _ of readableFormat('zip').readBytes?.(bytes, { ...context, unpack }) ?? []);
  }
  await readWith(JSON.stringify({ id: 't', title: 'Boats' }))
  expect(reads.filter((name) => name.endsWith('.jsonl'))).toHaveLength(40)
  expect(reads.filter((name) => name === 't/thread.json')).toHaveLength(40)
  reads.length = 0
  await readWith(JSON.stringify({ id: 't', title: 'x'.repeat(1024 * 1024) }))
  expect(reads).not.toContain('t/thread.json')
})

it('reads files that are stored and files that are deflated as they were packed', () => {
  const bytes = zipSync({
    'a.txt': [strToU8('stored'), { level: 0 }],
    'b/c.txt': strToU8('deflated '.repeat(99)),
  })
  const texts = archivedFiles(bytes).map(({ name, size, read }) => [
    name,
    size,
    new TextDecoder().decode(read()),
  ])
  expect(texts).toEqual([
    ['a.txt', 6, 'stored'],
    ['b/c.txt', 891, 'deflated '.repeat(99)],
  ])
})

it('walks the list of an archive as often for many files as for few', () => {
  const walks = (count: number): number => {
    const bytes = zipSync(
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`${i}.json`, strToU8('[]')])),
    )
    const spy = vi.spyOn(Buffer.prototype, 'readUInt32LE')
    for (const file of archivedFiles(bytes)) file.read()
    const { length } = spy.mock.calls
    spy.mockRestore()
    return length / count
  }
  expect(walks(400)).toBeLessThan(2 * walks(100))
})

it('reads no more of an archive than four gigabytes, however often one of its files is read', () => {
  const bytes = zipSync({ 'a.json': [new Uint8Array(2 * 1024 * 1024), { level: 0 }] })
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  // What the list says that it unpacks to: 512 MiB.
  view.setUint32(view.getUint32(bytes.length - 6, true) + 24, 512 * 1024 * 1024, true)
  const [file] = archivedFiles(bytes)
  for (let i = 0; i < 8; i++) expect(() => file?.read()).toThrow('does not unpack to what')
  expect(() => file?.read()).toThrow('What is read of the archive would be more than')
})
