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
import { watchedLogsSchema } from '../domain/watched-agent'
import { asking, changing, describing, managing, reading, memoryId } from './procedure'

const choice = memoryId.extend(importChoiceSchema.shape)
const exportChoice = memoryId.extend(exportChoiceSchema.shape)

/** How items come into a memory and leave it, as procedures of `items`. */
export const itemTransfer = {
  formats: describing('What a memory can be written as and read from.').output(z.array(formatInfoSchema)),
  previewImport: managing(
    'What an import would do, by kind with counts and samples, and where items read differently; changes nothing.',
  )
    .input(choice)
    .output(importReportSchema),
  import: managing(
    "Imports files, folders, patterns, a text, or what a peer published; the job's report says what became of every row.",
  )
    .input(choice)
    .output(z.object({ jobId: z.string() })),
  previewExport: managing(
    'What an export would write: items of each kind, why others stay, secrets, its size and its beginning; writes nothing.',
  )
    .input(exportChoice)
    .output(exportPreviewSchema),
  export: managing('Writes items as a file or a folder of any format; without a path its data come back.')
    .input(
      exportChoice.extend({
        path: z.string().min(1).nullable().default(null),
        /** Whether a file that is there already is written over; refused (`CONFLICT`) otherwise. */
        replace: z.boolean().default(false),
      }),
    )
    .output(exportResultSchema),
  download: asking(
    'Items as a file of any format: its data come back. Secrets and home folders are taken out, nothing is signed.',
  )
    .input(memoryId.extend(exportChoiceSchema.pick({ format: true, kinds: true, items: true }).shape))
    .output(exportResultSchema),
  watched: managing(
    'Agents whose own logs My memory can take in while nothing works, and how each stands.',
  ).output(z.array(watchedLogsSchema)),
  takeWatched: managing('Takes in new and changed sessions of the agents that are switched on, now.').output(
    z.object({ jobId: z.string() }),
  ),
  imports: reading('What was imported into a memory, newest first.')
    .input(memoryId)
    .output(z.array(importRecordSchema)),
  undoImport: changing('Undoes an import as a whole; null: the last one that is not undone.')
    .input(memoryId.extend({ importId: z.string().nullable().default(null) }))
    .output(undoneImportSchema),
}
