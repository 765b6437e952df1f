import { realpath } from 'node:fs/promises'
import { isAbsolute, join, relative, sep } from 'node:path'
import { glob, isDynamicPattern } from 'tinyglobby'
import { openStream, type OpenedStream } from '../../core/streams/stream-library'
import { findEnvironment } from '../../core/tasks'
import type { StreamInfo } from '../../shared/domain/task'
import { LoamError } from '../../shared/errors'
import { LONGEST_ROWS } from '../ground/isolate/longest-rows'
import type { FileBytes } from '../ground/isolate/foreign-rows'
import { refuseSpecialFile } from '../ground/plain-file'
import { readBytes, readRowsApart } from '../ground/isolate/foreign-rows'

/** Files that one file of tasks may name. */
const MOST_FILES = 500

/** How a stream of a file is called. */
export interface StreamName {
  readonly id: string
  readonly source: StreamInfo['source']
}

/**
 * The stream that a file holds, or the name of the made one that it stands for. Parts that stand in other files below its folder come
 * in their places; what cannot be reached is named in a note. `folder` null: nothing lies beside it.
 * @throws LoamError `BAD_INPUT`, `TASK_STREAM`
 */
export async function readStream(
  file: FileBytes,
  { id, source }: StreamName,
  folder: string | null,
): Promise<OpenedStream | { readonly made: string }> {
  const beside = new Map<string, readonly FileBytes[]>()
  const notes: string[] = []
  let room = MOST_FILES
  let bytes = file.bytes.length
  for (;;) {
    const reply = await readRowsApart({ as: 'stream', id, source, file, beside })
    if (reply.kind === 'made') return { made: reply.name }
    if (reply.kind === 'stream') return withNotes(reply.stream, notes)
    if (reply.kind === 'elsewhere') {
      // Only where a person let its module run; it reads its rows here, as it does all its work.
      findEnvironment(reply.environment)
      return withNotes(openStream({ id, source, text: reply.text, notes: reply.notes }), notes)
    }
    if (reply.kind !== 'names') throw new Error(`${id} was read as ${reply.kind}.`)
    for (const reference of reply.names) {
      const name = reference.replace(/^file:\/\//, '')
      try {
        if (folder === null) throw refuse('it is not beside the tasks.')
        const top = await realpath(folder)
        const names = await filesOf(top, name, room)
        const files = await Promise.all(names.map((each) => readNamed(top, each)))
        room -= files.length
        bytes += files.reduce((sum, one) => sum + one.bytes.length, 0)
        if (bytes > LONGEST_ROWS) throw refuse('all files together are too long.')
        beside.set(reference, files)
      } catch (error) {
        beside.set(reference, [])
        notes.push(`${name}: ${error instanceof LoamError ? error.why : 'it cannot be read.'}`)
      }
    }
  }
}

const withNotes = (stream: OpenedStream, notes: readonly string[]): OpenedStream => {
  const { reading } = stream.info
  if (notes.length === 0 || reading === undefined) return stream
  return { ...stream, info: { ...stream.info, reading: { ...reading, notes: [...notes, ...reading.notes] } } }
}

const refuse = (why: string): LoamError =>
  new LoamError('BAD_INPUT', why, { suggestion: 'Put the file below the folder of the tasks.' })

/** Files that a name or a pattern leads to, relative to the folder. */
async function filesOf(folder: string, name: string, room: number): Promise<string[]> {
  if (isAbsolute(name) || name.split(/[\\/]/).includes('..'))
    throw refuse('it lies outside the folder of the tasks.')
  const files = isDynamicPattern(name)
    ? (await glob([name], { cwd: folder, followSymbolicLinks: false })).sort()
    : [name]
  if (files.length === 0) throw refuse('there is no such file.')
  if (files.length > room) throw refuse(`more than ${MOST_FILES} files are named.`)
  return files
}

async function readNamed(folder: string, name: string): Promise<FileBytes> {
  const path = await realpath(join(folder, name)).catch(() => {
    throw refuse('there is no such file.')
  })
  if (relative(folder, path).split(sep).includes('..') || isAbsolute(relative(folder, path)))
    throw refuse('it lies outside the folder of the tasks.')
  await refuseSpecialFile(path, 'BAD_INPUT')
  return { ...(await readBytes(path)), name }
}
