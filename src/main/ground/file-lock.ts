import { randomUUID } from 'node:crypto'
import { open, stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { LoamError } from '../../shared/errors'
import { diskError, errnoOf } from './atomic-file'
import { fileAge } from './file-age'
import { rename, rm } from './steady-files'

/** Such work takes milliseconds: a lock this old belongs to a process that is gone. */
const STALE_MS = 10_000
const PAUSE_MS = 20
const TRIES = 1000

/**
 * Does work on a file that several processes change, one of them at a time: read it inside, then replace it. `<path>.lock` exists
 * meanwhile; one that was left behind is taken over after ten seconds.
 * @throws LoamError `CONFLICT` when others hold it for twenty seconds, `DISK_FULL`, `DISK_WRITE`
 */
export async function withFileLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const lock = `${path}.lock`
  for (let attempt = 0; attempt < TRIES; attempt++) {
    if (await take(lock)) {
      try {
        return await work()
      } finally {
        await rm(lock, { force: true })
      }
    }
    await dropIfStale(lock)
    await sleep(PAUSE_MS)
  }
  throw new LoamError('CONFLICT', `Other programs keep changing ${path}.`, {
    suggestion: `Try again. If nothing uses it, delete ${lock}.`,
    retryable: true,
  })
}

async function take(lock: string): Promise<boolean> {
  try {
    await (await open(lock, 'wx', 0o600)).close()
    return true
  } catch (error) {
    if (errnoOf(error) === 'EEXIST' || (process.platform === 'win32' && errnoOf(error) === 'EPERM'))
      return false
    throw diskError(error, lock)
  }
}

/** Renamed before it is removed: of several processes only one can, so that none removes another's fresh lock twice. */
async function dropIfStale(lock: string): Promise<void> {
  const stats = await stat(lock).catch(() => null)
  if (stats === null || fileAge(stats) < STALE_MS) return
  const aside = `${lock}.${randomUUID()}`
  try {
    await rename(lock, aside)
  } catch {
    return
  }
  await rm(aside, { force: true })
}
