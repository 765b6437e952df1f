import type { RunSnapshot } from '../../../src/shared/domain/run'
import { statesOf } from '../../../src/shared/feed'
import { METHODS } from '../../../src/core/methods'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createRouter } from '../../../src/main/api/router'
import { createTransports, type Transports } from '../../../src/main/api/transports'
import type { App } from '../../../src/main/app'
import type { Contract } from '../../../src/shared/contract'
import { writtenCounts } from '../../../src/shared/domain/item-transfer'
import type { JobInfo } from '../../../src/shared/domain/job'
import { DEMO_MODEL, hasTinyModel, openAppRig, type AppRig } from '../runs/rig-app'
import { jobEnded } from './job-ended'

vi.setConfig({ testTimeout: 120_000 })

let rig: AppRig
let app: App
let client: Transports<Contract>['client']
beforeAll(async () => {
  rig = await openAppRig(3)
  app = rig.app
  client = createTransports<Contract>(createRouter(app)).client
})
afterAll(() => rig.close())

const ended = async (jobId: string): Promise<JobInfo> => jobEnded(await client.jobs.watch({}), jobId)

test('says what it is, and keeps settings', async () => {
  expect(await client.app.info()).toMatchObject({ host: 'memory', firstStart: true, outgoingConnections: 0 })
  expect(await client.app.saveSettings({ theme: 'dark' })).toMatchObject({ theme: 'dark', network: false })
  expect((await client.app.settings()).theme).toBe('dark')
  // A window that is loaded anew while a change is being saved is told of it.
  const change = client.app.saveSettings({ theme: 'light' })
  await new Promise(setImmediate)
  expect((await client.app.settings()).theme).toBe('light')
  await change
  // Changing one setting leaves the others as they are.
  expect(await client.app.saveSettings({ sidebarCollapsed: true })).toMatchObject({ theme: 'light' })
  await expect(client.app.saveSettings({ threads: 0 })).rejects.toMatchObject({ code: 'BAD_INPUT' })
})

test('lists streams, methods, models, embedders and the engine', async () => {
  expect(await client.streams.list()).toMatchObject([{ id: 'small', tasks: 3, source: 'bundled' }])
  expect((await client.methods.list()).map((method) => method.id)).toEqual(METHODS.map(({ info }) => info.id))
  expect(Array.isArray(await client.models.list())).toBe(true)
  expect(await client.engine.embedders()).toMatchObject([
    { id: 'loam-256', kind: 'sentence-encoder' },
    { id: 'lexical-384', kind: 'lexical' },
    { id: 'all-MiniLM-L6-v2', available: false },
  ])
  expect(await client.engine.state()).toMatchObject({ status: 'stopped', model: null })
  const feed = await client.engine.watch({})
  expect((await feed.next()).value).toMatchObject({ kind: 'snapshot' })
  await feed.return?.()
})

test('generates a world, lists it and reads it back', async () => {
  const made = await client.streams.generate({ world: 123, tasks: 5 })
  expect(made).toMatchObject({
    tasks: 5,
    source: 'file',
    demo: true,
    reading: { rows: 5, imported: 5, left: [] },
  })
  expect(await client.streams.inspect({ path: made.id })).toEqual(made)
  expect((await client.streams.list()).map((stream) => stream.id)).toContain(made.id)
  await expect(client.streams.inspect({ path: '/not/there.jsonl' })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  })
})

