import { z } from 'zod'
import { askDetailSchema } from './ask'

/** What a file with an ask calls itself. */
export const ASK_FORMAT = { format: 'loam-ask', version: 1 } as const

/** An ask as a file, with everything that is kept of it. */
export const askExportSchema = askDetailSchema.pick({ ask: true, turns: true, attempts: true }).extend({
  format: z.literal(ASK_FORMAT.format),
  version: z.literal(ASK_FORMAT.version),
})
export type AskExport = z.infer<typeof askExportSchema>
