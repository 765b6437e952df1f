import { chmod, mkdtemp, readFile, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openDataFolder } from '../../../src/main/host/data-folder'
import { openAskStore } from '../../../src/main/asks/ask-store'
import { sealed } from '../../../src/main/ground/sealed'
import { checkDataFolder } from '../../../src/main/storage/doctor'
import { attempt, wordEmbedder } from '../memory-store/fixtures'

let folder: string
let memory: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loam-doctor-'))
  const data = await openDataFolder(folder)
  const { id } = await data.memories.create('Private name')
  memory = data.memories.folder(id)
  const opened = await data.memories.open(id, wordEmbedder())
  for (const n of [1, 2, 3]) await opened.commit(attempt(n, `state ${n}`))
  await data.settings.save({ network: false })
  await data.close()
  await mkdirAsk()
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function mkdirAsk(): Promise<void> {
  const store = openAskStore(join(folder, 'asks'))
  await store.append('a1', { kind: 'removed', at: '2026-01-01T00:00:00.000Z' } as never)
}

const check = (repair: boolean) => checkDataFolder({ path: folder, now: new Date(), version: 'test', repair })
const problems = async (repair = true) =>
  (await check(repair)).findings.filter(({ of }) => of !== 'modes' && of !== 'disk')
const flip = async (path: string, at: number): Promise<void> => {
  const bytes = await readFile(path)
  bytes[at] = (bytes[at] ?? 0) ^ 4
  await writeFile(path, bytes)
}

it('finds nothing in a folder that is as it should be, and makes modes private', async () => {
  await chmod(join(folder, 'spaces'), 0o755)
  const { findings } = await check(true)
  expect(findings.filter(({ of }) => of === 'modes')).not.toHaveLength(0)
  expect((await stat(join(folder, 'spaces'))).mode & 0o777).toBe(0o700)
  const { findings: none, checked } = await check(true)
  expect(none.filter(({ of }) => of !== 'disk')).toEqual([])
  expect(checked.records).toBeGreaterThan(3)
  expect(checked.lines).toBe(1)
  expect(checked.memories).toBeGreaterThan(0)
  expect(checked.indexes).toBeGreaterThan(0)
})

it('brings damaged records back from their copies, whichever of the two is damaged', async () => {
  for (const path of [join(memory, 'space.json'), join(folder, 'settings.json')])
    for (const name of [path, `${path}.copy`]) {
      const before = await readFile(path, 'utf8')
      await flip(name, 20)
      expect(await problems(false)).toMatchObject([{ of: 'records', done: null }])
      expect(await problems()).toMatchObject([{ of: 'records', done: 'It is made again from the other.' }])
      expect(await readFile(path, 'utf8')).toBe(before)
      expect(await readFile(`${path}.copy`, 'utf8')).toBe(before)
      await rm(`${path}.damaged`, { force: true })
    }
  expect(await problems()).toEqual([])
})

it('repairs a damaged journal, removes a damaged index, stale locks and parts', async () => {
  const [segment = ''] = await readdir(join(memory, 'journal'))
  const path = join(memory, 'journal', segment)
  await flip(path, 200)
  await writeFile(join(memory, 'lance', 'index.json'), '{')
  for (const name of ['lock.takeover', 'x.json.99.tmp']) {
    await writeFile(join(folder, name), '')
    await utimes(join(folder, name), 1, 1)
  }
  const found = await problems()
  expect(found.map(({ of }) => of).sort()).toEqual(['locks', 'locks', 'memories'])
  expect(found.find(({ of }) => of === 'memories')?.done).toMatch(/2 commits are kept, 1 are lost/)
  expect(await problems()).toEqual([])
})

it('tells of a line whose checksum is damaged, the first one too', async () => {
  const path = join(folder, 'asks', 'a1', 'ask.jsonl')
  const line = await readFile(path, 'utf8')
  await writeFile(path, line.replace('"sum"', '"sun"'))
  expect(await problems()).toMatchObject([
    { of: 'lines', problem: expect.stringMatching(/^1 of its lines/) as string },
  ])
  expect(sealed({ a: 1 })).toMatch(/^\{"sealed":true,"a":1,"sum":"[0-9a-f]{8}"\}$/)
})

it.each(['emptied', 'removed'])('tells of an ask whose file is %s', async (how) => {
  const path = join(folder, 'asks', 'a1', 'ask.jsonl')
  await (how === 'emptied' ? writeFile(path, '') : rm(path))
  expect(await problems()).toMatchObject([{ of: 'lines', place: 'asks/a1/ask.jsonl', done: null }])
})

it('tells of an ask that is cut exactly at the end of a line, also once more was added', async () => {
  const path = join(folder, 'asks', 'a1', 'ask.jsonl')
  await mkdirAsk()
  await writeFile(path, (await readFile(path, 'utf8')).split('\n').slice(0, 1).join('') + '\n')
  const told = [
    { of: 'lines', place: 'asks/a1/ask.jsonl', problem: expect.stringMatching(/^Lines at its end/) },
  ]
  expect(await problems()).toMatchObject(told)
  await mkdirAsk()
  await mkdirAsk()
  expect(await problems()).toMatchObject(told)
})

it('makes the mark of an end again that is damaged, and reads asks that have none', async () => {
  const path = join(folder, 'asks', 'a1', 'ask.jsonl.end')
  await flip(path, 20)
  expect(await problems()).toMatchObject([{ of: 'lines', done: 'It is made again from what is there.' }])
  expect(await problems()).toEqual([])
  await rm(path)
  expect(await problems()).toEqual([])
})

it('says nothing of what a person wrote', async () => {
  await flip(join(memory, 'space.json'), 20)
  expect(JSON.stringify(await check(true))).not.toContain('Private name')
})
