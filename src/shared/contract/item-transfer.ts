import { z } from 'zod'
import { formatInfoSchema, importReportSchema } from '../domain/format'
import { importChoiceSchema, importRecordSchema, undoneImportSchema } from '../domain/item-transfer'
import { itemRefSchema } from '../domain/item'
import { asking, changing, managing, reading, memoryId, takingFile } from './procedure'
import { MAX_FILE_TEXT } from '../limits'
import { count } from '../domain/units'

const choice = memoryId.extend(importChoiceSchema.shape)

/** How items come into a memory and leave it, as procedures of `items`. */
export const itemTransfer = {
  exportText: asking(
    'Items as JSON lines: those named, else all live ones of some kinds (null: all but parts of own files).',
  )
    .input(
      memoryId.extend({
        items: z.array(itemRefSchema).max(10_000).nullable().default(null),
        kinds: z.array(z.string()).nullable().default(null),
      }),
    )
    .output(z.object({ fileName: z.string(), text: z.string(), items: count })),
  importText: takingFile('Reads items back in. The same one twice counts once.')
    .input(memoryId.extend({ text: z.string().max(MAX_FILE_TEXT) }))
    .output(importReportSchema),
  logFormats: reading('The log formats that can be imported.').output(z.array(formatInfoSchema)),
  importLogs: changing(
    "Reads another agent's logs: a file, a folder with everything below it, a pattern, or several of these. `jobs.report` tells what came of it.",
  )
    .input(
      memoryId.extend({
        format: z.string(),
        path: z.union([z.string().min(1), z.array(z.string().min(1)).min(1).max(10_000)]),
      }),
    )
    .output(z.object({ jobId: z.string() })),
  formats: reading('What a memory can be written as and read from.').output(z.array(formatInfoSchema)),
  previewImport: managing(
    'What an import would do, by kind with counts and samples, and where items read differently; changes nothing.',
    'takesFile',
  )
    .input(choice)
    .output(importReportSchema),
  import: managing(
    "Imports files, folders, patterns, a file's text or bytes, or what a peer published; the job's report says what became of every row.",
    'takesFile',
  )
    .input(choice)
    .output(z.object({ jobId: z.string() })),
  imports: reading('What was imported into a memory, newest first.')
    .input(memoryId)
    .output(z.array(importRecordSchema)),
  undoImport: changing('Undoes an import as a whole; null: the last one that is not undone.')
    .input(memoryId.extend({ importId: z.string().nullable().default(null) }))
    .output(undoneImportSchema),
}
