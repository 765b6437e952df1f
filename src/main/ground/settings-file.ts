import { settingsSchema, type Settings } from '../../shared/domain/memory-info'
import { isRecord } from '../../core/ground/record'
import { LEXICAL_ID } from '../../core/retrieval/lexical-embedder'
import { LoamError } from '../../shared/errors'
import { z } from 'zod'
import { readRecord, writeRecord } from './record-file'

/** Reads settings; where there are none, or the file and its copy are damaged, the defaults. */
export const loadSettings = (path: string): Promise<Settings> =>
  readRecord(path, z.preprocess(withoutUnchosen, settingsSchema), settingsSchema.parse({}))

/** The word matcher was the default once: where nobody chose it, the default of now takes its place. */
function withoutUnchosen(file: unknown): unknown {
  if (!isRecord(file) || file['encoderChosen'] === true || file['embedder'] !== LEXICAL_ID) return file
  const { embedder: _, ...rest } = file
  return rest
}

/** Checks and writes settings, all at once. @throws LoamError `BAD_INPUT`, `DISK_FULL`, `DISK_WRITE` */
export async function saveSettings(path: string, settings: Settings): Promise<Settings> {
  const parsed = settingsSchema.safeParse(settings)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    throw new LoamError(
      'BAD_INPUT',
      `The setting "${issue?.path.join('.') ?? ''}" is not valid: ${issue?.message ?? ''}.`,
      { suggestion: 'Choose another value.', underlying: parsed.error },
    )
  }
  await writeRecord(path, parsed.data)
  return parsed.data
}
