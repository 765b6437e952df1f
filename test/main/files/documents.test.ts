import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { scopedBank } from '../../../src/core/memory/items/scoped-bank'
import { createApp, type App } from '../../../src/main/app'
import { onlyAbout } from '../../../src/core/agent/about-parts'
import { NOTHING_RECALLED } from '../../../src/core/ground/method'
import { passageParts } from '../../../src/core/memory/passages/passage-parts'
import { trajectoryOf } from '../memory-store/fixtures'
import { createAgentMemory } from '../../../src/main/share/agent-memory'
import { lastLine, loamHere } from '../cli/loam-process'

let folder: string
let app: App
let memory: string
const files = (...path: string[]): string => join(folder, 'files', ...path)
const open = async (): Promise<void> => {
  app = await createApp({ dataPath: join(folder, 'data'), host: 'memory' })
}
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loam-documents-'))
  await mkdir(files('notes'), { recursive: true })
  await writeFile(
    files('harbor.md'),
    '# Harbor\n\nThe crane of the north quay lifts nine tons.\n\n## Ferry\n\nThe ferry leaves at noon.\n',
  )
  await writeFile(
    files('notes', 'town.txt'),
    'The bakery opens at six.\nIts key: sk-abcdefghijklmnopqrstuvwxyz0123456789ABCD\n',
  )
  await writeFile(files('picture.bin'), Uint8Array.of(1, 0, 2, 0))
  await open()
  memory = (await app.memories.create('town')).id
})
afterEach(async () => {
  await app.dispose()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

async function done(jobId: string): Promise<void> {
  await expect.poll(() => app.jobs.get(jobId).status, { timeout: 60_000 }).not.toBe('running')
  expect(app.jobs.get(jobId)).toMatchObject({ status: 'done', problem: null })
}
async function added(): Promise<string> {
  const { folderId, jobId } = await app.files.add(memory, files())
  await done(jobId)
  return folderId
}
const synced = async (folderId: string | null = null): Promise<void> =>
  done((await app.files.sync(memory, folderId)).jobId)
const find = async (text: string, k = 1) =>
  (await (await app.memories.open(memory)).passages.search(text, k)).map(({ passage }) => passage)

test('reads a folder, finds its passages by words and meaning, and says where they are from', async () => {
  const folderId = await added()
  expect(app.files.lastSync(folderId)).toEqual({
    ...{ added: 2, changed: 0, removed: 0, same: 0, left: 1, passagesAdded: 3, passagesRemoved: 0 },
  })
  const [info] = await app.files.list(memory)
  expect(info).toMatchObject({ path: files(), files: 2, passages: 3, isThere: true })
  expect(info?.left).toEqual([{ path: 'picture.bin', why: 'it is no text' }])
  const [ferry] = await find('when does the ferry leave')
  expect(ferry).toMatchObject({ path: 'harbor.md', from: 5, to: 7, headings: ['Harbor', 'Ferry'] })
  expect(await app.files.open(memory, ferry?.id ?? '')).toMatchObject({
    ...{ file: files('harbor.md'), from: 5, to: 7, state: 'same' },
    text: expect.stringContaining('leaves at noon'),
  })
  // The nearest of a few passages are not shown for that alone.
  expect(await find('how many rooms does the hotel have', 3)).toEqual([])
  expect(await find('which cranes are there', 3)).toMatchObject([{ path: 'harbor.md', from: 1 }])
  // Secrets of files stay in the files.
  expect((await find('bakery'))[0]?.text).not.toContain('sk-abcdefghij')
  const page = await app.memory.list({ memoryId: memory, kinds: ['passage'], text: 'crane', ...LIST })
  expect(page.rows).toHaveLength(1)
  await expect(app.files.add(memory, files())).rejects.toMatchObject({ code: 'CONFLICT' })
  await expect(app.files.add(memory, files('none'))).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('shows an ask or an agent only passages that it is about, by what they say', async () => {
  const sections = [
    'The bakery on Mill Lane opens at six and closes at two.',
    'Dr. Okonjo sees patients on Tuesdays, her desk is on the second floor.',
    'The boiler is serviced in October by the Brandt company, phone 5512.',
    'Rubbish is collected on Friday mornings, paper every second week.',
    'The train to Delft leaves from platform nine at twelve minutes past.',
  ]
  await writeFile(
    files('notes', 'home.md'),
    sections.map((text, i) => `# Part ${i + 1}\n\n${text}\n`).join('\n'),
  )
  await added()
  const bank = await app.memories.open(memory)
  const embedder = await app.embedder()
  const about = async (instruction: string): Promise<string[]> => {
    const input = { task: { ...trajectoryOf('now').task, instruction, payload: null }, context: '' }
    const documents = await passageParts(input, { bank }, 3)
    const parts = await onlyAbout({ ...NOTHING_RECALLED, documents }, input, { bank, embedder })
    return (parts.documents ?? []).map(({ text }) => text)
  }
  // Each has a word in common with a part: train, week, floor.
  const asks = [
    'Write a poem about a train in the rain',
    'What should I cook this week?',
    'How do I clean a wooden floor?',
  ]
  for (const text of asks) {
    expect((await find(text)).length, text).toBe(1)
    expect(await about(text), text).toEqual([])
  }
  expect(await about('When is the boiler serviced, and by whom?')).toEqual([
    expect.stringContaining('Brandt'),
  ])
  const agent = createAgentMemory(bank, app)
  expect((await agent.plan('Order the yearly boiler service in October', 500)).text).toContain('Brandt')
  expect((await agent.plan('Write a poem about a train in the rain', 500)).text).not.toContain('Delft')
  const [poem] = await find('train to Delft')
  await app.memory.mark(memory, { kind: 'passage', id: poem?.id ?? '' }, 'pinned')
  expect(await about('Write a poem about a train in the rain')).toEqual([expect.stringContaining('Delft')])
})

test('reads text as Windows and spreadsheets write it, leaves what is no text though it has no zero byte, and says what came of it', async () => {
  await writeFile(files('ansi.txt'), Buffer.from('Der Schlüssel hängt im Büro.\r\n', 'latin1'))
  await writeFile(files('wide.csv'), Buffer.from('\uFEFFTür,Größe\r\nHaustür,210\r\n', 'utf16le'))
  await writeFile(files('log.txt'), '\x1B[31merror\x1B[0m: the boiler is cold\n')
  await writeFile(
    files('photo.raw'),
    Uint8Array.from({ length: 4000 }, (_, i) => 1 + ((i * i * 7919) % 255)),
  )
  const { jobId } = await app.files.add(memory, files())
  await done(jobId)
  expect((await find('Schlüssel'))[0]).toMatchObject({
    path: 'ansi.txt',
    text: expect.stringContaining('Büro'),
  })
  expect((await find('Haustür'))[0]).toMatchObject({
    path: 'wide.csv',
    text: expect.stringContaining('Größe'),
  })
  expect((await find('boiler'))[0]).toMatchObject({ path: 'log.txt' })
  const [info] = await app.files.list(memory)
  expect(info?.left.map(({ path }) => path).sort()).toEqual(['photo.raw', 'picture.bin'])
  expect(app.jobs.get(jobId).activity).toBe('5 files added, 2 could not be read')
})

const LIST = { environment: null, mark: null, state: 'live', sort: 'newest', offset: 0, limit: 10 } as const

test('keeps in step with the files: changed, moved within a file, removed, back again; pins and what a person deleted stay', async () => {
  const folderId = await added()
  const [ferry] = await find('ferry')
  const [crane] = await find('crane of the north quay')
  await app.memory.mark(memory, { kind: 'passage', id: ferry?.id ?? '' }, 'pinned')
  await app.memory.remove(memory, { kind: 'passage', id: crane?.id ?? '' })
  await writeFile(
    files('harbor.md'),
    '# Harbor\n\nThe crane of the south quay lifts two tons.\n\nIt is new.\n\n## Ferry\n\nThe ferry leaves at noon.\n',
  )
  expect(await app.files.open(memory, ferry?.id ?? '')).toMatchObject({ state: 'changed' })
  await rm(files('notes', 'town.txt'))
  await writeFile(files('new.txt'), 'The lighthouse burns all night.\n')
  await synced(folderId)
  expect(app.files.lastSync(folderId)).toMatchObject({
    added: 1,
    changed: 1,
    removed: 1,
    passagesRemoved: 2,
  })
  // A pinned one stands first.
  expect((await find('lighthouse', 2)).map(({ path }) => path)).toEqual(['harbor.md', 'new.txt'])
  expect((await find('bakery', 9)).map(({ path }) => path)).not.toContain('notes/town.txt')
  // The same words further down are the same passage, with its pin, and with the lines of now.
  const [again] = await find('ferry')
  expect(again?.id).toBe(ferry?.id)
  expect(await app.files.open(memory, ferry?.id ?? '')).toMatchObject({ from: 7, to: 9, state: 'same' })
  expect((await app.memory.get(memory, { kind: 'passage', id: ferry?.id ?? '' })).mark).toBe('pinned')

  await writeFile(files('harbor.md'), '# Harbor\n\nThe crane of the north quay lifts nine tons.\n')
  await writeFile(files('notes', 'town.txt'), 'The bakery opens at six.\n')
  await synced()
  expect((await find('bakery opens'))[0]?.path).toBe('notes/town.txt')
  const deleted = await app.memory.get(memory, { kind: 'passage', id: crane?.id ?? '' })
  expect(deleted.gone).toMatchObject({ why: 'deleted' })
  await app.dispose()
  await rm(join(app.memories.folder(memory), 'lance-passages'), { recursive: true })
  await open()
  expect((await find('bakery opens'))[0]?.path).toBe('notes/town.txt')
  expect((await find('ferry', 9)).every(({ text }) => !text.includes('ferry'))).toBe(true)
  await synced()
  expect(app.files.lastSync(folderId)).toMatchObject({
    added: 0,
    changed: 0,
    removed: 0,
    passagesAdded: 0,
  })
})

test('is kept in step without being asked', async () => {
  await added()
  app.files.keepInStep(50)
  await writeFile(files('harbor.md'), 'Only a jetty is left of it.\n')
  await expect.poll(async () => (await find('jetty'))[0]?.text, { timeout: 30_000 }).toContain('Only a jetty')
  const jobs = app.jobs.list().length
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(app.jobs.list()).toHaveLength(jobs)
})

test('a folder that is gone keeps its passages and says so; one that is removed takes them along', async () => {
  const folderId = await added()
  const [ferry] = await find('ferry')
  await rm(files(), { recursive: true })
  const { jobId } = await app.files.sync(memory, folderId)
  await expect.poll(() => app.jobs.get(jobId).status).toBe('failed')
  expect(app.jobs.get(jobId).problem).toMatchObject({ code: 'NOT_FOUND' })
  expect(await find('ferry')).toHaveLength(1)
  expect(await app.files.open(memory, ferry?.id ?? '')).toMatchObject({ state: 'gone' })
  expect(await app.files.remove(memory, folderId)).toEqual([])
  expect(await find('ferry')).toEqual([])
  expect(await app.files.open(memory, ferry?.id ?? '')).toMatchObject({ state: 'elsewhere', file: null })
})

test('the command line adds, lists, takes in changes and removes', { timeout: 120_000 }, async () => {
  await app.dispose()
  const cli = async (...args: string[]) => {
    const given = ['documents', ...args, '--memory', memory, '--data', join(folder, 'data'), '--json']
    const { code, out, err } = await loamHere(...given)
    expect(code, err).toBe(0)
    return lastLine(out) as { folders: { id: string; passages: number; changes?: { changed: number } }[] }
  }
  const { folders } = await cli('add', files())
  expect(folders).toMatchObject([{ passages: 3, changes: { added: 2 } }])
  await writeFile(files('harbor.md'), 'Only the ferry is left.\n')
  expect((await cli('sync')).folders).toMatchObject([{ passages: 2, changes: { changed: 1 } }])
  expect((await cli('list')).folders).toMatchObject([{ id: folders[0]?.id, passages: 2 }])
  expect((await cli('remove', folders[0]?.id ?? '')).folders).toEqual([])
  await open()
})

test('a folder of a project is recalled by that project alone, what all may read by all', async () => {
  await mkdir(join(folder, 'plan'))
  await writeFile(join(folder, 'plan', 'beds.md'), 'The bakery of the garden project is a clay oven.\n')
  await added()
  const { folderId, jobId } = await app.files.add(memory, join(folder, 'plan'), 'Garden')
  await done(jobId)
  expect((await app.files.list(memory)).map(({ project }) => project)).toEqual([null, 'Garden'])
  const seenBy = async (project: string | null) =>
    (await scopedBank(await app.memories.open(memory), project).passages.search('bakery', 5)).map(
      ({ passage }) => passage.path,
    )
  expect((await seenBy('Garden')).sort()).toEqual(['beds.md', 'notes/town.txt'])
  expect(await seenBy('House')).toEqual(['notes/town.txt'])
  expect(await seenBy(null)).toEqual(['notes/town.txt'])

  // What comes later belongs to it too, also what was away.
  await rm(join(folder, 'plan', 'beds.md'))
  await synced(folderId)
  await writeFile(join(folder, 'plan', 'beds.md'), 'The bakery of the garden project is a clay oven.\n')
  await writeFile(join(folder, 'plan', 'new.md'), 'A second bakery is planned.\n')
  await synced(folderId)
  expect((await seenBy('Garden')).sort()).toEqual(['beds.md', 'new.md', 'notes/town.txt'])
  expect(await seenBy('House')).toEqual(['notes/town.txt'])
})
