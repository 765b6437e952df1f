import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { strToU8, zipSync, type Zippable } from 'fflate'
import { expect, it } from 'vitest'
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
