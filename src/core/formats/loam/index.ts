import { kindWords, leavingKinds, OWN_FILES_WORDS } from '../../memory/kind-words'
import type { Format } from '../format'
import { bySigns, sign } from '../../ground/recognition'
import { readLoam } from './read'
import { writeLoam } from './write'

/** Loam's own: a line per attempt, case, memory, experience and document. */
export const loam: Format = {
  id: 'loam',
  title: 'Everything (JSON lines)',
  writtenFor: 'format loam-space, version 1',
  keeps: `Every attempt, rubrics, and every item with its marks, corrections and earlier versions: ${kindWords(leavingKinds())}. ${OWN_FILES_WORDS}`,
  loses:
    'What is in the trash or was dropped from a full queue, vectors and learned values (they are made again), and the searches that documents come from.',
  recognise: bySigns([sign(1, /^\s*\{\s*"format"\s*:\s*"loam-space"/)]),
  fileName: ({ fileName, time }) => `${fileName}-${time}.jsonl`,
  write: writeLoam,
  read: readLoam,
}
