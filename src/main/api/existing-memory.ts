import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { LoamError } from '../../shared/errors'
import type { StoredMemory } from '../memory-store/memory'
import type { App } from '../app'

/** A memory that is there already: serving must not make one of any folder. @throws LoamError `NOT_FOUND` */
export async function existingMemory(
  { memories }: Pick<App, 'memories'>,
  name: string,
): Promise<StoredMemory> {
  const folder = memories.folder(name)
  await stat(join(folder, 'space.json')).catch(() => {
    throw new LoamError('NOT_FOUND', `There is no memory in ${folder}.`, {
      suggestion: 'Name the folder of a memory.',
    })
  })
  return memories.open(name)
}
