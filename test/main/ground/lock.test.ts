import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { lockFolder } from '../../../src/main/ground/lock'
import { machineId, processBirth } from '../../../src/main/ground/machine'
import { inTempFolder } from '../memory-store/fixtures'

type Answer = { readonly held?: number; readonly failed?: string }

async function startHolder(folder: string): Promise<{ child: ChildProcess; answer: Answer }> {
  const script = fileURLToPath(new URL('./lock-holder.ts', import.meta.url))
  const child = fork(script, [folder], { execArgv: ['--import', 'tsx'] })
  const [answer] = (await once(child, 'message')) as [Answer]
  return { child, answer }
}

async function stop(child: ChildProcess, how: 'kill' | 'release'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  if (how === 'kill') child.kill('SIGKILL')
  else child.send('release')
  await exited
}

describe('folder lock', () => {
  it('keeps a second process out and names the holder', () =>
    inTempFolder(async (folder) => {
      const { child } = await startHolder(folder)
      try {
        await expect(lockFolder(folder)).rejects.toMatchObject({
          code: 'DATA_DIR_LOCKED',
          why: expect.stringContaining(`process ${child.pid} on ${hostname()}`) as string,
        })
      } finally {
        await stop(child, 'release')
      }
      await (await lockFolder(folder)).release()
      expect(await readdir(folder)).toEqual([])
    }))

  it('takes over from a holder that was killed', () =>
    inTempFolder(async (folder) => {
      const { child } = await startHolder(folder)
      await stop(child, 'kill')
      expect(await readdir(folder)).toEqual(['lock'])
      const lock = await lockFolder(folder)
      await expect(lockFolder(folder)).rejects.toMatchObject({ code: 'DATA_DIR_LOCKED' })
      await lock.release()
    }))

  it('lets exactly one of several take over', () =>
    inTempFolder(async (folder) => {
      const dead = await startHolder(folder)
      await stop(dead.child, 'kill')
      const rivals = await Promise.all([startHolder(folder), startHolder(folder), startHolder(folder)])
      const answers = rivals.map(({ answer }) => answer)
      await Promise.all(rivals.map(({ child }) => stop(child, 'kill')))
      expect(answers.filter((answer) => answer.held !== undefined)).toHaveLength(1)
      expect(answers.filter((answer) => answer.failed === 'DATA_DIR_LOCKED')).toHaveLength(2)
    }))

  it.runIf(process.platform === 'linux')(
    "is not fooled by another process that got the dead holder's pid",
    () =>
      inTempFolder(async (folder) => {
        await (await lockFolder(folder)).release()
        const lock = await lockFolder(folder)
        const held = JSON.parse(await readFile(join(folder, 'lock'), 'utf8')) as Record<string, unknown>
        await lock.release()
        await writeFile(join(folder, 'lock'), JSON.stringify({ ...held, birth: 'earlier-boot:1' }) + '\n')
        await (await lockFolder(folder)).release()
      }),
  )

  it('believes a lock from another machine', () =>
    inTempFolder(async (folder) => {
      const foreign = { pid: 1, host: 'elsewhere', since: new Date().toISOString(), birth: null, token: 't' }
      await writeFile(join(folder, 'lock'), JSON.stringify(foreign) + '\n')
      await expect(lockFolder(folder)).rejects.toMatchObject({
        why: expect.stringContaining('elsewhere') as string,
      })
    }))

  const dead = { pid: 2 ** 22 + 1, since: new Date().toISOString(), birth: null, token: 't' }

  it('takes over a dead holder’s lock although the machine is called otherwise today', () =>
    inTempFolder(async (folder) => {
      const lock = await lockFolder(folder)
      const held = JSON.parse(await readFile(join(folder, 'lock'), 'utf8')) as { machine: string | null }
      await lock.release()
      if (held.machine === null) return
      const left = { ...held, ...dead, host: 'its-name-of-yesterday' }
      await writeFile(join(folder, 'lock'), JSON.stringify(left) + '\n')
      await (await lockFolder(folder)).release()
    }))

  it('believes a lock from another machine of the same name', () =>
    inTempFolder(async (folder) => {
      const foreign = { ...dead, host: hostname(), machine: 'of-another-machine' }
      await writeFile(join(folder, 'lock'), JSON.stringify(foreign) + '\n')
      const taken = lockFolder(folder)
      if (machineId() === null) await (await taken).release()
      else await expect(taken).rejects.toMatchObject({ code: 'DATA_DIR_LOCKED' })
    }))

  it('takes over a lock that was never finished', () =>
    inTempFolder(async (folder) => {
      await writeFile(join(folder, 'lock'), '{"pid":')
      await utimes(join(folder, 'lock'), new Date(0), new Date(0))
      await (await lockFolder(folder)).release()
    }))
})

describe('when a process began', () => {
  // `ps` says it on macOS and on Linux alike.
  it.skipIf(process.platform === 'win32').each(['linux', 'darwin'] as const)(
    'is the same whoever asks, and another one for another process (as on %s)',
    async (platform) => {
      if (platform === 'linux' && process.platform !== 'linux') return
      const own = processBirth(process.pid, platform)
      expect(own).toMatch(/\d/)
      expect(processBirth(process.pid, platform)).toBe(own)
      // `ps` says whole seconds.
      if (platform === 'linux') expect(processBirth(process.ppid, platform)).not.toBe(own)
      expect(processBirth(2 ** 22 + 1, platform)).toBeNull()
    },
  )
})
