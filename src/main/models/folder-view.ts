import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, parse, resolve } from 'node:path'
import type { FolderView } from '../../shared/domain/folder-view'
import { LoamError } from '../../shared/errors'
import { errnoOf } from '../ground/errno'

/** Entries of one folder that are listed. */
const MOST_ENTRIES = 2000
const SHOWN = /\.(?:gguf|onnx)$/i

/** What looking into folders needs to know of the machine. */
export interface FolderWorld {
  readonly home: string
  readonly platform: NodeJS.Platform
  /** Folders that the person has named for models. */
  readonly folders: readonly string[]
}

/**
 * What a folder holds that may lead to a model: folders, `*.gguf` and `*.onnx`. `path` null: the person's home. Names that begin with a
 * dot are left out unless `hidden`. Links are followed. `path` may be in quotation marks, begin with `~`, and lead to a model, whose folder is then answered.
 * @throws LoamError `BAD_INPUT` for a path that is none or is another file, `NOT_FOUND`, `UNAUTHORIZED` where the system refuses
 */
export async function viewFolder(
  { path: inputText, hidden }: { readonly path: string | null; readonly hidden: boolean },
  world: FolderWorld,
): Promise<FolderView> {
  const text = inputText?.replace(/^"([^"]*)"$/, '$1').replace(/^~(?=[\\/]|$)/, world.home) ?? null
  if (text !== null && !isAbsolute(text))
    throw new LoamError('BAD_INPUT', `"${inputText}" is not the full path of a folder.`, {
      suggestion: 'Begin at the top, or at your home folder.',
    })
  const whole = resolve(text ?? world.home)
  const file =
    SHOWN.test(whole) && (await entryOf(dirname(whole), basename(whole)))?.kind === 'model' ? whole : null
  const path = file === null ? whole : dirname(file)
  let names: string[]
  try {
    names = await readdir(path)
  } catch (error) {
    throw getError(path, error)
  }
  const views = names
    .filter((name) => hidden || !name.startsWith('.') || join(path, name) === file)
    .sort(byName)
  const looked = await Promise.all(views.map((name) => entryOf(path, name)))
  const all = looked.filter((entry) => entry !== null)
  const entries = [
    ...all.filter(({ kind }) => kind === 'folder'),
    ...all.filter(({ kind }) => kind === 'model'),
  ]
  const { root } = parse(path)
  return {
    path,
    parent: path === root ? null : dirname(path),
    file,
    starts: await startsOf(world, root),
    entries: entries.slice(0, MOST_ENTRIES),
    more: entries.length > MOST_ENTRIES,
  }
}

const byName = (a: string, b: string): number =>
  a.localeCompare(b, 'en', { sensitivity: 'base', numeric: true })

async function entryOf(folder: string, name: string): Promise<FolderView['entries'][number] | null> {
  const path = join(folder, name)
  const stats = await stat(path).catch(() => null)
  if (stats?.isDirectory()) return { name, path, kind: 'folder', sizeBytes: null }
  return stats?.isFile() && SHOWN.test(name) ? { name, path, kind: 'model', sizeBytes: stats.size } : null
}

async function startsOf(
  { home, platform, folders }: FolderWorld,
  root: string,
): Promise<FolderView['starts']> {
  const drives =
    platform === 'win32'
      ? [...'CDEFGHIJKLMNOPQRSTUVWXYZ'].map((letter) => ({ title: `${letter}:`, path: `${letter}:\\` }))
      : [{ title: 'This machine', path: root }]
  const targets = [
    { title: 'Home', path: home },
    { title: 'Downloads', path: join(home, 'Downloads') },
    ...folders.map((path) => ({ title: parse(path).base, path })),
    ...drives,
  ]
  const there = await Promise.all(targets.map(({ path }) => stat(path).catch(() => null)))
  return targets.filter((_, index) => there[index]?.isDirectory())
}

function getError(path: string, error: unknown): LoamError {
  const code = errnoOf(error)
  if (code === 'ENOENT')
    return new LoamError('NOT_FOUND', `There is no folder ${path}.`, {
      suggestion: 'Go up, or begin at your home folder.',
    })
  if (code === 'ENOTDIR')
    return new LoamError('BAD_INPUT', `${path} is a file, not a folder.`, {
      suggestion: 'Go up to the folder it is in.',
    })
  if (code === 'EACCES' || code === 'EPERM')
    return new LoamError('UNAUTHORIZED', `${path} may not be read: the system says permission denied.`, {
      suggestion: 'Choose another folder, or change who may read it.',
    })
  return new LoamError(
    'NOT_FOUND',
    `${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    {
      suggestion: 'Choose another folder.',
      underlying: error,
    },
  )
}
