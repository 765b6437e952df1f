import { join } from 'node:path'
import { z } from 'zod'
import { LoamError } from '../../shared/errors'
import { readRecord, writeRecord } from '../ground/record-file'
import { backUp, stamp } from './backups'

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
  /** The backup made before migrating. */
  readonly backup: string | null
}

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
      : { suggestion: 'Restore it from a backup. Nothing was changed.' }
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
