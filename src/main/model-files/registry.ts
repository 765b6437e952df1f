import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { type RegistryEntry, registryEntrySchema } from '../../shared/domain/model'
import { LoamError } from '../../shared/errors'

const registrySchema = z.object({ format: z.literal(1), models: z.array(registryEntrySchema) })

/** The known models of models/registry.json. Throws `DATA_CORRUPT` for a file that is not such a list. */
export async function loadRegistry(file: string): Promise<RegistryEntry[]> {
  let models: RegistryEntry[]
  try {
    models = registrySchema.parse(JSON.parse(await readFile(file, 'utf8'))).models
  } catch (error) {
    throw corrupt(file, error instanceof Error ? error.message : String(error), error)
  }
  const ids = new Set<string>()
  for (const { id, source, bundled } of models) {
    if (ids.has(id)) throw corrupt(file, `"${id}" is listed twice`)
    ids.add(id)
    if (source === null && !bundled) throw corrupt(file, `"${id}" has no source and is not bundled`)
    if (source !== null && new URL(source).protocol !== 'https:')
      throw corrupt(file, `the source of "${id}" is not https`)
  }
  return models
}

const corrupt = (file: string, why: string, underlying?: unknown) =>
  new LoamError('DATA_CORRUPT', `The list of known models ${file} cannot be used: ${why}.`, {
    suggestion: 'Install Loam again.',
    underlying,
  })
