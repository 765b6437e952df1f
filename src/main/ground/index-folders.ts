import { join } from 'node:path'
import { namesIn } from './names-in'

/** The one of passages, and the folder of those of other learned texts: one a kind. */
export const PASSAGES_FOLDER = 'lance-passages'
export const TEXTS_FOLDER = 'lance-texts'

/** The search indexes of a memory, below its folder. Each can be made again from the journal. */
export const INDEX_FOLDERS = ['lance', 'lance-experiences', PASSAGES_FOLDER, TEXTS_FOLDER] as const

/** The same with those that are being made. */
export const INDEX_NAMES: readonly string[] = INDEX_FOLDERS.flatMap((name) => [name, `${name}.new`])

/** Where the indexes of a memory are, each by itself. */
export async function indexFoldersIn(memoryFolder: string): Promise<string[]> {
  const kinds = (await namesIn(join(memoryFolder, TEXTS_FOLDER))).filter((name) => !name.endsWith('.new'))
  const names = INDEX_FOLDERS.filter((name) => name !== TEXTS_FOLDER)
  return [...names, ...kinds.map((kind) => join(TEXTS_FOLDER, kind))].map((name) => join(memoryFolder, name))
}
