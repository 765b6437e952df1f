import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { LoamError } from '../../shared/errors'
import type { Space } from '../memory-store/space'
import type { App } from '../app'

/** A space that is there already: serving must not make one of any folder. @throws LoamError `NOT_FOUND` */
export async function existingSpace({ spaces }: Pick<App, 'spaces'>, named: string): Promise<Space> {
  const folder = spaces.folder(named)
  await stat(join(folder, 'space.json')).catch(() => {
    throw new LoamError('NOT_FOUND', `There is no space in ${folder}.`, {
      suggestion: 'Name the folder of a space.',
    })
  })
  return spaces.open(named)
}
