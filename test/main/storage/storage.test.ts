import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStreamLibrary } from '../../../src/main/streams/stream-library'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { prefixStatesIn } from '../../../src/main/engine-client/measured-loading'
import { damageIn } from '../../../src/main/ground/record-file'
import { openDataFolder, type DataFolder } from '../../../src/main/host/data-folder'
import { createStorage, type Storage } from '../../../src/main/storage/storage'
import { studySchema } from '../../../src/shared/domain/experiment'
import { attempt, wordEmbedder } from '../memory-store/fixtures'
import { openExperimentRig, type Banks, type ExperimentRig } from '../experiments/rig'
import { fakeRecord } from '../runs/fakes'

/** The memories beside My memory. */
const labs = async () => (await data.memories.list()).filter(({ role }) => role === 'lab')

let folder: string
let data: DataFolder
let rig: ExperimentRig
let storage: Storage
const banks: Banks = new Map()

async function open(): Promise<void> {
  data = await openDataFolder(folder)
  await mkdir(join(folder, 'experiments'), { recursive: true })
  rig = await openExperimentRig(folder, banks)
  let second = 0
  const clock = { now: () => new Date(1000 * second++) }
  storage = createStorage({ data, runs: rig.runs, experiments: rig.experiments, clock })
}
async function close(): Promise<void> {
  await rig.close()
  await data.close()
}
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loam-storage-'))
  banks.clear()
  await open()
})
afterEach(async () => {
  await close()
  await rm(folder, { recursive: true, force: true })
})

const conflict = (cause: RegExp) => ({ code: 'CONFLICT', why: expect.stringMatching(cause) as string })

/** A run that is done. */
async function played(id: string, memoryId = 'space'): Promise<void> {
  const record = fakeRecord(id, 3)
  await rig.runs.start({ ...record, config: { ...record.config, memoryId } })
  await rig.runs.settled(id)
}

