import { z } from 'zod'
import {
  checkupSchema,
  diskUseSchema,
  keptSchema,
  memoryRepairSchema,
  trashItemSchema,
} from '../domain/storage'
import { backupChangeSchema, backupsSchema } from '../domain/backup'
import { changing, managing, reading, memoryId } from './procedure'
import { bytes } from '../domain/units'

/** Memories, runs and experiments as things on a disk: what they take, what they are called, and the trash. */
export const storage = {
  use: reading('Bytes on disk of memories, runs, experiments and the trash.').output(diskUseSchema),
  /** A run's name is shown in the place of its title; an empty name takes it off. Others have to be called something. */
  rename: changing('Gives a memory, run, experiment or stream of the data folder another name.')
    .input(keptSchema.extend({ name: z.string().trim().max(120) }))
    .output(z.object({ name: z.string().nullable() })),
  /**
   * Into the trash. Refused (`CONFLICT`, with the reason) for what is at work, for a memory that a run which is not over learns in, and
   * for a run that is part of an experiment.
   */
  remove: changing('Throws a memory, run, experiment or stream of the data folder into the trash.')
    .input(keptSchema)
    .output(trashItemSchema),
  /** Newest first. */
  trash: reading('What is in the trash, newest first.').output(z.array(trashItemSchema)),
  /** Puts something back where it was: how a removal is undone. */
  restore: changing('Puts something back from the trash.')
    .input(z.object({ trashId: z.string() }))
    .output(keptSchema),
  /** Deletes for good; null: everything in the trash. Answers the bytes that are free now. */
  empty: managing('Deletes what is in the trash for good.')
    .input(z.object({ trashIds: z.array(z.string()).nullable().default(null) }))
    .output(z.object({ bytes })),
  /** Secrets, models, logs, the trash and what can be made again are left out. */
  backUp: managing('Copies the data folder into its `backups`, and answers where to.').output(
    z.object({ path: z.string() }),
  ),
  backups: managing('The backups there are, newest first.').output(backupsSchema),
  previewBackup: managing('What going back to a backup would change.')
    .input(z.object({ name: z.string() }))
    .output(z.object({ changes: z.array(backupChangeSchema) })),
  /** What is there then is backed up first; secrets and models stay. Null: it goes back to none. */
  goBack: managing('Has the next start of Loam go back to a backup.')
    .input(z.object({ name: z.string().nullable() }))
    .output(backupsSchema),
  /** Damaged records come back from their copies, what is derived is made again, damaged memories that are not open are repaired. */
  checkup: managing(
    'Checks every kind of file of the data folder; repairs what is damaged unless it only looks.',
  )
    .input(z.object({ repair: z.boolean().default(true) }))
    .output(checkupSchema),
  /** Makes a damaged memory one that can be opened, from what is whole; everything as it was is kept in its folder. */
  repairMemory: changing('Repairs a damaged memory from what is whole.')
    .input(memoryId)
    .output(memoryRepairSchema),
}
