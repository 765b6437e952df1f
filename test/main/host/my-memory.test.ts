import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openDataFolder, type DataFolder } from '../../../src/main/host/data-folder'
import { MY_MEMORY } from '../../../src/shared/domain/memory-info'

let folder: string
let open: DataFolder[] = []
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loam-mine-'))
})
afterEach(async () => {
  for (const data of open) await data.close()
  open = []
  await rm(folder, { recursive: true, force: true })
})

async function start(): Promise<DataFolder> {
  for (const data of open.splice(0)) await data.close()
  const data = await openDataFolder(folder)
  open.push(data)
  return data
}

/** A folder as the last version left it: memories by id and name, which of them runs made and asks are kept in. */
async function folderBefore({
  items,
  runs = [],
  asks = [],
}: {
  readonly items: Readonly<Record<string, string>>
  readonly runs?: readonly string[]
  readonly asks?: readonly string[]
}): Promise<void> {
  const put = async (path: string, text: string): Promise<void> => {
    await mkdir(join(folder, path, '..'), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  await put('format.json', JSON.stringify({ format: 1, createdAt: '2026-01-01T00:00:00.000Z' }))
  for (const [id, name] of Object.entries(items))
    await put(
      `spaces/${id}/space.json`,
      JSON.stringify({ format: 1, id, name, createdAt: '2026-01-01T00:00:00.000Z' }),
    )
  for (const [i, memoryId] of runs.entries())
    await put(`runs/run-${i}/run.json`, JSON.stringify({ config: { spaceId: memoryId } }))
  for (const [i, memoryId] of asks.entries())
    await put(
      `asks/ask-${i}/ask.jsonl`,
      `${JSON.stringify({ kind: 'asked', spec: { spaceId: memoryId } })}\n`,
    )
}

const rolesIn = async (data: DataFolder) =>
  Object.fromEntries((await data.memories.list()).map(({ name, role }) => [name, role]))

test('My memory is made at the first start and is the same one at every later start, whatever else comes', async () => {
  const id = (await start()).myMemory.id()
  for (let i = 0; i < 3; i++) {
    const data = await start()
    await data.memories.create(`Case bank, seed ${i}`)
    expect(data.myMemory.id()).toBe(id)
    expect(data.memories.folder(MY_MEMORY)).toBe(data.memories.folder(id))
    expect((await data.memories.list()).filter(({ role }) => role === 'mine')).toMatchObject([
      { id, name: 'My memory' },
    ])
  }
  expect((await start()).myMemory.record()).toMatchObject({ candidates: [], offers: [], lost: null })
})

test('"My work" becomes My memory, "Agent KB" is offered, all others stand on the shelf, and nothing moves', async () => {
  await folderBefore({
    items: { a: 'My work', b: 'Agent KB', c: 'Case bank, House rules', d: 'Garden' },
    runs: ['c'],
    asks: ['a', 'd'],
  })
  const data = await start()
  expect(data.myMemory.record()).toMatchObject({ mine: 'a', candidates: [], offers: ['b'] })
  expect(await rolesIn(data)).toEqual({
    'My memory': 'mine',
    'Agent KB': 'lab',
    'Case bank, House rules': 'lab',
    Garden: 'lab',
  })
})

test('where it cannot know, it asks: those of runs are not in question, and the answer is kept', async () => {
  await folderBefore({
    items: { a: 'Garden', b: 'Office', c: 'Case bank, House rules', e: 'Case bank, asked' },
    runs: ['c', 'e'],
    asks: ['a', 'e'],
  })
  const data = await start()
  const meanwhile = data.myMemory.id()
  expect(data.myMemory.record().candidates).toEqual(['a', 'b', 'e'])
  await expect(data.myMemory.decide('c')).rejects.toMatchObject({ code: 'BAD_INPUT' })
  await data.myMemory.decide('b')
  expect((await start()).myMemory.record()).toMatchObject({ mine: 'b', candidates: [] })
  await expect(open[0]?.myMemory.decide('a')).rejects.toMatchObject({ code: 'CONFLICT' })
  expect((await rolesIn(open[0] as DataFolder))['Office']).toBe('mine')
  expect(meanwhile).not.toBe('b')
})

test('a folder with runs alone gets an empty My memory and no question', async () => {
  await folderBefore({ items: { c: 'Case bank' }, runs: ['c'] })
  const data = await start()
  expect(data.myMemory.record().candidates).toEqual([])
  expect(await rolesIn(data)).toEqual({ 'Case bank': 'lab', 'My memory': 'mine' })
})

test('a Loam that is killed while it decides makes the same memory and no second one', async () => {
  const data = await start()
  const id = data.myMemory.id()
  const record = join(folder, 'my-memory.json')
  const text = await readFile(record, 'utf8')
  await data.close()
  await rm(data.memories.folder(id), { recursive: true })
  await rm(`${record}.copy`)
  await writeFile(record, text.replace('"ready": true', '"ready": false').replace(/,\s*"sum": "\w+"/, ''))
  const again = await start()
  expect(again.myMemory.id()).toBe(id)
  expect(await again.memories.list()).toHaveLength(1)
})

test('where the folder of My memory is gone it says so, and makes no other memory mine by itself', async () => {
  await folderBefore({ items: { a: 'My work', d: 'Garden' }, asks: ['d'] })
  const data = await start()
  await data.close()
  await rm(data.memories.folder('a'), { recursive: true })
  const again = await start()
  expect(again.myMemory.record()).toMatchObject({ lost: 'a', candidates: ['d'] })
  expect(again.myMemory.id()).not.toBe('d')
})

test('a copy holds what a memory does under an id of its own', async () => {
  const data = await start()
  const copy = await data.memories.copy(MY_MEMORY, 'Case bank, from My memory')
  expect(copy).toMatchObject({ role: 'lab', name: 'Case bank, from My memory' })
  expect(copy.id).not.toBe(data.myMemory.id())
})
