import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { damageIn } from '../../../src/main/ground/record-file'
import { openDataFolder, type DataFolder } from '../../../src/main/host/data-folder'
import { isLeftOut } from '../../../src/main/journal/backups'
import { createBackups, outdated } from '../../../src/main/storage/backups'
import type { Backup } from '../../../src/shared/domain/backup'
import { settingsSchema } from '../../../src/shared/domain/memory-info'
import { attempt, wordEmbedder } from '../memory-store/fixtures'

let root: string
let path: string
let time: number
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'loam-backups-'))
  path = join(root, 'data')
  time = Date.parse('2030-05-06T10:00:00Z')
})
afterEach(async () => {
  vi.useRealTimers()
  await rm(root, { recursive: true, force: true })
})

const clock = { now: () => new Date((time += 1000)) }
const open = (): Promise<DataFolder> => openDataFolder(path, { clock })
const silent = { info() {}, warn() {}, error() {} }
const RESTING = { isAwaited: () => false, isVisited: () => false, atWork: () => null, list: () => [] }

function backupsOf(data: DataFolder, automaticBackups = true) {
  const settings = () => settingsSchema.parse({ automaticBackups })
  const power = () => Promise.resolve({ battery: false, hot: false })
  const host = { clock, data, settings, jobs: { list: () => [] }, options: { power }, logger: silent }
  return createBackups(host as unknown as Parameters<typeof createBackups>[0], RESTING)
}

/** A memory of ten attempts, a backup of that, and what came later: more attempts, an ask, another memory. Answers what the backup held. */
async function lived() {
  const data = await open()
  const { id } = await data.memories.create('kept')
  const memory = await data.memories.open(id, wordEmbedder())
  for (let n = 1; n <= 10; n++) await memory.commit(attempt(n, `task ${n}`))
  const hash = await memory.contentHash()
  const backups = backupsOf(data)
  await backups.make()
  for (let n = 11; n <= 14; n++) await memory.commit(attempt(n, `task ${n}`))
  const { id: later } = await data.memories.create('later')
  await mkdir(join(path, 'asks', 'ask-1'), { recursive: true })
  await cp(join(path, 'format.json'), join(path, 'asks', 'ask-1', 'events.jsonl'))
  await writeFile(join(path, 'signing-key.pem'), 'own')
  const [backup] = (await backups.list()).backups
  if (!backup) throw new Error('There is a backup.')
  return { data, backups, backup, id, later, hash }
}

/** What is in the folder once it is opened: the memory's hash, and whether what came later is there. */
async function reopened(id: string, later: string) {
  const data = await open()
  const hash = await (await data.memories.open(id, wordEmbedder())).contentHash()
  const isLaterThere = (await data.memories.list()).some((memory) => memory.id === later)
  const { backups, returnsTo } = await backupsOf(data).list()
  await data.close()
  return { hash, isLaterThere, returnsTo, why: backups.map(({ why }) => why) }
}

it('goes back to a backup at the next start, after one of what is there then', async () => {
  const { data, backups, backup, id, later, hash } = await lived()
  expect(backup).toMatchObject({ why: 'person', at: expect.stringMatching(/^2030-05-06T10:/) as string })
  expect(await backups.preview(backup.name)).toEqual([
    { part: 'memories', same: 1, other: 1, gone: 1, back: 0 },
    { part: 'asks', same: 0, other: 0, gone: 1, back: 0 },
    { part: 'runs', same: 0, other: 0, gone: 0, back: 0 },
    { part: 'experiments', same: 0, other: 0, gone: 0, back: 0 },
  ])
  await expect(backups.preview('../..')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(backups.goBack('nothing')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await backups.goBack(backup.name)
  expect((await backups.list()).returnsTo).toBe(backup.name)
  await data.close()
  expect(await reopened(id, later)).toEqual({
    hash,
    isLaterThere: false,
    returnsTo: null,
    why: ['return', 'person'],
  })
  expect((await readdir(path)).filter((name) => name.startsWith('return.'))).toEqual([])
  // What this Loam signs with is no part of a backup, and nobody else's for going back.
  expect(await readFile(join(path, 'signing-key.pem'), 'utf8')).toBe('own')

  // And forward again, to what there was before.
  const again = await open()
  const [before] = (await backupsOf(again).list()).backups
  await backupsOf(again).goBack(String(before?.name))
  await again.close()
  expect(await reopened(id, later)).toMatchObject({ isLaterThere: true })
})

it.each([0, 1, 3, 99])('goes on where a kill broke it off after %i moves', async (moves) => {
  const { data, backups, backup, id, later, hash } = await lived()
  await backups.goBack(backup.name)
  await data.close()
  const [ready, former] = [join(path, 'return.ready'), join(path, 'return.former')]
  await cp(join(path, 'backups', backup.name), ready, { recursive: true })
  await mkdir(former)
  for (const name of (await readdir(path)).filter((one) => !isLeftOut(one)).slice(0, moves))
    await rename(join(path, name), join(former, name))
  for (const name of (await readdir(ready)).slice(0, moves - 3))
    await rename(join(ready, name), join(path, name))
  expect(await reopened(id, later)).toMatchObject({ hash, isLaterThere: false, returnsTo: null })
})

it('stays as it is, and says so, where it cannot go back', async () => {
  const { data, backups, backup, id, later, hash } = await lived()
  await backups.goBack(backup.name)
  await data.close()
  await rm(join(path, 'backups', backup.name), { recursive: true })
  const state = await reopened(id, later)
  expect(state).toMatchObject({ isLaterThere: true, returnsTo: null })
  expect(state.hash).not.toBe(hash)
  expect(damageIn(path).join()).toContain('Everything is as it was.')
})

it('keeps three automatic ones of the newest day, one of each day before, ten in all, and all others', () => {
  const backup = (at: string, why: Backup['why'] = 'automatic') => ({ name: `${why} ${at}`, at, why })
  const today = ['18', '14', '10', '06'].map((hour) => backup(`2030-05-20T${hour}:00:00.000Z`))
  const before = Array.from({ length: 12 }, (_, i) => String(19 - i).padStart(2, '0')).flatMap((day) => [
    backup(`2030-05-${day}T20:00:00.000Z`),
    backup(`2030-05-${day}T08:00:00.000Z`),
  ])
  const all = [...today, ...before, backup('2020-01-01T00:00:00.000Z', 'person')]
  const names = outdated(all)
  const kept = all.filter(({ name }) => !names.includes(name))
  expect(kept.map(({ at }) => at.slice(5, 13))).toEqual([
    ...['05-20T18', '05-20T14', '05-20T10'],
    ...['05-19T20', '05-18T20', '05-17T20', '05-16T20', '05-15T20', '05-14T20', '05-13T20', '01-01T00'],
  ])
})

it('makes one by itself once nothing works, again when something has changed, and none where it is off', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const data = await open()
  const later = async (ms: number): Promise<void> => {
    time += ms
    await vi.advanceTimersByTimeAsync(5000)
  }
  const [keeper, off] = [backupsOf(data), backupsOf(data, false)]
  const names = () => readdir(join(path, 'backups'))
  off.keepMaking()
  keeper.keepMaking()
  await later(60_000)
  expect(await names()).toEqual([])
  await later(600_000)
  await vi.waitFor(async () => expect(await names()).toEqual([expect.stringMatching(/^automatic-2030.*\d$/)]))
  await off.close()
  await keeper.close()
  expect((await keeper.list()).backups).toMatchObject([{ why: 'automatic' }])
  await data.close()
})
