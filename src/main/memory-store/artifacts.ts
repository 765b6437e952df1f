import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Artifacts } from '../../core/ground/ports'
import { errnoOf, replaceFile } from '../ground/atomic-file'

const NAME = /^[a-z0-9-]+$/

/** The learned files of a memory, `<folder>/<name>.bin`; the folder is made when the first is written. */
export function openArtifacts(folder: string): Artifacts {
  const pathOf = (name: string): string => {
    if (!NAME.test(name)) throw new RangeError(`"${name}" is no name for an artifact.`)
    return join(folder, `${name}.bin`)
  }
  return {
    async read(name) {
      try {
        return new Uint8Array(await readFile(pathOf(name)))
      } catch (error) {
        if (errnoOf(error) === 'ENOENT') return null
        throw error
      }
    },
    async replace(name, bytes) {
      await mkdir(folder, { recursive: true })
      await replaceFile(pathOf(name), bytes)
    },
  }
}
