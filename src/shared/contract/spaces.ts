import { z } from 'zod'
import { formatInfoSchema, importReportSchema } from '../domain/format'
import { spaceInfoSchema } from '../domain/space'
import { changing, reading, spaceId, takingFile } from './procedure'
import { MAX_FILE_TEXT } from '../limits'

/** As what a space is written, and which kinds of memory; null: all but parts of a person's own files. */
const choice = {
  format: z.string().optional(),
  kinds: z.array(z.string()).nullable().default(null),
}

/** Spaces: one memory each. */
export const spaces = {
  list: reading('All spaces, also those that cannot be opened.').output(z.array(spaceInfoSchema)),
  create: changing('Makes an empty space.')
    .input(z.object({ name: z.string().min(1).max(80) }))
    .output(spaceInfoSchema),
  reindex: changing("Rebuilds the case bank's index from the journal, e.g. after the embedder changed.")
    .input(spaceId)
    .output(z.object({ jobId: z.string() })),
  formats: reading('What a space can be written as and read from.').output(z.array(formatInfoSchema)),
  export: changing("Writes the space as a file and returns at once; the job's subject is the file.")
    .input(spaceId.extend({ path: z.string().nullable().default(null), ...choice }))
    .output(z.object({ jobId: z.string() })),
  exportText: reading('The exported text itself, for hosts without a file dialog.')
    .input(spaceId.extend(choice))
    .output(
      z.object({
        fileName: z.string(),
        text: z.string(),
        /** `base64`: the bytes of a file that is no text, or of an archive of the folder. */
        encoding: z.enum(['utf8', 'base64']),
      }),
    ),
  importText: takingFile('Reads the text of a file into the space; format `auto`: as it looks.')
    .input(
      spaceId.extend({
        text: z.string().max(MAX_FILE_TEXT),
        format: z.string().default('auto'),
        fileName: z.string().max(1000).default('file'),
      }),
    )
    .output(importReportSchema),
}
