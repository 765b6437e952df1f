import { createHash } from 'node:crypto'
import { copyFile, cp, lstat, mkdir, open, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { AskFile } from '../../shared/domain/ask'
import { LoamError } from '../../shared/errors'
import { errnoOf } from '../ground/atomic-file'
import { rm } from '../ground/steady-files'

/** Most bytes of files that one ask is given. */
const MOST_GIVEN_BYTES = 64 * 1024 * 1024
/** Most bytes of a file that is handed out in one piece. */
const MOST_READ_BYTES = 64 * 1024 * 1024

const PLAIN = /^(?!\.{1,2}$)[^/\\\0]{1,255}$/

/** A file that comes with an ask. */
export interface GivenFile {
  readonly name: string
  readonly base64: string
}

const badInput = (cause: string, suggestion: string): LoamError =>
  new LoamError('BAD_INPUT', cause, { suggestion })

/** Keeps the files that came with an ask. @throws LoamError `BAD_INPUT` for names with folders, names twice, and too much */
export async function keepGiven(folder: string, files: readonly GivenFile[]): Promise<AskFile[]> {
  const total = files.reduce((sum, { base64 }) => sum + base64.length * 0.75, 0)
  if (total > MOST_GIVEN_BYTES)
    throw badInput(
      `The files hold ${Math.ceil(total / 1e6)} MB; ${Math.floor(MOST_GIVEN_BYTES / 1e6)} MB are the most.`,
      'Give fewer or smaller files.',
    )
  const names = files.map(({ name }) => name.toLowerCase())
  const wrong = files.find(({ name }, i) => !PLAIN.test(name) || names.indexOf(name.toLowerCase()) !== i)
  if (wrong)
    throw badInput(
      `"${wrong.name}" is not a plain file name, or there are two of it.`,
      'Give each file a name of its own, without folders.',
    )
  if (files.length > 0) await mkdir(folder, { recursive: true })
  return Promise.all(
    files.map(async ({ name, base64 }) => {
      const bytes = Buffer.from(base64, 'base64')
      const file = await open(join(folder, name), 'w')
      try {
        await file.writeFile(bytes)
        await file.sync()
      } finally {
        await file.close()
      }
      return { name, bytes: bytes.length }
    }),
  )
}

/** Files of a folder by what is in them. */
export type FolderState = ReadonlyMap<string, string>

/** Files that lie in a folder themselves, with what is in them; folders in it are not looked into. */
async function stateOf(folder: string): Promise<FolderState> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const state = new Map<string, string>()
  for (const entry of entries)
    if (entry.isFile()) {
      const bytes = await readFile(join(folder, entry.name))
      state.set(entry.name, createHash('sha256').update(bytes).digest('hex'))
    }
  return state
}

/** A fresh folder to work in: a copy of another one, if there is one, and what was given, if anything. Answers what it holds. */
export async function prepareWork(
  work: string,
  from: string | null,
  input: { readonly folder: string; readonly files: readonly AskFile[] } | null,
): Promise<FolderState> {
  await rm(work, { recursive: true, force: true })
  await mkdir(work, { recursive: true })
  if (from !== null) await copyFolder(from, work)
  if (input) for (const { name } of input.files) await copyFile(join(input.folder, name), join(work, name))
  return stateOf(work)
}

const copyFolder = async (from: string, to: string): Promise<void> => {
  await cp(from, to, {
    recursive: true,
    filter: async (path) => !(await lstat(path)).isSymbolicLink(),
  }).catch((error: unknown) => {
    if (errnoOf(error) !== 'ENOENT') throw error
  })
}

/** Files that an attempt left in its folder: new ones, and those that it changed. */
export async function madeFiles(work: string, before: FolderState): Promise<AskFile[]> {
  const products: AskFile[] = []
  for (const [name, digest] of await stateOf(work))
    if (before.get(name) !== digest) products.push({ name, bytes: (await stat(join(work, name))).size })
  return products.sort((a, b) => a.name.localeCompare(b.name))
}

/** Keeps a folder as it was after each step that changed it. `folder` gets a copy per change, named by the steps done. */
export function keepSteps(
  work: string,
  folder: string,
  folderState: FolderState,
): (steps: number) => Promise<void> {
  let last = folderState
  return async (steps) => {
    const now = await stateOf(work)
    const same = now.size === last.size && [...now].every(([name, digest]) => last.get(name) === digest)
    if (same) return
    last = now
    await mkdir(folder, { recursive: true })
    // Of several changes within one step, the last is how it was left.
    await rm(join(folder, String(steps)), { recursive: true, force: true })
    await copyFolder(work, join(folder, String(steps)))
  }
}

/** The copy that shows a folder as it was after some steps; null where no step up to then changed it. */
export async function folderAfter(folder: string, steps: number): Promise<string | null> {
  const names = await readdir(folder).catch(() => [])
  const knownNumbers = names.map(Number).filter((number) => number <= steps)
  return knownNumbers.length === 0 ? null : join(folder, String(Math.max(...knownNumbers)))
}

/** One file of a folder. @throws LoamError `NOT_FOUND`, `BAD_INPUT` for one that is too long */
export async function readAskFile(folder: string, name: string): Promise<{ name: string; base64: string }> {
  const getError = (): LoamError =>
    new LoamError('NOT_FOUND', `There is no file "${name}" here.`, { suggestion: 'Reload the ask.' })
  if (!PLAIN.test(name)) throw getError()
  const path = join(folder, name)
  const stats = await stat(path).catch((error: unknown) => {
    if (errnoOf(error) === 'ENOENT') throw getError()
    throw error
  })
  if (!stats.isFile()) throw getError()
  if (stats.size > MOST_READ_BYTES)
    throw badInput(`"${name}" has ${stats.size} bytes.`, 'Open it in the data folder itself.')
  return { name, base64: (await readFile(path)).toString('base64') }
}
