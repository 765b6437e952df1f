import { z } from 'zod'
import { formatInfoSchema, importReportSchema } from '../domain/format'
import {
  exportChoiceSchema,
  exportPreviewSchema,
  exportResultSchema,
  importChoiceSchema,
  importRecordSchema,
  undoneImportSchema,
} from '../domain/item-transfer'
import { changing, managing, reading, memoryId } from './procedure'

const choice = memoryId.extend(importChoiceSchema.shape)
const exportChoice = memoryId.extend(exportChoiceSchema.shape)

/** How items come into a memory and leave it, as procedures of `items`. */
export const itemTransfer = {
  formats: reading('What a memory can be written as and read from.').output(z.array(formatInfoSchema)),
  previewImport: managing(
    'What an import would do, by kind with counts and samples, and where items read differently; changes nothing.',
    'takesFile',
  )
    .input(choice)
    .output(importReportSchema),
  import: managing(
    "Imports files, folders, patterns, a text, or what a peer published; the job's report says what became of every row.",
    'takesFile',
  )
    .input(choice)
    .output(z.object({ jobId: z.string() })),
  previewExport: managing(
    'What an export would write: items of each kind, why others stay, secrets, its size and its beginning; writes nothing.',
  )
    .input(exportChoice)
    .output(exportPreviewSchema),
  export: managing('Writes items as a file or a folder of any format; without a path its data come back.')
    .input(exportChoice.extend({ path: z.string().min(1).nullable().default(null) }))
    .output(exportResultSchema),
  imports: reading('What was imported into a memory, newest first.')
    .input(memoryId)
    .output(z.array(importRecordSchema)),
  undoImport: changing('Undoes an import as a whole; null: the last one that is not undone.')
    .input(memoryId.extend({ importId: z.string().nullable().default(null) }))
    .output(undoneImportSchema),
}
