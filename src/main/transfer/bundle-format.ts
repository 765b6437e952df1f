import { readFile, stat } from 'node:fs/promises'
import { FORMATS, formatInfo } from '../../core/formats'
import { kindWords, leavingKinds, OWN_FILES_WORDS } from '../../core/memory/kind-words'
import type { FormatInfo } from '../../shared/domain/format'
import { LoamError } from '../../shared/errors'
import { checkBundle, type CheckedBundle } from '../share/bundle/manifest'

/** What the signed file is called among the formats. */
export const BUNDLE = 'bundle'
/** Which of them Loam writes and reads. */
export const BUNDLE_WORDS = 'Loam bundles of version 1'
/** Most bytes of a bundle that is read. */
const MOST_BYTES = 1024 * 1024 * 1024

const bundleInfo = (): FormatInfo => ({
  ...{ id: BUNDLE, title: 'Bundle (.loam, one signed file)', writtenFor: BUNDLE_WORDS },
  keeps: `The whole memory with its history, checked byte for byte: attempts, rubrics, ${kindWords(leavingKinds())}. ${OWN_FILES_WORDS}`,
  loses:
    'The history, where only some kinds or items are chosen or the memory holds parts of your own files.',
  ...{ writes: true, reads: true, folder: false },
})

/** Every format that a memory can be written as or read from, Loam's own two first. */
export const allFormats = (): FormatInfo[] => {
  const [own, ...others] = FORMATS.map(formatInfo)
  return [...(own ? [own] : []), bundleInfo(), ...others]
}

/** A bundle's file, checked. @throws LoamError `NOT_FOUND`, `BAD_INPUT` */
export async function readBundleFile(path: string): Promise<CheckedBundle> {
  const about = await stat(path).catch(() => null)
  if (about?.isFile() !== true)
    throw new LoamError('NOT_FOUND', `${path} is not a file that can be read.`, {
      suggestion: 'Name a file that is there.',
    })
  if (about.size > MOST_BYTES)
    throw new LoamError('BAD_INPUT', `${path} is larger than ${MOST_BYTES} bytes.`, {
      suggestion: 'Export fewer kinds at a time.',
    })
  return checkBundle(await readFile(path))
}
