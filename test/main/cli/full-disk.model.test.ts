import { execFileSync } from 'node:child_process'
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { childrenOf } from '../headless-process'
import { gone, lastLine, loam } from './loam-process'
import { TORTURE } from '../../torture'

const model = resolve(import.meta.dirname, '../../../models/loam-demo.gguf')
const isRoot = process.platform === 'linux' && process.getuid?.() === 0

/** Mounts a small disk, or says no where that is not allowed. */
function mount(folder: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', folder], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Writes until there is no room left. */
function fill(folder: string): void {
  const file = openSync(join(folder, 'fill'), 'w')
  try {
    for (;;) writeSync(file, Buffer.alloc(4096))
  } catch {
    closeSync(file)
  }
}

/** Lines of the runs' records. */
const stepsIn = (data: string): number => {
  const runs = join(data, 'runs')
  if (!existsSync(runs)) return 0
  const files = readdirSync(runs)
    .map((id) => join(runs, id, 'events.jsonl'))
    .filter((file) => existsSync(file))
  return files.reduce((sum, file) => sum + readFileSync(file, 'utf8').split('\n').length, 0)
}

const locksIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /(^|\/)lock$/.test(name))

describe.skipIf(!isRoot || !existsSync(model))(
  'a disk that fills up (needs root, to mount a small one)',
  () => {
    let folder: string
    let mounted: boolean
    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), 'loam-small-disk-'))
      mounted = mount(folder)
    })
    afterEach(() => {
      if (mounted) execFileSync('umount', ['-l', folder])
      rmSync(folder, { recursive: true, force: true })
    })

    const commands = {
      run: ['run', '--stream', 'house-rules-a', '--method', 'case-bank', '--tasks', '60'],
      experiment: [
        'experiment',
        '--stream',
        'house-rules-a',
        '--methods',
        'none,case-bank',
        '--seeds',
        '1,2',
        '--tasks',
        '20',
      ],
      demo: ['demo', '--tasks', '30'],
    }

    it.each(Object.entries(commands).slice(0, TORTURE ? undefined : 1))(
      'ends "loam %s" with words, and leaves no process and no lock',
      { timeout: 60_000 },
      async (_, args) => {
        if (!mounted) return
        const data = join(folder, 'data')
        const { child, ended } = loam(...args, '--data', data, '--json')
        const pid = child.pid ?? 0
        try {
          // The engine is there: the first run is going.
          await expect.poll(() => childrenOf(pid).length, { timeout: 30_000 }).toBeGreaterThan(0)
          const children = childrenOf(pid)
          fill(folder)
          const { code, out } = await ended
          expect(code).toBe(1)
          expect(lastLine(out)).toMatchObject({ error: { code: expect.stringMatching(/^DISK_/) as string } })
          await Promise.all(children.map(gone))
          expect(locksIn(data)).toEqual([])
        } finally {
          child.kill('SIGKILL')
        }
      },
    )

    it(
      'is closed in good order when it is asked to end with another run in line',
      { timeout: 60_000 },
      async () => {
        if (!mounted) return
        const data = join(folder, 'data')
        const { child, ended } = loam('demo', '--tasks', '60', '--data', data)
        const pid = child.pid ?? 0
        try {
          await expect.poll(() => stepsIn(data), { timeout: 30_000 }).toBeGreaterThan(12)
          const children = childrenOf(pid)
          expect(children.length).toBeGreaterThan(0)
          child.kill('SIGSTOP')
          fill(folder)
          child.kill('SIGTERM')
          child.kill('SIGCONT')
          expect((await ended).code).toBe(1)
          await Promise.all(children.map(gone))
          expect(locksIn(data)).toEqual([])
        } finally {
          child.kill('SIGKILL')
        }
      },
    )

    it('leaves no lock of its own when there is no room even for that', { timeout: 30_000 }, async () => {
      if (!mounted) return
      fill(folder)
      const { code, out } = await loam('runs', '--data', join(folder, 'data'), '--json').ended
      expect(code).toBe(1)
      expect(lastLine(out)).toMatchObject({ error: { code: 'DISK_FULL' } })
      if (existsSync(join(folder, 'data'))) expect(locksIn(join(folder, 'data'))).toEqual([])
    })
  },
)
