import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** Folders that come with Loam. */
export interface Resources {
  readonly models: string
  readonly streams: string
  readonly prompts: string
  /** Definitions of studies. */
  readonly experiments: string
  /** Loam's icon, a PNG file. */
  readonly icon: string
  /** Version of this Loam, from its package.json. */
  readonly version: string
}

interface Manifest {
  readonly name?: string
  readonly version?: string
}

/** What an installed Loam keeps outside its archive, beside it. */
const UNPACKED = 'app.asar.unpacked'

/**
 * The same place outside the archive of an installed Loam; every other place as it is. Processes are started from there: only Electron's
 * own processes can read inside an archive.
 */
export const unpacked = (path: string): string => path.replace(/app\.asar(?=$|[\\/])/, UNPACKED)

/** Walks up from this file (in src, or bundled into out) to Loam's own package.json. */
function findRoot(start: string): { readonly folder: string; readonly version: string } {
  for (let folder = unpacked(start); ; folder = dirname(folder)) {
    const path = join(folder, 'package.json')
    if (existsSync(path)) {
      const manifest = JSON.parse(readFileSync(path, 'utf8')) as Manifest
      if (manifest.name === 'loam') return { folder, version: manifest.version ?? '0.0.0' }
    }
    if (dirname(folder) === folder) throw new Error(`Loam's own folder was not found above ${start}.`)
  }
}

/** The folder of Loam's own package.json, above `start`. */
export const findPackageRoot = (start: string): string => findRoot(start).folder

/**
 * Finds what comes with Loam: beside package.json when run from source or a build, beside the archive when installed (large files and
 * native libraries cannot be read from inside it).
 */
export function findResources(): Resources {
  const root = findRoot(import.meta.dirname)
  const base = basename(root.folder) === UNPACKED ? dirname(root.folder) : root.folder
  return {
    models: join(base, 'models'),
    streams: join(base, 'resources', 'streams'),
    prompts: join(base, 'resources', 'prompts'),
    experiments: join(base, 'resources', 'experiments'),
    icon: join(base, 'resources', 'icon.png'),
    version: root.version,
  }
}
