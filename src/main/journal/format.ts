import { access, cp, mkdir, readdir } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { z } from 'zod'
import { LoamError } from '../../shared/errors'
import { errnoOf, syncFolder } from '../ground/atomic-file'
import { readRecord, writeRecord } from '../ground/record-file'
import { rename, rm } from '../ground/steady-files'
import { INDEX_NAMES } from '../ground/index-folders'

const formatSchema = z.object({ format: z.number().int().positive(), createdAt: z.string() })

/** Brings a data folder from format `from` to `from + 1`. Must be safe to run again after a crash. */
export interface Migration {
  readonly from: number
  readonly title: string
  run(dataPath: string): Promise<void>
}

/** In order, without gaps: migration i leads from format i + 1. The newest format is one more than their number. */
export const MIGRATIONS: readonly Migration[] = []

export interface FormatOutcome {
  readonly format: number
  readonly migratedFrom: number | null
  /** The back-up made before migrating. */
  readonly backup: string | null
}

/** Left out of back-ups: what can be made again, what is large and unchanging, what Electron keeps, and the back-ups themselves. */
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
])

/** Secrets, and the copies that lie beside them, stay where they are: back-ups are carried about. */
const SECRET_FILES = ['credentials.json', 'host.json']

/**
 * Reads the format number of a data folder without changing anything; null for a new folder.
 * @throws LoamError `DATA_FORMAT_NEWER`, `DATA_CORRUPT`
 */
export async function readFormat(dataPath: string, newest: number): Promise<number | null> {
  const path = join(dataPath, 'format.json')
  // Where nothing says the format, and there is but one, it is that one.
  const afterLoss =
    newest === 1
      ? { value: { format: 1, createdAt: '' } }
      : { suggestion: 'Restore it from a back-up. Nothing was changed.' }
  const match = await readRecord<z.infer<typeof formatSchema> | null>(
    path,
    formatSchema.nullable(),
    null,
    afterLoss,
  )
  if (match === null) return null
  if (match.format > newest) {
    throw new LoamError(
      'DATA_FORMAT_NEWER',
      `${dataPath} has format ${match.format}; this Loam knows up to ${newest}.`,
      { suggestion: 'Open it with the newer Loam that wrote it. Nothing was changed.' },
    )
  }
  return match.format
}

/** Brings a locked data folder to the newest format, backing it up first. The number rises after each step. */
export async function bringUpToDate(
  dataPath: string,
  migrations: readonly Migration[],
  now: Date,
): Promise<FormatOutcome> {
  const newest = migrations.length + 1
  const foundCount = await readFormat(dataPath, newest)
  const write = (format: number): Promise<void> =>
    writeRecord(join(dataPath, 'format.json'), { format, createdAt: now.toISOString() })
  if (foundCount === null) await write(newest)
  if (foundCount === null || foundCount === newest)
    return { format: newest, migratedFrom: null, backup: null }
  const backup = await backUp(dataPath, `before-format-${newest}-${stamp(now)}`)
  for (const migration of migrations.slice(foundCount - 1)) {
    await migration.run(dataPath)
    await write(migration.from + 1)
  }
  return { format: newest, migratedFrom: foundCount, backup }
}

/**
 * Copies everything that cannot be made again to `<data>/backups/<name>` and answers its path.
 * Memories in use may be copied: a commit caught half way is cut off when the copy is opened.
 */
export async function backUp(dataPath: string, name: string): Promise<string> {
  const target = await freeName(join(dataPath, 'backups', name))
  const partial = `${target}.partial`
  await rm(partial, { recursive: true, force: true })
  await mkdir(partial, { recursive: true })
  for (const entry of await readdir(dataPath)) {
    if (isLeftOut(entry)) continue
    await cp(join(dataPath, entry), join(partial, entry), {
      recursive: true,
      filter: (source) => !relative(dataPath, source).split(sep).some(isLeftOut),
    })
  }
  await rename(partial, target)
  await syncFolder(join(dataPath, 'backups'))
  return target
}

async function freeName(path: string): Promise<string> {
  for (let copy = 1; ; copy++) {
    const candidate = copy === 1 ? path : `${path}-${copy}`
    try {
      await access(candidate)
    } catch (error) {
      if (errnoOf(error) === 'ENOENT') return candidate
      throw error
    }
  }
}

const isLeftOut = (name: string): boolean =>
  NOT_BACKED_UP.has(name) || name.endsWith('.tmp') || SECRET_FILES.some((file) => name.startsWith(file))

/** A time as part of a file name. */
export function stamp(now: Date): string {
  return now.toISOString().replaceAll(':', '-').slice(0, 'yyyy-mm-ddThh-mm-ss'.length)
}
