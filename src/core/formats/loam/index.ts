import type { Format } from '../format'
import { bySigns, sign } from '../../ground/recognition'
import { readLoam } from './read'
import { writeLoam } from './write'

/** Loam's own: a line per attempt, case, memory, experience and document. */
export const loam: Format = {
  id: 'loam',
  title: 'Everything (JSON lines)',
  writtenFor: 'format loam-space, version 1',
  keeps:
    'Every attempt, case with its pin, mute and corrections, lesson, workflow, note, summary, experience with its utility and what ' +
    'replaced it, concept document with its earlier versions, and rubrics.',
  loses:
    'What is in the trash or was dropped from a full queue, vectors and learned values (they are made again), soft prompts, and the ' +
    'searches that documents come from.',
  recognise: bySigns([sign(1, /^\s*\{"format":"loam-space"/)]),
  fileName: ({ fileName, time }) => `${fileName}-${time}.jsonl`,
  write: writeLoam,
  read: readLoam,
}
