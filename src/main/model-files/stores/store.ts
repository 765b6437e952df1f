import { homedir } from 'node:os'
import { join, relative, sep } from 'node:path'
import type { LeftOutFile } from '../../../shared/domain/model'
import { type GgufFile, findGgufFiles } from '../gguf-files'
import { readdir } from 'node:fs/promises'
import { folderOr } from '../../ground/data-path'

/** A file's way from its folder, with slashes, without its ending and its part's number. */
export const nameBelow = (folder: string, { path }: Pick<GgufFile, 'path'>): string =>
  relative(folder, path)
    .split(sep)
    .join('/')
    .replace(/(?:-\d{5}-of-\d{5})?\.gguf$/i, '')

/** For stores whose models are called by where they lie. */
export async function readByPath(folder: string, signal?: AbortSignal): Promise<StoreContent> {
  const { files, left } = await findGgufFiles(folder, signal)
  return { models: files.map((file) => ({ ...file, name: nameBelow(folder, file) })), left }
}

/** Names in a folder, in order; none where it is not there or cannot be read. */
export const listOrNothing = (folder: string): Promise<string[]> =>
  readdir(folder).then(
    (names) => names.sort(),
    () => [],
  )

/** Where stores look for where they are. */
export interface StoreWorld {
  /** The person's home folder. */
  readonly home: string
  /** Environment variables. */
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
  /** Where the system's own folders begin. Usually `/`. */
  readonly root: string
}

/** Where programs keep what is a person's own on this machine: on Windows in AppData, what is of this machine alone (`Local`) or not. */
export function programData({ home, env, platform }: StoreWorld, of: 'Local' | 'Roaming'): string {
  switch (platform) {
    case 'darwin':
      return join(home, 'Library', 'Application Support')
    case 'win32':
      return env[of === 'Local' ? 'LOCALAPPDATA' : 'APPDATA'] ?? join(home, 'AppData', of)
    default:
      return folderOr(env['XDG_DATA_HOME'], join(home, '.local', 'share'))
  }
}

/** This machine and its person. */
export const thisMachine = (): StoreWorld => ({
  home: homedir(),
  env: process.env,
  platform: process.platform,
  root: '/',
})

/** A model that another program keeps. */
export interface StoredModel extends GgufFile {
  /** What that program calls it, as `qwen3:4b`. */
  readonly name: string
  /** What that program says of its licence, where it does. */
  readonly license?: string | null
  /** Why it cannot be used, where the store itself tells. */
  readonly problem?: string
}

export interface StoreContent {
  readonly models: readonly StoredModel[]
  readonly left: readonly LeftOutFile[]
}

/** A program that keeps models on this machine: a file here and one line in `index.ts`. Nothing of it is ever changed. */
export interface ModelStore {
  /** What stands before the slash of a model's short name. */
  readonly id: string
  readonly title: string
  /** Where it may keep models on this machine, whether that is there or not. Never rejects. */
  folders(world: StoreWorld): readonly string[] | Promise<readonly string[]>
  /** What one of them holds; nothing where it is not there. Rejects only when `signal` fires. */
  read(folder: string, signal?: AbortSignal): Promise<StoreContent>
}
