import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import type { Artifacts } from '../../core/ground/ports'
import { errnoOf, replaceFile } from '../ground/atomic-file'
import { noteDamage } from '../ground/record-file'

const NAME = /^[a-z0-9-]+$/
/** Begins a file; the CRC-32 of what follows, as 8 hexadecimal digits, comes after it. */
const MARK = 'LOAM-SUM'
const HEAD_BYTES = MARK.length + 8

const headOf = (body: Uint8Array): string => MARK + crc32(body).toString(16).padStart(8, '0')

/**
 * The learned files of a memory, `<folder>/<name>.bin`, each with a checksum; the folder is made when the first is written. One that is not as it
 * was written is none, which `damageIn` tells: the journal has it all. So is one of an earlier version, without a checksum.
 */
export function openArtifacts(folder: string): Artifacts {
  const pathOf = (name: string): string => {
    if (!NAME.test(name)) throw new RangeError(`"${name}" is no name for an artifact.`)
    return join(folder, `${name}.bin`)
  }
  return {
    async read(name) {
      try {
        const file = await readFile(pathOf(name))
        const body = new Uint8Array(file.subarray(HEAD_BYTES))
        if (file.toString('latin1', 0, HEAD_BYTES) === headOf(body)) return body
        if (file.toString('latin1', 0, MARK.length) === MARK)
          noteDamage(pathOf(name), `${pathOf(name)} was damaged; it is made again, and nothing is lost.`)
        return null
      } catch (error) {
        if (errnoOf(error) === 'ENOENT') return null
        throw error
      }
    },
    async replace(name, bytes) {
      await mkdir(folder, { recursive: true })
      await replaceFile(pathOf(name), Buffer.concat([Buffer.from(headOf(bytes)), bytes]))
    },
  }
}
