import { FORMATS, formatInfo } from '../../core/formats'
import { kindWords, leavingKinds, OWN_FILES_WORDS } from '../../core/memory/kind-words'
import type { FormatInfo } from '../../shared/domain/format'

/** What the file is called among the formats. */
export const BUNDLE = 'bundle'
/** Which of them Loam writes and reads. */
export const BUNDLE_WORDS = 'Loam bundles of version 1'

const bundleInfo = (): FormatInfo => ({
  ...{ id: BUNDLE, title: 'Bundle (.loam, one file that can be signed)', writtenFor: BUNDLE_WORDS },
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
