import { randomUUID } from 'node:crypto'
import { open, readFile, stat } from 'node:fs/promises'
import { hostname, uptime } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { LoamError } from '../../shared/errors'
import { diskError, errnoOf } from './atomic-file'
import { fileAge } from './file-age'
import { machineId, processBirth, pidNamespace } from './machine'
import { rm } from './steady-files'

const holderSchema = z.object({
  pid: z.number().int(),
  /** What the machine was called; names change, so it is for people, and for locks that say no machine. */
  host: z.string(),
  /** `machineId()` of the holder; null or absent where there is none. */
  machine: z.string().nullable().optional(),
  /** `pidNamespace()` of the holder. */
  space: z.string().nullable().optional(),
  /** ISO time the lock was taken. */
  since: z.string(),
  /** Tells this process from a later one with the same pid, where the system can; else null. */
  birth: z.string().nullable(),
  token: z.string(),
})
type Holder = z.infer<typeof holderSchema>

const GUARD_STALE_MS = 5000
const TRIES = 40
const PAUSE_MS = 50

/**
 * Takes `<folder>/lock` for this process. A lock left by a process that is gone (kill -9, power cut) is taken over.
 * @throws LoamError `DATA_DIR_LOCKED` naming the holder
 */
export async function lockFolder(folder: string) {
  const path = join(folder, 'lock')
  const mine: Holder = {
    pid: process.pid,
    host: hostname(),
    machine: machineId(),
    space: pidNamespace(),
    since: new Date().toISOString(),
    birth: processBirth(process.pid),
    token: randomUUID(),
  }
  for (let attempt = 0; attempt < TRIES; attempt++) {
    if (await create(path, JSON.stringify(mine) + '\n'))
      return {
        /** Gives the folder free; safe to call twice. */
        release: (): Promise<void> => releaseIfMine(path, mine.token),
      }
    const match = await readHolder(path)
    if (match.kind === 'held' && isRunning(match.holder)) throw lockedBy(folder, match.holder)
    if (match.kind === 'held' || match.kind === 'unreadable') await removeStale(path)
    else await sleep(PAUSE_MS)
  }
  throw new LoamError(
    'DATA_DIR_LOCKED',
    `The lock of ${folder} could not be taken; several programs are trying.`,
    { suggestion: 'Wait a moment and try again.', retryable: true },
  )
}

/** The process that holds a folder open, as far as this machine can tell; null when none does. */
export async function folderHolder(folder: string): Promise<number | null> {
  const match = await readHolder(join(folder, 'lock'))
  return match.kind === 'held' && isRunning(match.holder) ? match.holder.pid : null
}

async function create(path: string, text: string): Promise<boolean> {
  let isMade = false
  try {
    const file = await open(path, 'wx')
    isMade = true
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    return true
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false
    // On a full disk an empty file could be made but not filled; left there, it would look like somebody's lock.
    if (isMade) await rm(path, { force: true })
    throw diskError(error, path)
  }
}

type Found =
  | { readonly kind: 'held'; readonly holder: Holder }
  | { readonly kind: 'gone' | 'being-written' | 'unreadable' }

async function readHolder(path: string): Promise<Found> {
  try {
    const text = await readFile(path, 'utf8')
    const parsed = holderSchema.safeParse(text.endsWith('\n') ? JSON.parse(text) : null)
    if (parsed.success) return { kind: 'held', holder: parsed.data }
    // Between creating the file and filling it a holder needs milliseconds; an old unfinished one belongs to the dead.
    const age = fileAge(await stat(path))
    return { kind: age > GUARD_STALE_MS ? 'unreadable' : 'being-written' }
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return { kind: 'gone' }
    if (error instanceof SyntaxError) return { kind: 'unreadable' }
    throw error
  }
}

/** Removes a dead holder's lock. A guard file makes sure that two openers do not remove each other's fresh lock. */
async function removeStale(path: string): Promise<void> {
  const guard = `${path}.takeover`
  if (!(await create(guard, ''))) {
    const age = await stat(guard).then(fileAge, () => 0)
    if (age > GUARD_STALE_MS) await rm(guard, { force: true })
    await sleep(PAUSE_MS)
    return
  }
  try {
    const match = await readHolder(path)
    if (match.kind === 'unreadable' || (match.kind === 'held' && !isRunning(match.holder)))
      await rm(path, { force: true })
  } finally {
    await rm(guard, { force: true })
  }
}

async function releaseIfMine(path: string, token: string): Promise<void> {
  const match = await readHolder(path)
  if (match.kind === 'held' && match.holder.token === token) await rm(path, { force: true })
}

function isRunning(holder: Holder): boolean {
  // Another machine's processes cannot be seen from here, so its lock is believed.
  if (!isOurMachine(holder)) return true
  const bootedAt = Date.now() - uptime() * 1000
  if (Date.parse(holder.since) < bootedAt - 60_000 && holder.birth === null) return false
  try {
    process.kill(holder.pid, 0)
  } catch (error) {
    if (errnoOf(error) === 'ESRCH') return false
  }
  const birth = processBirth(holder.pid)
  return holder.birth === null || birth === null || birth === holder.birth
}

function isOurMachine({ machine, space, host }: Holder): boolean {
  const ours = machineId()
  if (!machine || ours === null) return host === hostname()
  // A container that was started again has another namespace and its old name.
  return machine === ours && ((space ?? null) === pidNamespace() || host === hostname())
}

function lockedBy(folder: string, holder: Holder): LoamError {
  return new LoamError(
    'DATA_DIR_LOCKED',
    `${folder} is in use by process ${holder.pid} on ${holder.host} since ${holder.since}.`,
    {
      suggestion: `Close that Loam first. If it is surely not running any more, delete the file ${join(folder, 'lock')}.`,
      retryable: true,
    },
  )
}
