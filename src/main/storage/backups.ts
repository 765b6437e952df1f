import { readdir, stat, statfs } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import type { Backup, BackupChange, BackupPart, Backups } from '../../shared/domain/backup'
import { BACKUP_PARTS } from '../../shared/domain/backup'
import { LoamError } from '../../shared/errors'
import type { Host } from '../host/host'
import { backupsIn, isLeftOut, returnOf, setReturn } from '../journal/backups'
import { rm } from '../ground/steady-files'
import { folderBytes } from '../memory-store/memory-folder'
import { createIdle, LOOK_MS } from '../runs/idle'
import type { RunQueue } from '../runs/run-queue'

/** Least time between two automatic backups, in ms. */
const PAUSE_MS = 4 * 3_600_000
/** How often is looked whether one is due, in ms. */
const CHECK_MS = 600_000
/** Automatic backups that are kept: of the newest day, of each day before it, and in all. */
const KEPT_OF_DAY = 3
const KEPT_IN_ALL = 10
/** How many times what is copied has to be free on the disk. */
const FREE_TIMES = 3

const PREFIXES: readonly (readonly [prefix: string, why: Backup['why']])[] = [
  ['automatic-', 'automatic'],
  ['before-format-', 'migration'],
  ['before-return-', 'return'],
]
const TIME = /(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)(?:-\d{1,3})?$/

const FOLDERS: Readonly<Record<BackupPart, string>> = {
  memories: 'spaces',
  asks: 'asks',
  runs: 'runs',
  experiments: 'experiments',
}

/** Copies of a data folder: made by hand and while nothing works, listed, and gone back to. */
export type BackupKeeper = ReturnType<typeof createBackups>

/** Creates it. Nothing is copied before it is asked for, by `make` or `keepMaking`. */
export function createBackups(
  host: Pick<Host, 'clock' | 'jobs' | 'options' | 'data' | 'settings' | 'logger'>,
  runs: Pick<RunQueue, 'isAwaited' | 'isVisited' | 'atWork' | 'list'>,
) {
  const { clock, data, settings, logger } = host
  const root = data.path
  const idle = createIdle(host, runs)
  let timer: NodeJS.Timeout | null = null
  let making: Promise<void> | null = null
  let skipped: string | null = null
  let checkedAt = 0

  /** Without what they take on disk, newest first. */
  const namesOf = async (): Promise<Omit<Backup, 'bytes'>[]> => {
    const entries = await readdir(backupsIn(root), { withFileTypes: true })
    const names = entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
    return names.flatMap((name) => backupNamed(name) ?? []).sort((a, b) => (a.at < b.at ? 1 : -1))
  }

  const requireBackup = async (name: string): Promise<string> => {
    if ((await namesOf()).some((one) => one.name === name)) return join(backupsIn(root), name)
    throw new LoamError('NOT_FOUND', `There is no backup called "${name}".`, {
      suggestion: 'See which there are: loam storage backups.',
    })
  }

  /** Why no automatic backup is made now; null: one is. */
  const reasonToWait = async (): Promise<string | null> => {
    const [last] = (await namesOf()).filter(({ why }) => why === 'automatic')
    if (last && clock.now().getTime() - Date.parse(last.at) < PAUSE_MS) return 'The last one is young.'
    const files = await filesOf(root)
    const newest = Math.max(0, ...[...files.values()].map(({ changedMs }) => changedMs))
    if (last && newest < Date.parse(last.at)) return 'Nothing has changed.'
    const bytes = [...files.values()].reduce((sum, file) => sum + file.bytes, 0)
    const { bavail, bsize } = await statfs(root)
    skipped =
      bavail * bsize < FREE_TIMES * bytes
        ? `The disk has less than ${FREE_TIMES} times as much free as a backup takes.`
        : null
    return skipped
  }

  const makeAutomatic = async (): Promise<void> => {
    if ((await idle.powerProblem()) !== null || (await reasonToWait()) !== null) return
    await data.backUp('automatic')
    for (const name of outdated(await namesOf()))
      await rm(join(backupsIn(root), name), { recursive: true, force: true })
  }

  return {
    /** All there are, newest first, and which the next start goes back to. */
    async list(): Promise<Backups> {
      const backups = (await namesOf()).map(async (one) => ({
        ...one,
        bytes: await folderBytes(join(backupsIn(root), one.name)),
      }))
      return { backups: await Promise.all(backups), returnsTo: await returnOf(root), skipped }
    },
    /** Copies what cannot be made again; answers the copy's path. */
    make: (): Promise<string> => data.backUp('by-hand'),
    /** What going back to a backup would change. @throws LoamError `NOT_FOUND` */
    async preview(name: string): Promise<BackupChange[]> {
      const folder = await requireBackup(name)
      return Promise.all(
        BACKUP_PARTS.map((part) => changeOf(part, join(folder, FOLDERS[part]), join(root, FOLDERS[part]))),
      )
    },
    /** Has the next start of Loam go back to a backup; null: to none. What is there then is backed up first. @throws LoamError `NOT_FOUND` */
    async goBack(name: string | null): Promise<void> {
      if (name !== null) await requireBackup(name)
      await setReturn(root, name, clock.now())
    },
    /** Makes one from now on while nothing works, where something has changed and the setting says so. */
    keepMaking(): void {
      timer ??= setInterval(() => {
        const now = clock.now().getTime()
        if (!idle.isQuiet() || making !== null || now - checkedAt < CHECK_MS) return
        if (!settings().automaticBackups) return
        checkedAt = now
        making = makeAutomatic()
          .catch((error: unknown) => logger.warn('No automatic backup could be made', { error }))
          .finally(() => (making = null))
      }, LOOK_MS)
      timer.unref()
    },
    async close(): Promise<void> {
      if (timer) clearInterval(timer)
      await making
    },
  }
}

