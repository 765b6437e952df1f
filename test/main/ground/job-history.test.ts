import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { z } from 'zod'
import { openJobHistory } from '../../../src/main/ground/job-history'
import { readRecord, removeRecord } from '../../../src/main/ground/record-file'
import { JobRegistry } from '../../../src/main/ground/jobs'

let folder = ''
const file = () => join(folder, 'jobs.json')
const open = async () => new JobRegistry({ history: await openJobHistory(file()) })

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loam-jobs-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

it('lists after a start what was done before it, newest first, as of an earlier start', async () => {
  const before = await open()
  await before.start('import', 'First', async ({ progress }) => progress({ activity: 'Written' })).finished
  await before.start('run', 'Second', () => Promise.reject(new Error('oops')), { subject: 'run-1' }).finished
  await before.close()
  const after = await open()
  expect(after.list()).toMatchObject([
    { title: 'Second', status: 'failed', subject: 'run-1', earlier: true, problem: { cause: 'oops' } },
    { title: 'First', status: 'done', activity: 'Written', earlier: true },
  ])
  const [{ id } = { id: '' }] = after.list()
  expect(after.report(id)).toBeNull()
  expect(await after.cancel(id)).toMatchObject({ status: 'failed' })
  await after.close()
})

it('says of an import that is undone that it is, after a start too', async () => {
  const before = await open()
  const bring = (importId: string) =>
    before.start('import', importId, async ({ progress }) => progress({ importId })).finished
  await bring('first')
  await bring('second')
  before.markUndone('first')
  await before.close()
  const after = await open()
  after.markUndone('second')
  expect(after.list().map(({ title, undone }) => [title, undone])).toEqual([
    ['second', true],
    ['first', true],
  ])
  await after.close()
})

it('leaves out kinds of work that there are no longer, and lists the others', async () => {
  const before = await open()
  await before.start('run', 'Kept', () => Promise.resolve()).finished
  await before.close()
  const jobs = await readRecord(file(), z.array(z.object({}).loose()), [])
  await removeRecord(file())
  // As an earlier Loam wrote it.
  await writeFile(file(), JSON.stringify([{ ...jobs[0], id: 'old', kind: 'kb-import' }, ...jobs]))
  const after = await open()
  expect(after.list().map(({ title }) => title)).toEqual(['Kept'])
  await after.close()
})

it('says of what was under way when Loam was killed that it was interrupted', async () => {
  const killed = await openJobHistory(file())
  const jobs = new JobRegistry({ history: killed })
  const { id } = jobs.start('experiment', 'Long work', () => new Promise(() => undefined))
  await killed.settled()
  // As the file was at that moment.
  const kept = await readFile(file(), 'utf8')
  await jobs.close(10)
  await writeFile(file(), kept)
  const after = await open()
  expect(after.get(id)).toMatchObject({
    status: 'failed',
    problem: { code: 'INTERRUPTED', title: 'Interrupted' },
    etaMs: null,
  })
  await after.close()
})

it('starts with an empty list where the file is damaged', async () => {
  await writeFile(file(), '[{"id": 1')
  const jobs = await open()
  expect(jobs.list()).toEqual([])
  await jobs.start('import', 'Export', () => Promise.resolve()).finished
  await jobs.close()
  expect(await readRecord(file(), z.array(z.unknown()), [])).toHaveLength(1)
})
