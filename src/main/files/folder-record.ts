import { readRecord, writeRecord } from '../ground/record-file'
import { join } from 'node:path'
import { z } from 'zod'
import { withFileLock } from '../ground/file-lock'

const fileSchema = z.object({
  bytes: z.number(),
  modifiedMs: z.number(),
  /** Of the file's bytes. */
  sha256: z.string(),
  /** In order, with their lines as they are now. */
  passages: z.array(z.object({ id: z.string(), from: z.number().int(), to: z.number().int() })),
})
/** A file of a folder as it was last read. */
export type KnownFile = z.infer<typeof fileSchema>

const folderSchema = z.object({
  id: z.string(),
  path: z.string(),
  /** The project that its passages belong to; null: all projects share them. */
  project: z.string().nullable().default(null),
  addedAt: z.string(),
  syncedAt: z.string().nullable(),
  files: z.record(z.string(), fileSchema),
  left: z.array(z.object({ path: z.string(), why: z.string() })),
})
/** A folder of a memory as it was last read. */
export type KnownFolder = z.infer<typeof folderSchema>

const recordSchema = z.object({ format: z.literal(1), folders: z.array(folderSchema) })

/** Which folders a memory reads, and what of them it has: a file beside its journal. What the passages say is in the journal. */
export interface FolderRecord {
  read(): Promise<KnownFolder[]>
  /** Puts one in, or in the place of the one of its id. */
  put(folder: KnownFolder): Promise<void>
  remove(id: string): Promise<void>
}

/** The record of the memory in a folder. */
export function openFolderRecord(memoryFolder: string): FolderRecord {
  const path = join(memoryFolder, 'folders.json')
  const read = async (): Promise<KnownFolder[]> =>
    (await readRecord(path, recordSchema, { format: 1, folders: [] })).folders
  const change = (next: (folders: KnownFolder[]) => KnownFolder[]): Promise<void> =>
    withFileLock(path, async () => writeRecord(path, { format: 1, folders: next(await read()) }))
  return {
    read,
    put: (folder) =>
      change((folders) =>
        folders.some(({ id }) => id === folder.id)
          ? folders.map((one) => (one.id === folder.id ? folder : one))
          : [...folders, folder],
      ),
    remove: (id) => change((folders) => folders.filter((one) => one.id !== id)),
  }
}
