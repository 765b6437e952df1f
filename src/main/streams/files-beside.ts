import { realpath } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative, sep } from 'node:path'
import { glob, isDynamicPattern } from 'tinyglobby'
import { configurationOf, referencesIn, withTexts, type NamedText } from '../../core/streams/promptfoo-files'
import { LONGEST_ROWS } from '../adapters/isolate/longest-rows'
import { LoamError } from '../../shared/errors'
import { refuseSpecialFile } from '../ground/plain-file'
import { readRowsFile, type RowsFile } from './tables/rows-file'

/** Files of one configuration at most. */
const MOST_FILES = 500

/** How often what was read may name further files: tests in a file whose values stand in others. */
const DEEPEST = 3

/** Tasks whose parts stand in other files below their folder, with these parts in their places; any other file as it is. What cannot be reached is named in a note. */
export async function withFilesBeside(path: string, file: RowsFile): Promise<RowsFile> {
  let config = configurationOf(file.text)
  if (config === null || referencesIn(config).length === 0) return file
  const folder = await realpath(dirname(path))
  const texts = new Map<string, readonly NamedText[]>()
  const notes = new Map<string, string>()
  let room = MOST_FILES
  let length = file.text.length
  for (let depth = 0; depth < DEEPEST; depth++) {
    const references = referencesIn(config).filter((one) => !texts.has(one) && !notes.has(one))
    if (references.length === 0) break
    for (const reference of references) {
      const name = reference.replace(/^file:\/\//, '')
      try {
        const files = await filesOf(folder, name, room)
        room -= files.length
        const read = await Promise.all(files.map((each) => readNamed(folder, each)))
        length += read.reduce((sum, { text }) => sum + text.length, 0)
        if (length > LONGEST_ROWS) throw refuse('all files together are too long.')
        texts.set(reference, read)
      } catch (error) {
        notes.set(reference, `${name}: ${error instanceof LoamError ? error.why : 'it cannot be read.'}`)
      }
    }
    config = withTexts(config, texts)
  }
  return { text: JSON.stringify(config), notes: [...file.notes, ...notes.values()] }
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

async function readNamed(folder: string, name: string): Promise<NamedText> {
  const path = await realpath(join(folder, name)).catch(() => {
    throw refuse('there is no such file.')
  })
  if (relative(folder, path).split(sep).includes('..') || isAbsolute(relative(folder, path)))
    throw refuse('it lies outside the folder of the tasks.')
  await refuseSpecialFile(path, 'BAD_INPUT')
  return { name, text: (await readRowsFile(path)).text }
}