it('throws a stream of the data folder away with its files and puts it back, and no other file', async () => {
  const streams = join(folder, 'streams')
  await mkdir(join(streams, 'own-tasks-v1-files'), { recursive: true })
  const names = ['own-tasks-v1.jsonl', 'own-tasks-v1.jsonl.kept', 'own-tasks-v10.jsonl']
  for (const name of names) await writeFile(join(streams, name), '{}')
  const stream = { what: 'stream', id: join(streams, 'own-tasks-v1.jsonl') } as const
  const { trashId } = await storage.remove(stream)
  expect(await readdir(streams)).toEqual(['own-tasks-v10.jsonl'])
  expect(await storage.restore(trashId)).toEqual(stream)
  expect((await readdir(streams)).sort()).toEqual(['own-tasks-v1-files', ...names].sort())
  for (const id of [
    join(folder, 'data.jsonl'),
    join(streams, '..', 'format.json'),
    join(streams, 'none.jsonl'),
  ])
    await expect(storage.remove({ what: 'stream', id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(storage.rename({ ...stream, id: '/elsewhere/x.jsonl' }, 'Other')).rejects.toThrow('no stream')
})

it('renames a memory, open or not, and keeps that', async () => {
  const { id } = await data.memories.create('First')
  const kept = { what: 'memory', id } as const
  await storage.rename(kept, 'Second')
  expect((await data.memories.info(id)).name).toBe('Second')
  const memory = await data.memories.open(id, wordEmbedder())
  await storage.rename(kept, 'Third')
  expect([memory.name, (await data.memories.info(id)).name]).toEqual(['Third', 'Third'])
  await close()
  await open()
  expect((await labs()).map(({ name }) => name)).toEqual(['Third'])
  await expect(storage.rename(kept, '')).rejects.toMatchObject({ code: 'BAD_INPUT' })
  await expect(storage.rename({ what: 'memory', id: 'nobody' }, 'x')).rejects.toMatchObject({
    code: 'NOT_FOUND',
  })
})

it('throws a memory away while it is open, and puts it back as it was', async () => {
  const { id } = await data.memories.create('Kept')
  const memory = await data.memories.open(id, wordEmbedder())
  await memory.commit(attempt(1, 'cancel the booking'))
  const item = await storage.remove({ what: 'memory', id })
  expect(item).toMatchObject({ what: 'memory', id, name: 'Kept' })
  expect(item.bytes).toBeGreaterThan(500)
  expect(await labs()).toEqual([])
  await expect(data.memories.open(id, wordEmbedder())).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect(await storage.trash()).toEqual([item])
  expect(await storage.restore(item.trashId)).toEqual({ what: 'memory', id })
  expect(await (await data.memories.open(id, wordEmbedder())).get('c00001')).toMatchObject({
    state: 'cancel the booking',
  })
  expect(await storage.trash()).toEqual([])
})

it('keeps a memory that a run which is not over learns in', async () => {
  const { id } = await data.memories.create('Used')
  const record = fakeRecord('run-a', 3)
  await rig.runs.start({ ...record, config: { ...record.config, memoryId: id } })
  await rig.runs.pause('run-a')
  await rig.runs.settled('run-a')
  if (rig.runs.get('run-a').status === 'paused') {
    await expect(storage.remove({ what: 'memory', id })).rejects.toMatchObject(conflict(/learns in it/))
    await rig.runs.cancel('run-a')
  }
  await storage.remove({ what: 'memory', id })
  expect(await labs()).toEqual([])
})

it.each([
  ['cut', (note: string) => writeFile(note, '{"what": "memory", "na')],
  ['removed', (note: string) => rm(note)],
])(
  'lists the trash beside a note that is %s, reads its copy, and says what has none',
  async (_how, damage) => {
    const ids: string[] = []
    for (const name of ['Whole', 'Copied', 'Lost']) ids.push((await data.memories.create(name)).id)
    const items = []
    for (const id of ids) items.push(await storage.remove({ what: 'memory', id }))
    const [, copy, lost] = items.map(({ trashId }) => join(folder, 'trash', trashId, 'item.json'))
    await damage(copy ?? '')
    await damage(lost ?? '')
    await damage(`${lost ?? ''}.copy`)
    expect((await storage.trash()).map(({ name }) => name)).toEqual(['Copied', 'Whole'])
    expect(damageIn(folder).find((words) => words.includes(lost ?? ''))).toMatch(/deleted when the trash is/)
    expect(await storage.restore(items[1]?.trashId ?? '')).toEqual({ what: 'memory', id: ids[1] })
    expect((await labs()).map(({ name }) => name)).toEqual(['Copied'])
    await expect(storage.restore(items[2]?.trashId ?? '')).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await storage.empty(null)
    expect(await storage.trash()).toEqual([])
  },
)

it('names a run, throws it away and puts it back with its steps', async () => {
  await played('run-a')
  await played('run-b')
  const kept = { what: 'run', id: 'run-a' } as const
  await storage.rename(kept, 'The good one')
  expect(rig.runs.get('run-a').name).toBe('The good one')
  const before = rig.runs.get('run-a')
  const item = await storage.remove(kept)
  expect(item.name).toBe('The good one')
  expect(rig.runs.list().map(({ id }) => id)).toEqual(['run-b'])
  await close()
  await open()
  expect(rig.runs.has('run-a')).toBe(false)
  await storage.restore(item.trashId)
  expect(rig.runs.get('run-a')).toEqual(before)
  await storage.rename(kept, '')
  expect(rig.runs.get('run-a').name).toBeUndefined()
  await played('run-c')
  await storage.remove({ what: 'run', id: 'run-c' })
  await played('run-c')
  const [gone] = await storage.trash()
  await expect(storage.restore(gone?.trashId ?? '')).rejects.toMatchObject(conflict(/again/))
})

it('throws an experiment away with the runs of its cells, and puts all of it back', async () => {
  const definition = studySchema.parse({
    name: 'Compare',
    stream: 'made-up',
    methods: ['none', 'case-bank'],
    seeds: [1],
    tasks: 4,
  })
  const { id } = await rig.drafts.start(definition)
  await rig.experiments.settled(id)
  const before = rig.experiments.get(id)
  const kept = { what: 'experiment', id } as const
  await storage.rename(kept, 'Compared')
  const [cell] = before.cells
  await expect(storage.remove({ what: 'run', id: cell?.runId ?? '' })).rejects.toMatchObject(
    conflict(/part of the experiment "Compared"/),
  )
  const use = await storage.use()
  expect(use.experiments[id]).toBeGreaterThan(use.runs[cell?.runId ?? ''] ?? 0)
  const item = await storage.remove(kept)
  expect([rig.experiments.list(), rig.runs.list()]).toEqual([[], []])
  expect(await readdir(join(folder, 'runs'))).toEqual([])
  await storage.restore(item.trashId)
  const after = rig.experiments.get(id)
  expect(after.name).toBe('Compared')
  expect(after.cells).toEqual(before.cells)
})

it('says what everything takes on disk, and frees it when the trash is emptied', async () => {
  const { id } = await data.memories.create('Big')
  await writeFile(join(data.memories.folder(id), 'journal-head'), 'x'.repeat(10_000))
  await played('run-a')
  const use = await storage.use()
  expect(use.memories[id]).toBeGreaterThan(10_000)
  expect(use.runs['run-a']).toBeGreaterThan(500)
  expect(use.trash).toBe(0)
  await storage.remove({ what: 'run', id: 'run-a' })
  expect((await storage.use()).trash).toBeGreaterThan(500)
  const prefixStates = prefixStatesIn(data.path)
  await mkdir(prefixStates)
  await writeFile(join(prefixStates, 'a.state'), 'what a prompt said')
  expect((await storage.empty(null)).bytes).toBeGreaterThan(500)
  expect(await storage.trash()).toEqual([])
  expect(existsSync(prefixStates)).toBe(false)
})

it('repairs a damaged memory, which is listed with what is wrong until then', async () => {
  const { id } = await data.memories.create('Hurt')
  const memory = await data.memories.open(id, wordEmbedder())
  for (let n = 1; n < 5; n++) await memory.commit(attempt(n, `booking ${n}`))
  await data.memories.release(id)
  const segment = join(data.memories.folder(id), 'journal', '000000000001.jsonl')
  await truncate(segment, (await readFile(segment)).length - 30)
  expect((await labs())[0]?.problem).toContain('but 4 were written')
  expect(await storage.repairMemory(id)).toMatchObject({ kept: 3, lost: 1 })
  expect((await labs())[0]).toMatchObject({ cases: 3 })
})

it('calls a stream otherwise wherever it is shown; its file keeps its name, and the trash its title', async () => {
  const library = openStreamLibrary(join(folder, 'none'), join(folder, 'streams'))
  const { id, title } = await library.generate(3, 4)
  const stream = { what: 'stream', id } as const
  await storage.rename(stream, 'My harbor')
  const shown = async () => (await library.list()).map((one) => [one.id, one.title])
  expect(title).not.toBe('My harbor')
  expect(await shown()).toEqual([[id, 'My harbor']])
  const { trashId } = await storage.remove(stream)
  expect(await shown()).toEqual([])
  await storage.restore(trashId)
  expect(await shown()).toEqual([[id, 'My harbor']])
  await expect(storage.rename(stream, '')).rejects.toMatchObject({ code: 'BAD_INPUT' })
})
