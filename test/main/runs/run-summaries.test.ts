import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { runHead, stepOf, type RunRecord } from '../../../src/core/lab/run-record'
import { openRunStore } from '../../../src/main/runs/run-store'
import { trajectoryOf } from '../memory-store/fixtures'

const record: RunRecord = {
  ...{
    format: 1,
    id: 'run-1',
    total: 2,
    createdAt: '2026-01-01T00:00:00.000Z',
    appVersion: '0',
    modelName: 'm',
  },
  memoryPath: '/m',
  config: {
    ...{ stream: 's', method: 'none', model: '/m.gguf', seed: 1, k: 0, tasks: null, memoryId: 'm' },
    ...{ temperature: 0, maxTokens: 64, settings: {} },
  },
  hashes: { model: { sizeBytes: 1, sha256: '' }, stream: '', prompt: '' },
}

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loam-summaries-'))
  const store = openRunStore(join(folder, 'runs'))
  await store.create(record)
  for (const index of [0, 1])
    await store.append('run-1', { ...stepOf(trajectoryOf(`t${index}`)), index, reward: index === 0 ? 1 : 0 })
  await store.append('run-1', { kind: 'status', status: 'done', problem: null, at: record.createdAt })
  const { state } = (await store.load('run-1')) ?? { state: null }
  if (state) await store.summarise({ ...runHead(state), rewards: [...state.rewards] })
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const only = async () => (await openRunStore(join(folder, 'runs')).loadAll()).runs[0]
const file = () => join(folder, 'runs.jsonl')

it('stand in for runs that are over, whose events are read when they are opened', async () => {
  const run = await only()
  expect(run).toMatchObject({ info: { id: 'run-1', status: 'done', done: 2, solved: 1, rewards: [1, 0] } })
  expect(openRunStore(join(folder, 'runs')).loadNow('run-1').state.steps).toHaveLength(2)
})

it('are not believed where the run’s files are others, and are made again where they are damaged or gone', async () => {
  const whole = await readFile(file(), 'utf8')
  await writeFile(file(), whole.replace('"solved":1', '"solved":2'))
  expect(await only()).toHaveProperty('state.solved', 1)
  await rm(file())
  expect(await only()).toHaveProperty('state.solved', 1)
  await writeFile(file(), whole)
  expect(await only()).toHaveProperty('info')
  await appendFile(join(folder, 'runs', 'run-1', 'events.jsonl'), '{"torn')
  expect(await only()).toHaveProperty('state.solved', 1)
})

it('are gone with their run', async () => {
  await openRunStore(join(folder, 'runs')).forget('run-1')
  await expect(readFile(file(), 'utf8')).rejects.toThrow(/ENOENT/)
})
