import { Buffer } from 'node:buffer'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openDataFolder, type DataFolder } from '../../../src/main/host/data-folder'
import { memorySourceOf } from '../../../src/main/items/memory-items'
import type { StoredMemory } from '../../../src/main/memory-store/memory'
import { commitsOf } from '../../../src/main/share/bundle/write-bundle'
import { wholeBundle } from '../share/whole-bundle'
import { publishMemory } from '../../../src/main/share/publish'
import { openMemories, type Memories } from '../../../src/main/memories/memories'
import { openSigners } from '../../../src/main/share/signers'
import { createImports, type ImportInput, type Imports } from '../../../src/main/transfer/imports'
import { importChoiceSchema, type ImportSource } from '../../../src/shared/domain/item-transfer'
import { leftCount } from '../../../src/shared/domain/reading'
import { kindOf } from '../../../src/core/memory'
import { fillMemory, written } from '../../core/formats/memories'
import { attempt, caseOf, wordEmbedder } from '../memory-store/fixtures'

const NOW = new Date(Date.UTC(2026, 5, 1))

let folder: string
let data: DataFolder
let memories: Memories
let imports: Imports
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loam-imports-'))
  const clock = { now: () => NOW }
  data = await openDataFolder(join(folder, 'data'), { clock })
  const embedder = wordEmbedder()
  memories = openMemories({
    data,
    clock,
    embedder: () => Promise.resolve(embedder),
  })
  imports = createImports({
    memories,
    clock,
    embedder: () => Promise.resolve(embedder),
    network: () => false,
    signers: openSigners(join(folder, 'data'), () => NOW),
  })
})
afterEach(async () => {
  await memories.close()
  await data.close()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

const at = (name: string): string => join(folder, name)
const input = (source: ImportSource, more: Partial<Omit<ImportInput, 'source'>> = {}): ImportInput => ({
  ...importChoiceSchema.parse({ source }),
  memoryId: at('mine'),
  ...more,
})
const text = (rows: string): ImportSource => ({ from: 'text', fileName: 'rows.csv', text: rows })
const HEAD = 'id,kind,title,text\n'
const ROWS = `${HEAD}1,note,One,The tide is high\n2,note,Two,The boat is red\n3,note,,\n`
const liveOf = async (kind: string, memory: StoredMemory): Promise<string[]> =>
  [...((await kindOf(kind)?.heads(memorySourceOf(memory))) ?? [])].flatMap(({ id, gone }) =>
    gone === null ? [id] : [],
  )
const live = async (): Promise<number> =>
  liveOf('note', await memories.open(at('mine'))).then((ids) => ids.length)

describe('one door in', () => {
  it('previews by kind with counts and samples, and changes nothing', async () => {
    const mine = await memories.open(at('mine'))
    const before = await mine.contentHash()
    const looked = await imports.preview(input(text(ROWS)))
    expect(looked).toMatchObject({ rows: 3, imported: 2, duplicates: 0, format: 'csv' })
    expect(looked.left).toMatchObject([{ why: 'it has no text' }])
    expect(looked.kinds).toMatchObject([
      { kind: 'note', rows: 2, fresh: 2, duplicates: 0, conflicts: 0, skipped: 0 },
    ])
    expect(looked.kinds[0]?.samples.map(({ title }) => title)).toEqual(['One', 'Two'])
    expect(await mine.contentHash()).toBe(before)
    expect(await imports.list(at('mine'))).toEqual([])
    // What it says is what happens.
    const { importId, ...done } = await imports.run(input(text(ROWS)))
    expect(importId).not.toBeNull()
    expect(done).toEqual(looked)
  })

  it('takes in the kinds and items that are chosen, and says so of the others', async () => {
    const none = await imports.run(input(text(ROWS), { kinds: ['case'] }))
    expect(none).toMatchObject({ rows: 3, imported: 0, importId: null })
    expect(none.left.map(({ why }) => why)).toEqual([
      'it was not chosen',
      'it was not chosen',
      'it has no text',
    ])
    const looked = await imports.preview(input(text(ROWS)))
    const [first] = looked.kinds[0]?.samples ?? []
    const some = await imports.run(input(text(ROWS), { skip: [`note/${first?.id}`] }))
    expect(some).toMatchObject({ imported: 1, kinds: [{ fresh: 1, skipped: 1 }] })
    expect(await live()).toBe(1)
  })

  it('names where an item came from, over a restart', async () => {
    const done = await imports.run(input(text(ROWS), { client: 'a test' }))
    const [first] = done.kinds[0]?.samples ?? []
    await memories.release(at('mine'))
    expect(await imports.originOf(at('mine'), { kind: 'note', id: first?.id ?? '' })).toEqual({
      importId: done.importId,
      file: 'rows.csv',
      format: 'csv',
      client: 'a test',
      at: NOW.toISOString(),
    })
    expect(await imports.originOf(at('mine'), { kind: 'note', id: 'other' })).toBeNull()
  })

  it('undoes any import as a whole: exactly while nothing was written since, else item by item', async () => {
    await (await memories.open(at('mine'))).commit(attempt(1, 'of its own'))
    const commits = await commitsOf(await memories.open(at('mine')))
    const first = await imports.run(input(text(ROWS)))
    const second = await imports.run(input(text(`${HEAD}4,note,Four,The mast is tall\n`)))
    expect(await live()).toBe(3)
    // Not the last one: its two items go, the other stays.
    expect(await imports.undo(at('mine'), first.importId)).toMatchObject({ removed: 2, stays: [] })
    expect(await live()).toBe(1)
    await expect(imports.undo(at('mine'), first.importId)).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(await imports.undo(at('mine'), second.importId)).toMatchObject({ removed: 1 })
    expect(await live()).toBe(0)
    expect((await imports.list(at('mine'))).map(({ undoneAt }) => undoneAt)).not.toContain(null)
    // The last one, with nothing behind it: the journal is as it was.
    await memories.open(at('other'))
    const again = await imports.run(input(text(ROWS), { memoryId: at('other') }))
    await memories.release(at('other'))
    await imports.undo(at('other'), again.importId)
    expect(await commitsOf(await memories.open(at('other')))).toEqual([])
    expect((await commitsOf(await memories.open(at('mine')))).slice(0, 1)).toEqual(commits)
    await expect(imports.undo(at('mine'), 'nothing')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it.each([
    ['keep', 0, ['how it reads here']],
    ['take', 1, ['how it reads there']],
    ['both', 1, ['how it reads here', 'how it reads there']],
  ] as const)(
    'answers conflicts once for a file as for a bundle: %s',
    async (onConflict, imported, expected) => {
      const own = caseOf('conflict', 'how it reads here')
      const there = await memories.open(at('there'))
      await there.commit([{ kind: 'case-added', case: { ...own, state: 'how it reads there' } }])
      await writeFile(at('there.jsonl'), await written(there, 'loam'))
      await writeFile(at('there.loam'), (await wholeBundle(there, { loamVersion: '0', now: NOW })).bytes)
      for (const [i, file] of ['there.jsonl', 'there.loam'].entries()) {
        const memoryId = at(`mine-${i}`)
        const mine = await memories.open(memoryId)
        await mine.commit([{ kind: 'case-added', case: own }])
        const choice = input({ from: 'paths', paths: [at(file)] }, { memoryId, onConflict })
        const looked = await imports.preview(choice)
        expect(looked.conflicts).toMatchObject([{ kind: 'case', id: 'conflict', answer: onConflict }])
        expect(looked.conflicts[0]?.parts).toMatchObject([
          { mine: 'how it reads here', theirs: 'how it reads there' },
        ])
        const done = await imports.run(choice)
        expect(done.rows).toBe(done.imported + done.duplicates + leftCount(done))
        expect(done.imported).toBe(imported)
        const ids = await liveOf('case', mine)
        const texts = await Promise.all(ids.map(async (id) => (await mine.get(id))?.state))
        // What nobody signed waits for a person, and takes nobody's place meanwhile.
        expect(texts.sort()).toEqual(file === 'there.loam' ? ['how it reads here'] : expected)
      }
    },
  )

  it('recognises bundles, logs and rows of one folder by content, whatever they are called', async () => {
    const full = await memories.open(at('full'))
    await fillMemory(full)
    await mkdir(at('in'))
    await writeFile(at('in/a.dat'), (await wholeBundle(full, { loamVersion: '0', now: NOW })).bytes)
    await writeFile(at('in/b.dat'), ROWS)
    const talk = [
      { role: 'user', content: 'one?' },
      { role: 'assistant', content: '1' },
    ]
    await writeFile(at('in/c.dat'), `${JSON.stringify({ messages: talk })}\n`)
    await writeFile(at('in/d.dat'), 'nothing that anybody wrote')
    await writeFile(at('in/e.dat'), ROWS)
    const folder = input({ from: 'paths', paths: [at('in')] })
    const looked = await imports.preview(folder)
    const { importId, ...done } = await imports.run(folder)
    // The same rows in another file are there already, in the preview too.
    expect(looked).toEqual(done)
    expect(done.duplicates).toBe(2)
    expect(done.format.split(', ')).toEqual(['bundle', 'csv', 'chat'])
    expect(done.rows).toBe(done.imported + done.duplicates + leftCount(done))
    expect(done.left.find(({ file }) => file === 'd.dat')?.why).toContain('text that begins "nothing that')
    expect(done.kinds.length).toBeGreaterThan(5)
    await imports.undo(at('mine'), importId)
    expect(await commitsOf(await memories.open(at('mine')))).toEqual([])
  })

  it('takes in what a peer published, by its address or its folder, and needs the network for a store', async () => {
    const full = await memories.open(at('full'))
    await fillMemory(full)
    await publishMemory(full, at('shelf'))
    const looked = await imports.preview(input({ from: 'published', address: at('shelf') }))
    expect(looked).toMatchObject({ format: 'published', left: [], duplicates: 0 })
    expect(looked.imported).toBeGreaterThan(5)
    const done = await imports.run(input({ from: 'paths', paths: [at('shelf')] }))
    expect(done).toMatchObject({ imported: looked.imported, kinds: looked.kinds })
    const store = input({ from: 'published', address: 's3://bucket/name' })
    await expect(imports.preview(store)).rejects.toMatchObject({ code: 'NETWORK_OFF' })
  })

  it('takes files that come over the wire as if they lay in a folder', async () => {
    const data = (text: string) => Buffer.from(text, 'latin1').toString('base64')
    const files = [
      { fileName: '../below/rows.csv', data: data(ROWS) },
      { fileName: 'below/rows.csv', data: data(`${HEAD}7,note,Seven,Caf\xe9 \x80\n`) },
      { fileName: 'below/odd.txt', data: data('nothing that anybody wrote') },
    ]
    const done = await imports.run(input({ from: 'files', files }))
    expect(done).toMatchObject({ file: 'rows.csv, rows.csv, odd.txt', format: 'csv', rows: 5, imported: 3 })
    expect(done.left.map(({ file }) => file)).toContain('below/odd.txt')
    // Windows-1252 is read as such.
    const mine = await memories.open(at('mine'))
    expect((await mine.items('note')).map(({ context }) => context)).toContain('Café €')
  })

  it('notes each import of the same bundle by itself', async () => {
    const there = await memories.open(at('there'))
    await fillMemory(there)
    const { bytes } = await wholeBundle(there, { loamVersion: '0', now: NOW })
    await memories.open(at('mine'))
    const data = Buffer.from(bytes).toString('base64')
    const given = input({ from: 'files', files: [{ fileName: 'there.loam', data }] })
    const report = await imports.run(given)
    expect(report).toMatchObject({ file: 'there.loam', format: 'bundle' })
    expect(report.imported).toBeGreaterThan(5)
    const [first] = await imports.list(at('mine'))
    // Nothing of it is new: the record of the first stays as it is.
    expect((await imports.run(given)).imported).toBe(0)
    expect(await imports.list(at('mine'))).toEqual([first])
    await imports.undo(at('mine'), first?.importId ?? '')
    await imports.run(given)
    const noted = await imports.list(at('mine'))
    expect(new Set(noted.map(({ importId }) => importId)).size).toBe(2)
    expect(noted.filter(({ undoneAt }) => undoneAt === null)).toHaveLength(1)
  })

  it('undoes what the last version noted, while nothing was written since', async () => {
    const mine = await memories.open(at('mine'))
    const length = 0
    await mkdir(join(mine.path, 'shared'), { recursive: true })
    const note = { format: 1, bundle: 'b'.repeat(64), at: NOW.toISOString(), before: {}, head: '', files: [] }
    await writeFile(join(mine.path, 'shared', 'last-import.json'), JSON.stringify({ ...note, after: {} }))
    expect(await imports.list(at('mine'))).toMatchObject([
      { format: 'bundle', imported: length, undoneAt: null },
    ])
    expect(await imports.undo(at('mine'), null)).toMatchObject({ importId: 'b'.repeat(24) })
    await expect(imports.undo(at('mine'), null)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})