/** What a backup's name says; null for what is none. */
function backupNamed(name: string): Omit<Backup, 'bytes'> | null {
  const [, day, hour, minute, second] = TIME.exec(name) ?? []
  if (day === undefined) return null
  const why = PREFIXES.find(([prefix]) => name.startsWith(prefix))?.[1] ?? 'person'
  return { name, at: `${day}T${hour}:${minute}:${second}.000Z`, why }
}

/** Automatic backups that make room, of all, newest first: of earlier days all but the last one, and those beyond the most. */
export function outdated(backups: readonly Pick<Backup, 'name' | 'at' | 'why'>[]): string[] {
  const own = backups.filter(({ why }) => why === 'automatic')
  const today = own[0]?.at.slice(0, 10)
  const days = new Map<string, number>()
  const heirs = own.filter(({ at }) => {
    const day = at.slice(0, 10)
    days.set(day, (days.get(day) ?? 0) + 1)
    return (days.get(day) ?? 0) <= (day === today ? KEPT_OF_DAY : 1)
  })
  const names = new Set(heirs.slice(0, KEPT_IN_ALL).map(({ name }) => name))
  return own.flatMap(({ name }) => (names.has(name) ? [] : [name]))
}

interface FileNote {
  readonly bytes: number
  readonly changedMs: number
}

/** The files of a folder that backups hold, by their paths in it. */
async function filesOf(folder: string): Promise<Map<string, FileNote>> {
  const files = new Map<string, FileNote>()
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => [])) {
    const path = relative(folder, join(entry.parentPath, entry.name))
    if (!entry.isFile() || path.split(sep).some(isLeftOut)) continue
    const stats = await stat(join(folder, path)).catch(() => null)
    if (stats) files.set(path, { bytes: stats.size, changedMs: stats.mtimeMs })
  }
  return files
}

/** What each of the things in a folder takes, by name: one text that differs where any of its files does. */
async function looksOf(folder: string): Promise<Map<string, string>> {
  const looks = new Map<string, string>()
  for (const [path, { bytes }] of [...(await filesOf(folder))].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const [name = '', ...rest] = path.split(sep)
    looks.set(name, `${looks.get(name) ?? ''}${rest.join('/')} ${bytes}\n`)
  }
  return looks
}

async function changeOf(part: BackupPart, copy: string, own: string): Promise<BackupChange> {
  const [before, now] = await Promise.all([looksOf(copy), looksOf(own)])
  const shared = [...before.keys()].filter((name) => now.has(name))
  const same = shared.filter((name) => before.get(name) === now.get(name)).length
  return {
    ...{ part, same, other: shared.length - same },
    ...{ gone: now.size - shared.length, back: before.size - shared.length },
  }
}
