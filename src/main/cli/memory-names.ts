import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { MY_MEMORY } from '../../shared/domain/memory-info'
import { LoamError } from '../../shared/errors'
import { findDataPath } from '../ground/data-path'
import { namesIn } from '../ground/names-in'
import { readMemoryFile } from '../memory-store/memory-folder'
import type { Arguments } from './arguments'
import type { OptionName } from './options'

const MEMORY_OPTIONS: readonly OptionName[] = ['memory', 'experiences']

/** What the memory of asks was called in 0.1. */
const ASKS_BEFORE = 'My work'

/** What names a folder and not a memory: it has a slash, or begins with a dot. A name alone never means the current folder. */
const isPath = (text: string): boolean => /[\\/]/.test(text) || text.startsWith('.')

/** A memory of the data folder. */
interface NamedMemory {
  readonly id: string
  readonly name: string
}

async function memoriesOf(dataPath: string): Promise<NamedMemory[]> {
  const folder = join(dataPath, 'spaces')
  return Promise.all(
    (await namesIn(folder)).map(async (id) => {
      const file = await readMemoryFile(join(folder, id)).catch(() => null)
      return { id, name: file?.name ?? '' }
    }),
  )
}

/**
 * The folder of a memory as a person names it: a path (with a slash or a dot), else the id or the name of a memory of the data folder; `mine` stays.
 * @throws LoamError `NOT_FOUND` for a name that no memory has, `BAD_INPUT` for one that several have
 */
export async function memoryFolder(text: string, dataPath: string): Promise<string> {
  if (text === MY_MEMORY) return text
  if (isPath(text)) return resolve(text)
  const memories = await memoriesOf(dataPath)
  const own = memories.find(({ id }) => id === text)
  if (own) return join(dataPath, 'spaces', own.id)
  const called = memories.filter(({ name }) => name.toLowerCase() === text.toLowerCase())
  const [first, second] = called
  if (!first && text === ASKS_BEFORE) return MY_MEMORY
  if (first && !second) return join(dataPath, 'spaces', first.id)
  if (first)
    throw new LoamError('BAD_INPUT', `${called.length} memories are called "${text}".`, {
      suggestion: `Name one by its id: ${called.map(({ id }) => id).join(', ')}.`,
    })
  const folder = existsSync(resolve(text))
    ? `The folder here is meant by ./${text}.`
    : `A folder is meant by a path, such as ./${text}.`
  const names = memories.map(({ id, name }) => (name === '' ? id : `"${name}"`)).join(', ')
  throw new LoamError('NOT_FOUND', `No memory is called "${text}".`, {
    suggestion: `${names === '' ? '' : `There is ${names}. `}"loam memories new NAME" makes one. ${folder}`,
  })
}

/** The same arguments with the folders of memories in place of names. @throws LoamError as `memoryFolder` */
export async function withNamedMemories(args: Arguments): Promise<Arguments> {
  const folders = new Map<OptionName, string>()
  for (const name of MEMORY_OPTIONS) {
    const text = args.text(name)
    if (text !== undefined && text !== '')
      folders.set(name, await memoryFolder(text, findDataPath(args.text('data'))))
  }
  if (folders.size === 0) return args
  return {
    ...args,
    text: (name) => folders.get(name) ?? args.text(name),
    required: (name) => folders.get(name) ?? args.required(name),
  }
}
