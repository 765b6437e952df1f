import { z } from 'zod'
import { projectNameSchema } from '../domain/ask'
import { citationSchema, folderChangesSchema, indexedFolderSchema } from '../domain/files'
import { changing, managing, reading, memoryId } from './procedure'

const folderRef = memoryId.extend({ folderId: z.string() })

/** A person's own files as memory: folders that a memory reads, in passages that are recalled with a citation. */
export const files = {
  list: reading('The folders a memory reads.').input(memoryId).output(z.array(indexedFolderSchema)),
  add: managing('Lets a memory read a folder, and begins to: the job ends when its passages can be found.')
    .input(
      memoryId.extend({
        path: z.string().min(1),
        /** The project whose asks alone recall its passages; null: all of them. */
        project: projectNameSchema.nullable().default(null),
      }),
    )
    .output(z.object({ folderId: z.string(), jobId: z.string() })),
  sync: changing('Takes in what has changed in a folder, or in all of the memory.')
    .input(memoryId.extend({ folderId: z.string().nullable().default(null) }))
    .output(z.object({ jobId: z.string() })),
  lastSync: reading(
    'What the last comparison of a folder came to; null when there was none since Loam was opened.',
  )
    .input(folderRef)
    .output(folderChangesSchema.nullable()),
  remove: changing('Reads a folder no longer; its passages are recalled no more. The files stay.')
    .input(folderRef)
    .output(z.array(indexedFolderSchema)),
  open: reading('Where a passage is from, and whether the file still says so.')
    .input(memoryId.extend({ passageId: z.string() }))
    .output(citationSchema),
}
