import { access, cp, mkdir, readdir } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { z } from 'zod'
import { toErrorShape } from '../../shared/errors'
import { diskError, errnoOf, syncFolder } from '../ground/atomic-file'
import { INDEX_NAMES } from '../ground/index-folders'
import { hasRecord, noteDamage, readRecord, removeRecord, writeRecord } from '../ground/record-file'
import { rename, rm } from '../ground/steady-files'

/** Which copy the next start goes back to, and under which name what is there now is kept. */
const RETURN_FILE = 'return.json'
const returnSchema = z.object({ to: z.string(), before: z.string() })
/** The copy on its way into the folder's place, whole from the moment it has this name; and what it takes the place of. */
const READY = 'return.ready'
const FORMER = 'return.former'

/** Left out of backups: what can be made again, what is large and unchanging, what Electron keeps, and the backups themselves. */
const NOT_BACKED_UP: ReadonlySet<string> = new Set([
  'lock',
  'lock.takeover',
  ...INDEX_NAMES,
  // Would be ahead of a journal that was copied a moment earlier.
  'journal-head',
  'models',
  'backups',
  'exports',
  'trash',
  'window',
  'logs',
  'prefix-states',
  'method-replays',
  'task-folders',
  'scratch',
])

/** Secrets, and the copies that lie beside them, stay where they are: backups are carried about. */
const STAYING_FILES = ['credentials.json', 'signing-key', 'host.json', 'return.']

/** Whether a file or folder of that name is no part of a backup. */
export const isLeftOut = (name: string): boolean =>
  NOT_BACKED_UP.has(name) || name.endsWith('.tmp') || STAYING_FILES.some((file) => name.startsWith(file))

/** Where the backups of a data folder are. */
export const backupsIn = (dataPath: string): string => join(dataPath, 'backups')

/** A time as part of a file name. */
export function stamp(now: Date): string {
  return now.toISOString().replaceAll(':', '-').slice(0, 'yyyy-mm-ddThh-mm-ss'.length)
}

/**
 * Copies everything that cannot be made again to `<data>/backups/<name>` and answers its path.
 * Memories in use may be copied: a commit caught half way is cut off when the copy is opened.
 */
export async function backUp(dataPath: string, name: string): Promise<string> {
  const target = await freeName(join(backupsIn(dataPath), name))
  await copyWhole(dataPath, dataPath, target)
  await syncFolder(backupsIn(dataPath))
  return target
}

/** Copies a folder, or as much of it as a backup holds; nothing is at `target` until all of it is. @throws LoamError `DISK_FULL`, `DISK_WRITE` */
async function copyWhole(from: string, root: string, target: string): Promise<void> {
  const partial = `${target}.partial`
  await rm(partial, { recursive: true, force: true })
  await mkdir(partial, { recursive: true, mode: 0o700 })
  try {
    for (const entry of await readdir(from)) {
      if (isLeftOut(entry)) continue
      await cp(join(from, entry), join(partial, entry), {
        recursive: true,
        filter: (source) => !relative(root, source).split(sep).some(isLeftOut),
      })
    }
  } catch (error) {
    await rm(partial, { recursive: true, force: true }).catch(() => undefined)
    throw diskError(error, target)
  }
  await rename(partial, target)
}

async function freeName(path: string): Promise<string> {
  for (let copy = 1; ; copy++) {
    const candidate = copy === 1 ? path : `${path}-${copy}`
    if (!(await isThere(candidate))) return candidate
  }
}

async function isThere(path: string): Promise<boolean> {
  try {
    await access(path)
    return true
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return false
    throw error
  }
}

/** The backup that the next start goes back to; null: none. */
export async function returnOf(dataPath: string): Promise<string | null> {
  return (await readReturn(dataPath))?.to ?? null
}

const readReturn = (dataPath: string) =>
  readRecord<z.infer<typeof returnSchema> | null>(join(dataPath, RETURN_FILE), returnSchema.nullable(), null)

/** Has the next start go back to a backup, or to none. */
export async function setReturn(dataPath: string, to: string | null, now: Date): Promise<void> {
  const path = join(dataPath, RETURN_FILE)
  if (to === null) await removeRecord(path)
  else await writeRecord(path, { to, before: `before-return-${stamp(now)}` })
}

/** Whether a data folder, locked or not, is to go back to a backup when it is opened. */
export const returns = (dataPath: string): boolean => hasRecord(join(dataPath, RETURN_FILE))

/**
 * Puts the backup that was chosen in the place of what a locked data folder holds, after a backup of that. Goes on where a kill broke it off. Where it
 * cannot be done, as on a full disk, everything stays as it is, and that is told (see `damageIn`).
 */
export async function goBack(dataPath: string): Promise<void> {
  const wish = await readReturn(dataPath)
  if (wish === null) return removeRecord(join(dataPath, RETURN_FILE))
  const from = join(backupsIn(dataPath), wish.to)
  const ready = join(dataPath, READY)
  if (!(await isThere(ready))) {
    try {
      if (!(await isThere(join(backupsIn(dataPath), wish.before)))) await backUp(dataPath, wish.before)
      await copyWhole(from, from, ready)
    } catch (error) {
      noteDamage(
        from,
        `Loam could not go back to ${from}: ${toErrorShape(error).cause.replace(/\.?$/, '.')} Everything is as it was.`,
      )
      return removeRecord(join(dataPath, RETURN_FILE))
    }
  }
  await swap(dataPath, from)
  for (const name of [READY, FORMER]) await rm(join(dataPath, name), { recursive: true, force: true })
  await removeRecord(join(dataPath, RETURN_FILE))
}

/** Moves what is ready into its place, and what is there out of it. Each step can be the last before a kill. */
async function swap(dataPath: string, from: string): Promise<void> {
  const [ready, former] = [join(dataPath, READY), join(dataPath, FORMER)]
  await mkdir(former, { recursive: true, mode: 0o700 })
  const [copyNames, readyNames] = [new Set(await readdir(from)), new Set(await readdir(ready))]
  for (const name of await readdir(dataPath)) {
    if (isLeftOut(name) || (copyNames.has(name) && !readyNames.has(name))) continue
    await rename(join(dataPath, name), join(former, name))
  }
  for (const name of readyNames) await rename(join(ready, name), join(dataPath, name))
  await syncFolder(dataPath)
}