test('refuses what does not exist in the one error shape', async () => {
  const input = { stream: 'small', model: '/nowhere/model.gguf' }
  await expect(client.runs.start({ ...input, method: 'magic' })).rejects.toMatchObject({ code: 'BAD_INPUT' })
  await expect(client.runs.start({ ...input, method: 'none' })).rejects.toMatchObject({
    code: 'MODEL_NOT_FOUND',
  })
  await expect(client.runs.get({ runId: 'none' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(client.jobs.cancel({ jobId: 'none' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(client.downloads.addKnown({ id: 'none' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(client.items.show({ memoryId: 'none', kind: 'case', id: 'x' })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  })
  expect((await client.memories.list()).map(({ role }) => role)).toEqual(['mine'])
})

test('a file that is no model fails the run with one clear error', async () => {
  const path = `${app.data.path}/settings.json`
  const run = await client.runs.start({ stream: 'small', method: 'none', model: path })
  expect(await app.runs.ended(run.id)).toMatchObject({
    status: 'failed',
    problem: { code: 'MODEL_NOT_GGUF' },
  })
  expect((await ended((await client.jobs.list())[0]?.id ?? '')).status).toBe('failed')
})

test.skipIf(!hasTinyModel)(
  'runs, then searches, deletes, restores, exports and reindexes what was kept',
  async () => {
    const run = await client.runs.start({
      stream: 'small',
      method: 'case-bank',
      model: DEMO_MODEL,
      maxTokens: 64,
      // Held to the form, and a seed with which it was seen to act on each of these tasks of others.
      seed: 3,
      settings: { presentation: { replies: 'held' } },
    })
    expect(run.config).toMatchObject({ k: 4, seed: 3, temperature: 0.2 })
    const seen: RunSnapshot[] = []
    for await (const state of statesOf(await client.runs.watch({ runId: run.id }))) {
      seen.push(state)
      if (state.run.status !== 'queued' && state.run.status !== 'running') break
    }
    expect(await client.runs.get({ runId: run.id })).toMatchObject({ status: 'done', problem: null })
    expect(seen.some(({ live }) => live !== null)).toBe(true)
    expect(seen.at(-1)).toMatchObject({ run: { done: 3 }, live: null, last: { task: { index: 2 } } })
    const { memoryId } = run.config
    const { rows, total } = await client.items.list({ memoryId, kinds: ['case'] })
    expect([rows.length, total]).toEqual([3, 3])
    const found = await client.items.list({ memoryId, kinds: ['case'], text: 'green' })
    const ref = { memoryId, kind: 'case', id: found.rows[0]?.id ?? '' }
    expect(found.rows[0]?.title).toContain('green')
    const [trajectoryId = ''] = (await client.items.show(ref)).trajectoryIds
    expect((await client.items.attempt({ memoryId, trajectoryId })).runId).toBe(run.id)
    expect((await client.items.delete(ref)).item.gone).toMatchObject({ why: 'deleted' })
    expect((await client.items.list({ memoryId, kinds: ['case'] })).total).toBe(2)
    expect((await client.items.restore(ref)).item.gone).toBeNull()
    expect((await client.runs.trajectory({ runId: run.id, index: 0 })).task.id).toBe('small-0')

    const path = join(app.data.path, 'out.jsonl')
    const { kinds } = await client.items.export({ memoryId, path })
    // A tool that complained leaves a belief as well.
    expect(writtenCounts(kinds)).toMatchObject({ attempts: 3, case: 3 })
    // What lies there is not written over without a word.
    const before = await readFile(path, 'utf8')
    await writeFile(path, 'mine')
    await expect(client.items.export({ memoryId, path })).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(await readFile(path, 'utf8')).toBe('mine')
    await client.items.export({ memoryId, path, replace: true })
    expect((await readFile(path, 'utf8')).length).toBe(before.length)
    const { data, fileName } = await client.items.export({ memoryId })
    const text = data?.text ?? ''
    expect(fileName).toMatch(/\.jsonl$/)
    const withoutTime = (exported: string): string => exported.replace(/"exportedAt":"[^"]+"/, '')
    expect(withoutTime(await readFile(path, 'utf8'))).toBe(withoutTime(text))
    expect(await ended((await client.memories.reindex({ memoryId })).jobId)).toMatchObject({ status: 'done' })
    expect(await client.app.info()).toMatchObject({ firstStart: false })
  },
)
