import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { JobRegistry } from '../../../src/main/ground/jobs'
import { openWatchedLogs } from '../../../src/main/transfer/watched-logs'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loam-idle-'))
  vi.stubEnv('CLAUDE_CONFIG_DIR', join(folder, 'claude'))
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
})
afterEach(async () => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
  await rm(folder, { recursive: true, force: true })
})

test('watching begins by itself once nothing has worked for two minutes, not while a run goes on, and only where it is on', async () => {
  const project = join(folder, 'claude', 'projects', 'shop')
  await mkdir(project, { recursive: true })
  const session = join(project, 'a.jsonl')
  await writeFile(session, 'x')
  let time = Date.UTC(2026, 2, 1, 12)
  await utimes(session, new Date(time - 3_600_000), new Date(time - 3_600_000))
  let [isRunning, watchedAgents] = [true, [] as string[]]
  const run = vi.fn(() =>
    Promise.resolve({ rows: 1, imported: 1, duplicates: 0, left: [], moreLeft: 0, notes: [], importId: 'i' }),
  )
  const jobs = new JobRegistry()
  const host = {
    ...{
      clock: { now: () => new Date(time) },
      jobs,
      options: { power: () => Promise.resolve({ battery: false, hot: false }) },
    },
    ...{ data: { path: folder }, settings: () => ({ watchedAgents }), logger: { warn: vi.fn() } },
  }
  const runs = {
    ...{ isAwaited: () => false, isVisited: () => false, atWork: () => null },
    list: () => (isRunning ? [{ status: 'running' }] : []),
  }
  const watching = await openWatchedLogs(host as never, { imports: { run }, runs } as never)
  watching.keepTaking()
  /** Minutes in which Loam looks as often as it does. */
  const pass = async (minutes: number) => {
    for (let second = 0; second < minutes * 60; second += 5) {
      time += 5000
      await vi.advanceTimersByTimeAsync(5000)
    }
  }
  await pass(5)
  watchedAgents = ['claude-code']
  await pass(5)
  expect(run).not.toHaveBeenCalled()
  isRunning = false
  await pass(1)
  expect(run).not.toHaveBeenCalled()
  await pass(2)
  await expect.poll(() => run.mock.calls.length).toBe(1)
  expect(run.mock.calls[0]).toMatchObject([
    { source: { from: 'paths', paths: [session] }, client: 'watched claude-code' },
    {},
  ])
  await expect.poll(() => jobs.list().some(({ status }) => status === 'running')).toBe(false)
  // What was read is not read again.
  await pass(10)
  expect(run).toHaveBeenCalledTimes(1)
  await watching.close()
})
