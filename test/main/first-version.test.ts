import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { unzipSync } from 'fflate'
import { beforeAll, expect, test } from 'vitest'
import { createRouter } from '../../src/main/api/router'
import { createTransports, type Transports } from '../../src/main/api/transports'
import type { Contract } from '../../src/shared/contract'
import { MY_MEMORY } from '../../src/shared/domain/memory-info'
import { appInTemp } from './app-in-temp'
import { jobEnded } from './api/job-ended'

// A data folder, two exports and a folder of notes as version 0.1 wrote them, with every kind of item that it knew.
const FIXTURE = join(import.meta.dirname, '..', 'fixtures', 'data-0.1.zip')
const MINE = 'space-bbc2e03915'
const LAB = 'space-e4a25a3f09'

let folder = ''
const app = appInTemp('first-version', async (path) => {
  folder = path
  for (const [name, bytes] of Object.entries(unzipSync(new Uint8Array(await readFile(FIXTURE))))) {
    await mkdir(dirname(join(path, name)), { recursive: true })
    await writeFile(join(path, name), bytes)
  }
})
let client: Transports<Contract>['client']
beforeAll(() => {
  client = createTransports<Contract>(createRouter(app())).client
})

const kindsOf = async (memoryId: string, state?: 'waiting'): Promise<Record<string, number>> => {
  const { rows } = await client.items.list({ memoryId, limit: 100, ...(state && { state }) })
  const tally: Record<string, number> = {}
  for (const { kind } of rows) tally[kind] = (tally[kind] ?? 0) + 1
  return tally
}
const KINDS = { case: 8, note: 2, summary: 2, lesson: 2, workflow: 1, passage: 1, experience: 2, document: 2 }

test('"My work" is My memory now, the memory of the run stands on the shelf, and every kind is there', async () => {
  expect(await client.memories.list()).toMatchObject([
    { id: MINE, role: 'mine', name: 'My memory' },
    { id: LAB, role: 'lab', name: 'Case bank, House rules: Harbor, seed 1' },
  ])
  expect(await kindsOf(MY_MEMORY)).toEqual(KINDS)
})

test('the ask, its correction and its folder are there; the folder is a project', async () => {
  const [ask] = await client.asks.list({})
  expect(ask).toMatchObject({ title: 'What stands in the cellar?', folder: 'House' })
  const detail = await client.asks.get({ askId: ask?.id ?? '' })
  expect(JSON.stringify(detail)).toContain('The pump stands in the cellar.')
  const { rows } = await client.items.list({ memoryId: MY_MEMORY, text: 'cellar pump', limit: 100 })
  expect(rows.filter(({ kind }) => kind === 'case')).toMatchObject([
    { reward: 1, project: 'House' },
    { reward: 0, project: 'House' },
  ])
})

test('the run, its curve, servers, keys, own files and proposals are there', async () => {
  const [run] = await client.runs.list()
  expect(run).toMatchObject({ config: { memoryId: LAB }, done: 6 })
  expect(await client.servers.list()).toMatchObject([{ name: 'here', provider: 'openai', key: true }])
  expect(await client.sharing.keys()).toMatchObject([{ name: 'robot', scopes: ['read'] }])
  expect(await client.files.list({ memoryId: MY_MEMORY })).toMatchObject([{ path: '/home/person/notes' }])
  const [write] = await client.sharing.writes({ memoryId: MY_MEMORY })
  expect(write).toMatchObject({ client: 'robot', what: 'attempt (success): Find the key' })
})

test('the last import into the lab memory can be undone', async () => {
  const before = await kindsOf(LAB)
  await client.items.undoImport({ memoryId: LAB })
  expect(await kindsOf(LAB)).not.toEqual(before)
})

test('exports of then come into a memory of now, whole', async () => {
  for (const name of ['garden.loam', 'garden.jsonl']) {
    const { id: memoryId } = await client.memories.create({ name })
    const { jobId } = await client.items.import({
      memoryId,
      source: { from: 'paths', paths: [join(folder, name)] },
    })
    expect(await jobEnded(await client.jobs.watch({}), jobId)).toMatchObject({
      status: 'done',
      problem: null,
    })
    // Parts of a person's own files stay where their files are.
    // A bundle of somebody unknown waits for a person's word.
    const state = name === 'garden.loam' ? 'waiting' : undefined
    expect({ name, kinds: await kindsOf(memoryId, state) }).toMatchObject({
      name,
      kinds: { ...KINDS, passage: expect.any(Number) as number },
    })
  }
})

test('settings are those of then', async () => {
  expect(await client.app.settings()).toMatchObject({ embedder: 'lexical-384', threads: 1, openMemory: null })
})
