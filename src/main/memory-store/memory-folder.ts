import { cp, mkdir, readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { z } from 'zod'
import type { MemoryInfo } from '../../shared/domain/memory-info'
import { LoamError } from '../../shared/errors'
import { errnoOf } from '../ground/atomic-file'
import { readRecord, writeRecord } from '../ground/record-file'
import { readLastSeq } from '../journal/replay'
import { INDEX_NAMES } from '../ground/index-folders'

/** Newest layout of a memory folder this version writes. */
const MEMORY_FORMAT = 1

const memoryFileSchema = z.object({
  format: z.number().int().positive(),
  id: z.string().min(1),
  name: z.string(),
  createdAt: z.string(),
})
export type MemoryFile = z.infer<typeof memoryFileSchema>

/** What a memory says of itself; its role is for the data folder to say. */
export type MemoryFacts = Omit<MemoryInfo, 'role'>

/** File beside the journal that says how far it goes. */
export const JOURNAL_HEAD = 'journal-head'

/** Folders that a repair puts aside what it replaces in, in the memory's own. */
export const DAMAGED_PREFIX = 'damaged-'

/** What a memory folder may hold; a folder with anything else in it is not taken for one. */
const OWN_NAMES: ReadonlySet<string> = new Set([
  'space.json',
  'space.json.copy',
  'space.json.damaged',
  'journal',
  JOURNAL_HEAD,
  'builds',
  ...INDEX_NAMES,
  'artifacts',
  'shared',
  'folders.json',
  'lock',
  'lock.takeover',
])

/**
 * Reads `space.json` of a folder; null when it is missing.
 * @throws LoamError `DATA_FORMAT_NEWER`, `DATA_CORRUPT`
 */
export async function readMemoryFile(folder: string): Promise<MemoryFile | null> {
  const path = join(folder, 'space.json')
  const folderStats = await stat(folder).catch((error: unknown) => {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return null
    throw error
  })
  if (folderStats?.isDirectory() !== true) return null
  const suggestion = 'Restore this memory from a backup. Its journal folder is untouched.'
  const file = await readRecord(path, memoryFileSchema.nullable(), null, { suggestion })
  if (file && file.format > MEMORY_FORMAT) {
    throw new LoamError(
      'DATA_FORMAT_NEWER',
      `${folder} has format ${file.format}; this Loam knows up to ${MEMORY_FORMAT}.`,
      { suggestion: 'Open it with the newer Loam that wrote it. Nothing was changed.' },
    )
  }
  return file
}

const isOwn = (name: string): boolean =>
  OWN_NAMES.has(name) || name.startsWith(DAMAGED_PREFIX) || name.endsWith('.tmp')

/**
 * As `readMemoryFile`, but a folder that has a journal and lost its space.json is not taken for a new memory.
 * @throws LoamError `DATA_FORMAT_NEWER`, `DATA_CORRUPT`
 */
export async function requireMemoryFile(folder: string): Promise<MemoryFile | null> {
  const file = await readMemoryFile(folder)
  if (file || (await readLastSeq(join(folder, 'journal'))) === 0) return file
  throw new LoamError(
    'DATA_CORRUPT',
    `${join(folder, 'space.json')} is missing, though there is a journal.`,
    { suggestion: 'Restore the file from a backup, or repair this memory. Nothing was changed.' },
  )
}

/**
 * Makes sure that `folder` can be a memory: it is one, or it is new or empty.
 * @throws LoamError `BAD_INPUT` for a folder with other files in it
 */
export async function claimMemoryFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true })
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST' && errnoOf(error) !== 'ENOTDIR') throw error
    throw new LoamError('BAD_INPUT', `${folder} is a file, not a folder.`, {
      suggestion: 'Name a folder for the memory.',
    })
  }
  const foreign = (await readdir(folder)).find((name) => !isOwn(name))
  if (foreign === undefined || (await readMemoryFile(folder))) return
  throw new LoamError('BAD_INPUT', `${folder} is not a memory of Loam: it holds ${foreign}.`, {
    suggestion: 'Name an empty or a new folder.',
  })
}

/** Writes `space.json` of a new memory. */
export async function createMemoryFile(
  folder: string,
  options: { id?: string; name?: string; createdAt: string },
): Promise<MemoryFile> {
  const fallback = basename(folder)
  const file = {
    format: MEMORY_FORMAT,
    id: options.id ?? fallback,
    name: options.name ?? fallback,
    createdAt: options.createdAt,
  }
  await writeRecord(join(folder, 'space.json'), file)
  return file
}

/**
 * Copies what a memory holds into a new folder: its journal, which may be in use, and its builds. The index is made anew at the first
 * opening; learned files follow from the journal.
 */
export async function copyMemory(from: string, to: string): Promise<void> {
  for (const name of ['journal', 'builds']) {
    const source = join(from, name)
    if (await stat(source).catch(() => null)) await cp(source, join(to, name), { recursive: true })
  }
}

/** Gives a memory another name. @throws LoamError `NOT_FOUND` */
export async function renameMemoryFile(folder: string, name: string): Promise<MemoryFile> {
  const file = await readMemoryFile(folder)
  if (!file)
    throw new LoamError('NOT_FOUND', `There is no memory in ${folder}.`, {
      suggestion: 'Reload the list of memories.',
    })
  const renamed = { ...file, name }
  await writeRecord(join(folder, 'space.json'), renamed)
  return renamed
}

/** Bytes of all files below a folder; files that vanish meanwhile count nothing. */
export async function folderBytes(folder: string): Promise<number> {
  let bytes = 0
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => [])) {
    if (!entry.isFile()) continue
    bytes += await stat(join(entry.parentPath, entry.name)).then(
      (stats) => stats.size,
      () => 0,
    )
  }
  return bytes
}
