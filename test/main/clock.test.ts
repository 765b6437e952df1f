import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createApp, type App } from '../../src/main/app'
import { withFileLock } from '../../src/main/ground/file-lock'
import { folderHolder, lockFolder } from '../../src/main/ground/lock'
import { RestartPolicy } from '../../src/main/ground/restart-policy'
import { backUp, stamp } from '../../src/main/journal/backups'
import { createAgentMemory } from '../../src/main/share/agent-memory'
import { checkDataFolder } from '../../src/main/storage/doctor'

const YEAR_MS = 365 * 24 * 3_600_000
/** What a clock is moved by between two writes: by a summer time, by an empty battery, by a person. */
const JUMPS: readonly number[] = [0, 3_600_000, -7_200_000, 10 * YEAR_MS, -30 * YEAR_MS, 20 * YEAR_MS, 0]

let folder: string
const data = (): string => join(folder, 'data')
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loam-clock-'))
})
afterEach(async () => {
  vi.useRealTimers()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

/** Moves the clock, and no timer. */
function jump(byMs: number): void {
  vi.useRealTimers()
  if (byMs !== 0) vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + byMs })
}
const opened = (): Promise<App> => createApp({ dataPath: data(), host: 'memory', gpuLayers: 'cpu' })

it('keeps ids, order, and what was written when the clock is set between writes', async () => {
  const statements: string[] = []
  const ids = new Set<string>()
  const backups = new Set<string>()
  let memory = ''
  // Opened anew after every second jump, as after a night.
  for (const [i, by] of JUMPS.entries()) {
    jump(by)
    const app = await opened()
    try {
      memory = (await app.memories.open('mine')).path
      const access = createAgentMemory(await app.memories.open('mine'), app, { write: true })
      for (const half of ['first', 'second']) {
        const statement = `The ${half} key of harbour ${i} lies in drawer ${i * 2 + statements.length}.`
        await access.remember({ about: 'the harbour', statement }, 'bot')
        statements.push(statement)
        jump(JUMPS[(i + 1) % JUMPS.length] ?? 0)
        ids.add(
          (
            await app.askDrafts.start({
              text: `What of harbour ${i}, ${half}?`,
              model: 'openai:m@http://127.0.0.1:9/v1',
            })
          ).id,
        )
      }
      await app.asks.settled()
      expect(await folderHolder(data())).toBe(process.pid)
      backups.add(await backUp(data(), `by-hand-${stamp(new Date())}`))
      backups.add(await backUp(data(), `by-hand-${stamp(new Date())}`))
    } finally {
      await app.dispose()
    }
  }
  jump(0)
  expect(ids.size).toBe(JUMPS.length * 2)
  expect(backups.size).toBe(JUMPS.length * 2)
  const app = await opened()
  try {
    expect(new Set(app.asks.list({ text: '', deleted: false }).map(({ id }) => id))).toEqual(ids)
    const query = { memoryId: 'mine', kinds: null, text: '', environment: null, mark: null }
    const { rows } = await app.memory.list({ ...query, state: 'live', sort: 'newest', offset: 0, limit: 100 })
    const titles = rows.map(({ title }) => title).filter((title) => title.includes('key of harbour'))
    expect(titles.sort()).toEqual(statements.map((statement) => `the harbour: ${statement}`).sort())
  } finally {
    await app.dispose()
  }
  const journal = join(memory, 'journal')
  const texts = await Promise.all(
    (await readdir(journal)).sort().map((name) => readFile(join(journal, name), 'utf8')),
  )
  const lines = texts.join('').split('\n').filter(Boolean)
  const seqs = lines.map((line) => (JSON.parse(line) as { seq: number }).seq)
  const facts = lines.flatMap(
    (line) => /The (?:first|second) key of harbour \d+ lies in drawer \d+\./.exec(line)?.[0] ?? [],
  )
  expect(seqs).toEqual(seqs.map((_, i) => i + 1))
  expect(facts).toEqual(statements)
  const { findings } = await checkDataFolder({ path: data(), repair: false, now: new Date(), version: '0' })
  expect(findings.filter(({ of }) => of !== 'disk' && of !== 'modes')).toEqual([])
})

it('takes over locks that were left by a process that is gone, whichever way the clock was set since', async () => {
  await mkdir(data())
  const path = join(data(), 'list.json')
  for (const by of [YEAR_MS, -YEAR_MS]) {
    const then = (Date.now() + by) / 1000
    await writeFile(`${path}.lock`, '')
    await utimes(`${path}.lock`, then, then)
    await withFileLock(path, () => writeFile(path, String(by)))
    expect(await readFile(path, 'utf8')).toBe(String(by))
    for (const name of ['lock', 'lock.takeover']) {
      await writeFile(join(data(), name), '')
      await utimes(join(data(), name), then, then)
    }
    await (await lockFolder(data())).release()
  }
})

it('believes the lock of a process that runs, whichever way the clock was set', async () => {
  await mkdir(data())
  for (const by of [YEAR_MS, -YEAR_MS]) {
    jump(by)
    const lock = await lockFolder(data())
    jump(-by)
    await expect(lockFolder(data())).rejects.toMatchObject({ code: 'DATA_DIR_LOCKED' })
    await lock.release()
  }
})

it('counts the restarts of an engine by time that passes, not by the clock', () => {
  const restarts = new RestartPolicy()
  jump(YEAR_MS)
  while (restarts.allows) restarts.next()
  expect(restarts.total).toBe(3)
  jump(-YEAR_MS)
  expect(restarts.allows).toBe(false)
  jump(2 * YEAR_MS)
  expect(restarts.allows).toBe(false)
})
