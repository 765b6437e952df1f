import { readFile } from 'node:fs/promises'
import type { z } from 'zod'
import { LoamError } from '../../shared/errors'
import { errnoOf } from './errno'

/**
 * A JSON file of the data folder, checked; `otherwise` when there is none. `suggestion`: what a person can do about one that is damaged.
 * @throws LoamError `DATA_CORRUPT` when it cannot be read as what `schema` says; the system's error when it cannot be read at all
 */
export async function readJsonOr<T>(
  path: string,
  schema: z.ZodType<T>,
  otherwise: T,
  suggestion = 'Restore the file from a backup, or delete it.',
): Promise<T> {
  try {
    return schema.parse(JSON.parse(await readFile(path, 'utf8')))
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return otherwise
    if (errnoOf(error) !== undefined) throw error
    throw new LoamError('DATA_CORRUPT', `${path} is not readable.`, { suggestion, underlying: error })
  }
}
