import { settingsSchema, type Settings } from '../../shared/domain/memory-info'
import { isRecord } from '../../core/ground/record'
import { LEXICAL_ID } from '../../core/retrieval/lexical-embedder'
import { LoamError } from '../../shared/errors'
import { readIfThere, replaceJson } from './atomic-file'

/**
 * Reads settings; a missing file means the defaults.
 * @throws LoamError `DATA_CORRUPT` naming the file and the field
 */
export async function loadSettings(path: string): Promise<Settings> {
  const text = await readIfThere(path)
  if (text === null) return settingsSchema.parse({})
  try {
    return settingsSchema.parse(withoutUnchosen(JSON.parse(text)))
  } catch (error) {
    throw new LoamError(
      'DATA_CORRUPT',
      `${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
      { suggestion: 'Correct the file, or delete it to start with the default settings.', underlying: error },
    )
  }
}

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
  await replaceJson(path, parsed.data)
  return parsed.data
}
