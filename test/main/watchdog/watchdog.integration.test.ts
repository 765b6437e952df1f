import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { takeUnanswered, unansweredWords } from '../../../src/main/watchdog/watchdog'

it('writes down why a host does not answer, frees its folder, ends it and starts it again', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'loam-watchdog-'))
  try {
    const fixture = resolve(import.meta.dirname, '../../fixtures/blocked-host.ts')
    const host = spawn(process.execPath, ['--import', 'tsx', fixture, folder], { stdio: 'inherit' })
    const [, signal] = (await once(host, 'exit')) as [number | null, string | null]
    expect(signal).toBe('SIGKILL')
    expect(existsSync(join(folder, 'lock'))).toBe(false)
    const report = await takeUnanswered(folder)
    expect(report).toMatchObject({ pid: host.pid, work: 'import', startedAgain: true })
    expect(report?.place[0]).toContain('neverEnds')
    expect(report && unansweredWords(report)).toMatch(/At work: import\. Its code was in neverEnds/)
    expect(await takeUnanswered(folder)).toBeNull()
    await expect.poll(() => readFile(join(folder, 'again'), 'utf8').catch(() => '')).toBe('yes')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
