import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { glob, isDynamicPattern } from 'tinyglobby'
import { LoamError } from '../../shared/errors'

/** Most files of one import. */
export const MOST_FILES = 100_000
/** Folders of programs that hold no logs. */
const LEFT_ALONE = ['**/node_modules/**', '**/.git/**']

/** Files that paths lead to. */
export interface FoundFiles {
  /** Absolute, each once, in the order of their names within each path. */
  readonly files: readonly string[]
  /** Whether one file was named by its own path. */
  readonly single: boolean
}

/**
 * The files of paths that each are a file, a folder with everything below it, or a pattern (`logs/**` and the like). Links are not followed
 * within folders.
 * @throws LoamError `NOT_FOUND` where a path leads to nothing, `BAD_INPUT` for too many files
 */
export async function findFiles(paths: readonly string[]): Promise<FoundFiles> {
  const foundSet = new Set<string>()
  let single = paths.length === 1
  for (const inputText of paths) {
    const path = resolve(inputText)
    const about = await stat(path).catch(() => null)
    if (about?.isFile() === true) {
      foundSet.add(path)
      continue
    }
    single = false
    const files = await filesLike(
      about?.isDirectory() === true ? { base: path, pattern: '**' } : patternOf(inputText),
    )
    if (files.length === 0) throw nothing(inputText, about?.isDirectory() === true)
    for (const file of files) foundSet.add(file)
    if (foundSet.size > MOST_FILES)
      throw new LoamError('BAD_INPUT', `${inputText} has more than ${MOST_FILES} files.`, {
        suggestion: 'Name a folder further down.',
      })
  }
  return { files: [...foundSet], single }
}

/** What is looked for below a folder, which may be reached by links. */
interface Wanted {
  readonly base: string
  readonly pattern: string
}

/** A pattern from its first part that is one; null where there is none. */
function patternOf(inputText: string): Wanted | null {
  if (!isDynamicPattern(inputText)) return null
  const parts = resolve(inputText).replaceAll('\\', '/').split('/')
  const first = parts.findIndex((part) => isDynamicPattern(part))
  return first < 0
    ? null
    : { base: parts.slice(0, first).join('/') || '/', pattern: parts.slice(first).join('/') }
}

async function filesLike(target: Wanted | null): Promise<string[]> {
  if (target === null) return []
  const files = await glob([target.pattern], {
    cwd: target.base,
    absolute: true,
    dot: true,
    onlyFiles: true,
    followSymbolicLinks: false,
    expandDirectories: false,
    ignore: LEFT_ALONE,
  })
  return files.map((file) => resolve(file)).sort()
}

const nothing = (path: string, isFolder: boolean): LoamError =>
  new LoamError(
    'NOT_FOUND',
    isFolder ? `${path} has no files in it.` : `${path} is not a file that can be read.`,
    { suggestion: 'Name a file or a folder that is there, or put a pattern in quotes.' },
  )
