import { z } from 'zod'
import { bytes, count, instant } from './units'

/** A copy of the data folder, and what it was made for: by hand, while nothing worked, before a migration, before going back to another one. */
export const backupSchema = z.object({
  name: z.string(),
  at: instant,
  why: z.enum(['person', 'automatic', 'migration', 'return']),
  bytes,
})
export type Backup = z.infer<typeof backupSchema>

/** What a backup was made for, in words. */
export const BACKUP_WHY: Readonly<Record<Backup['why'], string>> = {
  person: 'made by hand',
  automatic: 'made by itself',
  migration: 'before a change of the format',
  return: 'before going back',
}

/** Newest first. */
export const backupsSchema = z.object({
  backups: z.array(backupSchema),
  /** The one that the next start goes back to; null: none. */
  returnsTo: z.string().nullable(),
  /** Why no automatic one is made, in words; null: nothing hinders. */
  skipped: z.string().nullable(),
})
export type Backups = z.infer<typeof backupsSchema>

/** What a backup holds that is counted, each a folder of its own per thing. */
export const BACKUP_PARTS = ['memories', 'asks', 'runs', 'experiments'] as const
export type BackupPart = (typeof BACKUP_PARTS)[number]

/** What going back would change: how many stay as they are, read otherwise, are gone as the copy does not have them, or come back. */
export const backupChangeSchema = z.object({
  part: z.enum(BACKUP_PARTS),
  same: count,
  other: count,
  gone: count,
  back: count,
})
export type BackupChange = z.infer<typeof backupChangeSchema>

/** In words: "asks: 2 removed, 3 put back as they were". Null where nothing changes. */
export function backupChangeWords({ part, other, gone, back }: BackupChange): string | null {
  const words = [
    gone > 0 ? `${gone} removed` : '',
    back > 0 ? `${back} brought back` : '',
    other > 0 ? `${other} put back as they were` : '',
  ].filter((one) => one !== '')
  return words.length === 0 ? null : `${part}: ${words.join(', ')}`
}
